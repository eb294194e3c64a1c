// Expected figures are by sacreBLEU 2.6.0 (--paired-bs, --paired-ar) on the same lines.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "holds.h"
#include "report/well_formed.h"

namespace heed {
namespace {

using testing::HasSubstr;

class Compare : public testing::Test {
 protected:
  Compare() {
    write_plainly(folder_ / "base",
                  "A man is riding his bike on the street.\n"
                  "Two dogs are playing in deep snow.\n"
                  "The woman wears a red hat and smiles.\n"
                  "Kids are running across a field.\n");
    write_plainly(folder_ / "new",
                  "A man is riding a bicycle down the street.\n"
                  "Two dogs are playing in the snow.\n"
                  "The woman wears a red hat, and smiles.\n"
                  "Children are running through a field\n");
    write_plainly(folder_ / "ref",
                  "A man rides a bicycle down the street.\n"
                  "Two dogs play in the snow.\n"
                  "A woman with a red hat smiles.\n"
                  "Children run through a field.\n");
  }
  Outcome compare(const Arguments& arguments) const {
    return run_heed(joined({"compare"}, arguments), {.folder = folder_.path()});
  }
  // Standard output of a run that has to succeed.
  std::string text(const Arguments& arguments) const {
    const Outcome outcome = compare(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  nlohmann::json json(const Arguments& arguments) const {
    return nlohmann::json::parse(text(joined(arguments, {"--format", "json"})));
  }
  TemporaryFolder folder_;
};

TEST_F(Compare, PrintsScoresIntervalsAndP) {
  holds({"--metric", "--reference", "heed compare"});
  EXPECT_EQ(text({"-r", "ref", "-m", "bleu,ter", "base", "new"}),
            "BLEU|nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|"
            "version:heed-" HEED_VERSION
            "\n"
            "BLEU     μ ± 95 %         p   system\n"
            "14.9   14.7 ± 2.7  baseline   base\n"
            "37.5  36.3 ± 18.2    0.0010*  new\n"
            "\n"
            "TER|nrefs:1|bs:1000|seed:12345|case:lc|tok:tercom|norm:no|punct:yes|asian:no|"
            "version:heed-" HEED_VERSION
            "\n"
            " TER     μ ± 95 %         p   system\n"
            "57.7  57.7 ± 12.6  baseline   base\n"
            "42.3  42.7 ± 15.3    0.0290*  new\n");
}

TEST_F(Compare, ExchangesLinesWhereAsked) {
  holds({"--samples", "--test"});
  const Arguments randomization{"-r",   "ref", "-m",     "chrf",
                                "base", "new", "--test", "randomization"};
  EXPECT_THAT(text(randomization), HasSubstr("|ar:10000|seed:12345|"));
  EXPECT_THAT(text(randomization), HasSubstr("0.1259 "));
  EXPECT_THAT(text(joined(randomization, {"--samples", "500"})), HasSubstr("0.1437 "));
}

TEST_F(Compare, SamplesAsOftenAsAsked) {
  holds({"--digits", "--samples", "--seed"});
  const Arguments few{"-r", "ref", "-m", "ter", "base", "new", "--samples", "200"};
  const std::string table = text(few);
  EXPECT_THAT(table, HasSubstr("|bs:200|seed:12345|"));
  EXPECT_THAT(table, HasSubstr("57.7  57.5 ± 13.9"));
  EXPECT_THAT(table, HasSubstr("42.3  42.0 ± 14.9    0.0348*"));
  EXPECT_THAT(text(joined(few, {"--seed", "1"})), HasSubstr("seed:1|"));
  EXPECT_THAT(text(joined(few, {"--digits", "3"})), HasSubstr("57.692  57."));
}

TEST_F(Compare, WritesJson) {
  holds({"--format"});
  const auto found = json({"-r", "ref", "-m", "chrf", "-m", "bleu", "base", "new", "ref"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]["name"], "chrF2");
  EXPECT_THAT(found[0]["signature"].get<std::string>(), HasSubstr("|bs:1000|seed:12345|"));
  const auto& systems = found[0]["systems"];
  ASSERT_EQ(systems.size(), 3u);
  EXPECT_EQ(systems[0]["system"], "base");
  EXPECT_FALSE(systems[0].contains("p"));
  EXPECT_NEAR(systems[0]["score"].get<double>(), 44.0, 0.05);
  EXPECT_NEAR(systems[1]["score"].get<double>(), 69.2, 0.05);
  EXPECT_NEAR(systems[1]["confidence"]["mean"].get<double>(), 69.0, 0.05);
  EXPECT_NEAR(systems[1]["confidence"]["half_width"].get<double>(), 8.5, 0.05);
  EXPECT_NEAR(systems[1]["p"].get<double>(), 0.0010, 0.00005);
  EXPECT_EQ(systems[2]["score"], 100);
}

// Expected scores are those of `heed evaluate` with the same options; its tests check the values.
TEST_F(Compare, TakesTheOptionsOfMetrics) {
  holds({"--reference"});
  const Arguments options{"--lowercase",
                          "--tokenize",
                          "char",
                          "--smooth",
                          "add-k",
                          "--smooth-value",
                          "2",
                          "--effective-order",
                          "--chrf-char-order",
                          "4",
                          "--chrf-word-order",
                          "1",
                          "--chrf-beta",
                          "3",
                          "--chrf-whitespace",
                          "--ter-normalized",
                          "--ter-no-punct",
                          "--ter-asian-support",
                          "--ter-case-sensitive",
                          "--stem",
                          "--sentence-break",
                          ","};
  const Arguments metrics{"-m", "bleu,chrf,ter,rouge1,rougeLsum"};
  const auto compared =
      json(joined(joined({"-r", "ref", "-r", "base", "base", "new"}, metrics), options));
  const Outcome outcome = run_heed(
      joined(joined({"evaluate", "-r", "ref", "base", "-i", "new", "--format", "json"}, metrics),
             options),
      {.folder = folder_.path()});
  const auto evaluated = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(compared.size(), evaluated.size());
  for (size_t i = 0; i < compared.size(); ++i) {
    EXPECT_EQ(compared[i]["systems"][1]["score"], evaluated[i]["score"]);
    std::string signature = compared[i]["signature"];
    const std::string samples = "bs:1000|seed:12345|";
    EXPECT_EQ(signature.erase(signature.find(samples), samples.size()),
              evaluated[i]["signature"].get<std::string>());
  }
}

TEST_F(Compare, ScoresLinesByLength) {
  holds({"--by"});
  const Arguments options = {"-r", "ref", "base", "new", "-m", "bleu,ter", "--by", "length"};
  const auto found = json(options);
  for (const auto& metric : found) {
    ASSERT_EQ(metric["by_length"].size(), 1u) << found;
    EXPECT_EQ(metric["by_length"][0]["group"], "0-9");
    EXPECT_EQ(metric["by_length"][0]["lines"], 4);
    for (size_t system = 0; system < 2; ++system)
      EXPECT_EQ(metric["by_length"][0]["scores"][system], metric["systems"][system]["score"]);
  }
  EXPECT_THAT(text(options), HasSubstr("\nBLEU by words of the reference (case:mixed|tok:13a)\n"
                                       "     lines  base   new\n"));
}

// "(a)" is one word and not three; another metric is given too, without these options.
TEST_F(Compare, ByFrequencyTakesTheWordsOfTokenize) {
  holds({"--by", "--tokenize", "--lowercase"});
  write_plainly(folder_ / "marks", "(A) (b)\n");
  write_plainly(folder_ / "small", "(a) (b)\n");
  const Arguments options{"-r", "marks", "small", "small", "-m", "chrf", "--tokenize", "none"};
  const auto found = json(joined(options, {"--by", "frequency", "--lowercase"}))[1];
  EXPECT_EQ(found["signature"], "case:lc|tok:none");
  ASSERT_EQ(found["by_frequency"].size(), 1u);
  EXPECT_EQ(found["by_frequency"][0]["words"], 2);
  EXPECT_EQ(found["by_frequency"][0]["scores"], (std::vector<double>{100, 100}));
  EXPECT_FAILS(compare(options), 2, "--tokenize is an option of bleu");
}

TEST_F(Compare, ScoresWordsByFrequency) {
  holds({"--by", "--count-words"});
  const Arguments options = {"-r", "ref", "base", "new", "--by", "frequency"};
  EXPECT_THAT(text(options),
              HasSubstr("\nword F1 by occurrences in the reference (case:mixed|tok:13a)\n"));
  write_plainly(folder_ / "train", "dogs dogs dogs dogs dogs dogs\nsnow\n");
  const auto found = json(joined(options, {"--count-words", "train"}));
  const auto& groups = found[1]["by_frequency"];
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0]["group"], "0");
  EXPECT_EQ(groups[1]["group"], "1");
  EXPECT_EQ(groups[1]["words"], 1);
  EXPECT_EQ(groups[1]["scores"], (std::vector<double>{100, 100}));
  EXPECT_EQ(groups[2]["group"], "5-9");
  EXPECT_GT(groups[0]["scores"][1], groups[0]["scores"][0]);
  EXPECT_FAILS(compare({"-r", "ref", "base", "new", "--count-words", "train"}), 2,
               "--count-words needs --by frequency or --html");
}

TEST_F(Compare, WritesAPageOfWhatDiffersMost) {
  holds({"--html", "--source", "--examples"});
  write_plainly(folder_ / "src", "Ein <Mann> &c.\nZwei Hunde\nDie Frau\nKinder\n");
  const Arguments options = {"-r",        "ref",      "base", "new",    "-m",
                             "chrf,bleu", "--source", "src",  "--html", "page.html"};
  text(options);
  const std::string page = read_plainly(folder_ / "page.html");
  expect_well_formed(page.substr(page.find("<h1>"), page.find("<script>") - page.find("<h1>")));
  EXPECT_EQ(count(page, "<article>"), 4u);
  EXPECT_EQ(count(page, "<figure>"), 3u);
  EXPECT_EQ(count(page, "<table>"), 2u);
  EXPECT_EQ(count(page, "http"), 0u + count(page, "http-equiv"));
  EXPECT_THAT(page, HasSubstr("Ein &lt;Mann&gt; &amp;c."));
  EXPECT_THAT(page, HasSubstr("Two dogs <mark>are</mark> <mark>playing</mark> in the snow."));
  text(joined(options, {"--examples", "1"}));
  const std::string small = read_plainly(folder_ / "page.html");
  EXPECT_EQ(count(small, "<article>"), 2u);
  EXPECT_LT(small.find("line 4<"), small.find("line 3<")) << "the better one first";
  EXPECT_EQ(count(small, "line 2<"), 0u);
  // Lines of two words have no 4-grams: the page shows the scores of --sentences.
  write_plainly(folder_ / "dogs", "two dogs\n");
  write_plainly(folder_ / "cats", "two cats\n");
  text({"-r", "dogs", "cats", "dogs", "--html", "page.html"});
  const Outcome sentences =
      run_heed({"evaluate", "-r", "dogs", "-i", "cats", "--sentences"}, {.folder = folder_.path()});
  const std::string article = read_plainly(folder_ / "page.html");
  EXPECT_THAT(article.substr(article.find("<article>")), HasSubstr(lines_of(sentences.out).at(0)));
  EXPECT_FAILS(compare({"-r", "ref", "base", "new", "--html", "ref"}), 2, "ref");
  write_plainly(folder_ / "src", "one\n");
  EXPECT_FAILS(compare(options), 3, "src: has 1 lines, but the references have 4");
  EXPECT_FAILS(compare({"-r", "ref", "base", "new", "--examples", "2"}), 2, "--html");
}

TEST_F(Compare, UnusableTextsAreRefused) {
  write_plainly(folder_ / "short", "one\ntwo\n");
  write_plainly(folder_ / "bad", "a\nb\nc\xff\nd\n");
  write_plainly(folder_ / "empty", "");
  EXPECT_FAILS(compare({"-r", "ref", "base", "short"}), 3, "short: 2 lines, but ref: 4 lines");
  EXPECT_FAILS(compare({"-r", "ref", "bad", "new"}), 3, "bad:3: malformed UTF-8");
  EXPECT_FAILS(compare({"-r", "empty", "empty", "empty"}), 3, "empty: no lines");
  EXPECT_FAILS(compare({"-r", "ref", "base", "."}), 2,
               ".: is a folder, expected a file of translations (heed translate); `heed runs`");
  EXPECT_FAILS(compare({"-r", "ref", "base", "nowhere"}), 5, "nowhere");
}

// The names have control characters, a line break, malformed UTF-8 and markup.
TEST_F(Compare, NamesOfFilesAreEscaped) {
  const std::string name = "n\x1b[2J\nw\xff<b>";
  std::filesystem::copy_file(folder_ / "new", folder_ / name);
  const std::string shown = "n\\x1b[2J\\nw\\xff<b>";
  const Outcome outcome =
      compare({"-r", "ref", "base", name, "--html", "page.html", "--by", "length"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(shown));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("\x1b")));
  EXPECT_EQ(json({"-r", "ref", "base", name})[0]["systems"][1]["system"], "n\x1b[2J\nw\uFFFD<b>");
  const std::string page = read_plainly(folder_ / "page.html");
  EXPECT_THAT(page,
              testing::AllOf(HasSubstr("n\uFFFD[2J\nw\uFFFD&lt;b&gt;"),
                             testing::Not(HasSubstr("<b>")), testing::Not(HasSubstr("\x1b"))));
}

// `heed evaluate` takes -m bleu ter; here the second word is a file.
TEST_F(Compare, NamesTheFormOfSeveralMetrics) {
  EXPECT_FAILS(compare({"-r", "ref", "base", "new", "-m", "bleu", "ter", "chrF", "--ter-no-punct"}),
               2, "ter: there is no such file; several metrics: -m bleu,ter,chrf");
  write_plainly(folder_ / "ter", read_plainly(folder_ / "new"));
  EXPECT_THAT(text({"-r", "ref", "base", "new", "ter"}), HasSubstr("ter\n"));
}

}  // namespace
}  // namespace heed
