// Expected figures are those of sacreBLEU 2.6.0 (--paired-bs, --paired-ar) on the same lines.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "holds.h"

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
  // What a run prints that has to succeed.
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

// A system against itself: no difference is larger than none.
TEST_F(Compare, EqualSystemsHaveNoDifferenceByChance) {
  for (const auto& metric : json({"-r", "ref", "-m", "bleu,rouge,exact,f1,wer", "new", "new"}))
    EXPECT_DOUBLE_EQ(metric["systems"][1]["p"], 1 / 1001.0) << metric;
}

// The scores of `heed evaluate` with the same options; its tests hold what they are.
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
    EXPECT_EQ(signature.erase(signature.find(samples), samples.size()), evaluated[i]["signature"]);
  }
}

TEST_F(Compare, UnusableTextsAreCode3) {
  write_plainly(folder_ / "short", "one\ntwo\n");
  write_plainly(folder_ / "bad", "a\nb\nc\xff\nd\n");
  write_plainly(folder_ / "empty", "");
  EXPECT_FAILS(compare({"-r", "ref", "base", "short"}), 3, "short: 2 lines, but ref: 4 lines");
  EXPECT_FAILS(compare({"-r", "ref", "bad", "new"}), 3, "bad:3: malformed UTF-8");
  EXPECT_FAILS(compare({"-r", "empty", "empty", "empty"}), 3, "empty: no lines");
}

TEST_F(Compare, MissingFilesAreCode5) {
  EXPECT_FAILS(compare({"-r", "ref", "base", "nowhere"}), 5, "nowhere");
  EXPECT_FAILS(compare({"-r", "nowhere", "base", "new"}), 5, "nowhere");
}

}  // namespace
}  // namespace heed
