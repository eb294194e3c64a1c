// Tables as papers have them.
#include "results/paper_table.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace heed {
namespace {

PaperTable table() {
  PaperTable table;
  table.columns.push_back({.group = "", .title = "attention_kind", .texts = {"none", "a&b", "c"}});
  table.columns.push_back(
      {.group = "de",
       .title = "",
       .numbers = {{.value = "7.1", .deviation = "10.3"},
                   {.value = "38.9", .deviation = "0.3", .is_significant = true},
                   {}}});
  table.columns.push_back(
      {.group = "fr",
       .title = "",
       .numbers = {{.value = "-0.5"}, {.value = "38.9", .deviation = "0.3"}, {.value = "38.9"}}});
  return table;
}

TEST(PaperTable, InLatexHasRulesAndAlignedNumbers) {
  PaperTable latex = table();
  latex.columns[2].numbers[1].is_best = true;
  latex.notes = {"* p < 0.05"};
  latex.remarks = {"none: a_{1,2}"};
  EXPECT_EQ(latex_table(latex),
            "% needs \\usepackage{booktabs}\n"
            "\\begin{tabular}{lrr}\n"
            "\\toprule\n"
            "attention\\_kind & \\multicolumn{1}{c}{de} & \\multicolumn{1}{c}{fr} \\\\\n"
            "\\midrule\n"
            "none & 7.1 $\\pm$ 10.3 & $-$0.5\\phantom{ $\\pm$ 0.3} \\\\\n"
            "a\\&b & 38.9 $\\pm$ \\phantom{0}0.3\\rlap{*} & \\textbf{38.9} $\\pm$ 0.3 \\\\\n"
            "c & -- & 38.9\\phantom{ $\\pm$ 0.3} \\\\\n"
            "\\bottomrule\n"
            "\\end{tabular}\n"
            "% * p < 0.05\n"
            "% none: a_{1,2}\n");
}

TEST(PaperTable, InLatexHasAHeadingOverSeveralColumns) {
  PaperTable latex = table();
  latex.columns[1].title = "min";
  latex.columns[2].group = "de";
  latex.columns[2].title = "max";
  const std::string text = latex_table(latex);
  EXPECT_NE(
      text.find("\\toprule\n & \\multicolumn{2}{c}{de} \\\\\n\\cmidrule(lr){2-3}\n"
                "attention\\_kind & \\multicolumn{1}{c}{min} & \\multicolumn{1}{c}{max} \\\\\n"),
      std::string::npos)
      << text;
}

TEST(PaperTable, InMarkdownIsAlignedInItsSource) {
  PaperTable markdown = table();
  markdown.columns[2].numbers[1].is_best = true;
  markdown.notes = {"a_b"};
  markdown.remarks = {"none: a--> b"};
  EXPECT_EQ(markdown_table(markdown),
            "| attention\\_kind |           de |             fr |\n"
            "|-----------------|-------------:|---------------:|\n"
            "| none            |   7.1 ± 10.3 |           -0.5 |\n"
            "| a\\&b            | 38.9 ± 0.3\\* | **38.9** ± 0.3 |\n"
            "| c               |            – |           38.9 |\n"
            "\na\\_b\n"
            "\n<!--\nnone: a- -> b\n-->\n");
}

TEST(PaperTable, OnATerminalAlignsThePoints) {
  EXPECT_EQ(text_table(table(), 80, 1),
            "attention_kind            de          fr\n"
            "none             7.1 ± 10.3   -0.5\n"
            "a&b             38.9 ±  0.3*  38.9 ± 0.3\n"
            "c                         -   38.9\n");
}

TEST(PaperTable, OnANarrowTerminalRepeatsItsHeadings) {
  EXPECT_EQ(text_table(table(), 30, 1),
            "attention_kind            de\n"
            "none             7.1 ± 10.3\n"
            "a&b             38.9 ±  0.3*\n"
            "c                         -\n"
            "\n"
            "attention_kind          fr\n"
            "none            -0.5\n"
            "a&b             38.9 ± 0.3\n"
            "c               38.9\n");
}

std::vector<bool> best_of(const std::vector<std::string>& printed,
                          const std::vector<std::optional<double>>& values, bool higher) {
  PaperColumn column;
  for (const std::string& value : printed) column.numbers.push_back({.value = value});
  mark_best(column, values, higher);
  std::vector<bool> best;
  for (const PaperNumber& number : column.numbers) best.push_back(number.is_best);
  return best;
}

TEST(BestOfAColumn, IsAllThatIsPrintedLikeIt) {
  using Marks = std::vector<bool>;
  EXPECT_EQ(best_of({"1.2", "1.2", "1.1"}, {1.24, 1.16, 1.1}, true), (Marks{true, true, false}));
  EXPECT_EQ(best_of({"1.2", "1.1", "1.0"}, {1.2, 1.1, std::nullopt}, false),
            (Marks{false, true, false}));
  EXPECT_EQ(best_of({"1.2", ""}, {1.2, std::nullopt}, true), (Marks{false, false}))
      << "a single score is not the best of several";
}

}  // namespace
}  // namespace heed
