// Text in LaTeX, Markdown and CSV.
#include "results/cell_text.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(LatexText, EscapesEveryCharacterThatMeansSomething) {
  EXPECT_EQ(latex_text("a_b & 5% $x #1 {y} ^ ~ \\"),
            "a\\_b \\& 5\\% \\$x \\#1 \\{y\\} \\textasciicircum{} \\textasciitilde{} "
            "\\textbackslash{}");
  EXPECT_EQ(latex_text("<a|b>"), "\\textless{}a\\textbar{}b\\textgreater{}");
  EXPECT_EQ(latex_text("\"'`"), "\\texttt{\\char34}\\texttt{\\char39}\\texttt{\\char96}");
}

// Behind \\ of the row before, [ and * would be arguments; -- would be a dash.
TEST(LatexText, BelongsToNoCommandBeforeIt) {
  EXPECT_EQ(latex_text("[gaussian]*"), "{[}gaussian{]}{*}");
  EXPECT_EQ(latex_text("a-b--c"), "a-b-{}-c");
}

TEST(LatexText, KeepsOtherLettersAndNoControlCharacters) {
  EXPECT_EQ(latex_text("é字"), "é字");
  EXPECT_EQ(latex_text("a\nb"), "a\\textbackslash{}nb");
}

TEST(MarkdownText, EscapesEveryCharacterThatMeansSomething) {
  EXPECT_EQ(markdown_text("a|b*c_d`e`[f](g)<h>~i~\\&#$^"),
            "a\\|b\\*c\\_d\\`e\\`\\[f\\](g)\\<h\\>\\~i\\~\\\\\\&\\#\\$\\^");
}

TEST(CsvText, IsThatOfRfc4180) {
  EXPECT_EQ(csv_text({{"run", "a,b"}, {"say \"x\"", "two\nlines"}, {"", "é"}}),
            "run,\"a,b\"\r\n\"say \"\"x\"\"\",\"two\nlines\"\r\n,é\r\n");
}

TEST(TsvText, HasARecordOnALine) { EXPECT_EQ(tsv_text({{"a\tb", "c"}}), "a\\tb\tc\n"); }

TEST(FieldOf, HasFullPrecision) {
  EXPECT_EQ(field_of(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(field_of(std::nullopt), "");
}

}  // namespace
}  // namespace heed
