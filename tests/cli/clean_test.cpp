// `heed clean`; tests/clean has the filters themselves.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Clean : public testing::Test {
 protected:
  // Pairs 1 to 60 are good; 61 to 66 are not.
  Clean() {
    const std::vector<std::string> left{"bado", "kuli", "remi", "sotu", "vela"},
        right{"zwex", "fyrth", "grunx", "plonk", "scholm"};
    for (size_t i = 0; i < 60; ++i) {
      std::string source, target;
      for (size_t word = 0; word < 4; ++word) {
        const size_t draw = (i / (word == 0 ? 1 : word == 1 ? 5 : 25) + word) % 5;
        source += left[draw] + " ";
        target += right[draw] + " ";
      }
      add(source + "yes.", target + "ja.");
    }
    add(sources_[2], targets_[2]);
    add("SOTU " + sources_[3].substr(5), targets_[3]);
    add("", "plonk.");
    add("bado 1987 vela.", "zwex 1978 scholm.");
    add("kuli bado\xFF.", "fyrth zwex.");
    add("<b>kuli</b> sotu remi", "fyrth plonk grunx");
    write();
  }
  void add(const std::string& source, const std::string& target) {
    sources_.push_back(source);
    targets_.push_back(target);
  }
  void write() const {
    std::string source, target, rows = "id\tleft\tright\n";
    for (size_t i = 0; i < sources_.size(); ++i) {
      source += sources_[i] + "\n";
      target += targets_[i] + "\n";
      rows += fmt::format("{}\t{}\t{}\n", i + 1, sources_[i], targets_[i]);
    }
    write_plainly(folder_ / "a.left", source);
    write_plainly(folder_ / "a.right", target);
    write_plainly(folder_ / "a.tsv", rows);
  }
  Outcome clean(const Arguments& arguments, const std::string& input = "") const {
    return run_heed(joined({"clean"}, arguments), {.input = input, .folder = folder_.path()});
  }
  Outcome clean_two(const Arguments& more = {}) const {
    return clean(joined({"--source", "a.left", "--target", "a.right"}, more));
  }
  std::vector<std::string> lines(const std::string& name) const {
    return lines_of(read_plainly(folder_ / name));
  }
  // Pairs that a filter drops, alone and first.
  static std::pair<int, int> counts(const nlohmann::json& report, const std::string& name) {
    for (const auto& filter : report.at("filters")) {
      if (filter.at("name") == name) return {filter.at("alone"), filter.at("first")};
    }
    return {-1, -1};
  }

  TemporaryFolder folder_;
  std::vector<std::string> sources_, targets_;
};

TEST_F(Clean, ReportsWithoutAnOutput) {
  holds({"heed clean", "--json", "--samples", "--seed"});
  const auto before = names_in(folder_.path());
  const Outcome outcome = clean_two({"--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(names_in(folder_.path()), before);
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report.at("pairs"), 66);
  EXPECT_EQ(report.at("kept"), 60);
  const std::pair once(1, 1);
  EXPECT_EQ(counts(report, "empty"), once);
  EXPECT_EQ(counts(report, "malformed"), once);
  EXPECT_EQ(counts(report, "numbers"), once);
  EXPECT_EQ(counts(report, "markup"), once);
  EXPECT_EQ(counts(report, "duplicates"), once);
  EXPECT_EQ(counts(report, "near_duplicates"), std::pair(2, 1));
  for (const auto& filter : report.at("filters")) {
    if (filter.at("name") != "numbers") continue;
    const auto& sample = filter.at("samples").at(0);
    EXPECT_EQ(sample.at("line"), 64);
    EXPECT_EQ(sample.at("reason"), "numbers 1987 in the source, 1978 in the target");
    EXPECT_EQ(sample.at("target"), "zwex 1978 scholm.");
  }
  const Outcome text = clean_two({"--samples", "0", "--seed", "2"});
  EXPECT_THAT(text.out, testing::AllOf(HasSubstr("66 pairs, 60 kept (90.91 %)"),
                                       HasSubstr("near_duplicates"), Not(HasSubstr("line 64"))));
  EXPECT_THAT(clean_two().out, HasSubstr("line 64: numbers 1987 in the source, 1978"));
}

TEST_F(Clean, WritesKeptAndRejectedPairs) {
  holds({"--output", "--rejected", "--source", "--target"});
  const Outcome outcome = clean_two({"-o", "b.left", "b.right", "--rejected", "bad.tsv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  sources_.resize(60), targets_.resize(60);
  EXPECT_EQ(lines("b.left"), sources_);
  EXPECT_EQ(lines("b.right"), targets_);
  const auto rejected = lines("bad.tsv");
  ASSERT_EQ(rejected.size(), 7U);
  EXPECT_EQ(rejected[0], "line\tfilters\treason\tsource\ttarget");
  EXPECT_EQ(rejected[1], fmt::format("61\tduplicates,near_duplicates\tpair came before\t{}\t{}",
                                     sources_[2], targets_[2]));
  EXPECT_EQ(rejected[3], "63\tempty\tsource is empty\t\tplonk.");
}

TEST_F(Clean, ReadsTranslationMemories) {
  ASSERT_EQ(run_heed({"convert", "a.tsv", "--source", "left", "--target", "right", "--source-name",
                      "en", "--target-name", "de", "-o", "a.tmx"},
                     {.folder = folder_.path()})
                .exit_code,
            0);
  const Outcome outcome = clean({"a.tmx", "-o", "b.jsonl"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GE(lines("b.jsonl").size(), 60U);
  EXPECT_EQ(nlohmann::json::parse(lines("b.jsonl")[0]),
            (nlohmann::json{{"en", sources_[0]}, {"de", targets_[0]}}));
  EXPECT_FAILS(clean({"a.tmx", "--source", "en", "--target", "de", "-o", "b.tmx"}), 2,
               "name the output FILE.jsonl");
}

TEST_F(Clean, OverwritesNoInput) {
  write_plainly(folder_ / "samples.fr", "un deux\n");
  write_plainly(folder_ / "filters.yaml", "numbers: false\n");
  EXPECT_FAILS(clean_two({"--language-samples", "fr=samples.fr", "-o", "samples.fr", "b.right"}), 2,
               "is the same file as");
  EXPECT_FAILS(clean_two({"--filters", "filters.yaml", "-o", "filters.yaml", "b.right"}), 2,
               "is the same file as");
}

TEST_F(Clean, IsTheSameForAllFormsAndThreads) {
  holds({"--workers"});
  ASSERT_EQ(clean_two({"-o", "b.left", "b.right"}).exit_code, 0);
  const Outcome table = clean({"a.tsv", "--source", "left", "--target", "right", "--workers", "3",
                               "-o", "b.tsv", "--rejected", "bad.tsv"});
  ASSERT_EQ(table.exit_code, 0) << table.err;
  std::vector<std::string> rows{"id\tleft\tright"};
  const auto left = lines("b.left"), right = lines("b.right");
  for (size_t i = 0; i < left.size(); ++i)
    rows.push_back(fmt::format("{}\t{}\t{}", i + 1, left[i], right[i]));
  EXPECT_EQ(lines("b.tsv"), rows);
  EXPECT_THAT(lines("bad.tsv").at(1), testing::StartsWith("62\tduplicates"));  // behind the header
  const Outcome piped = clean({"--source", "-", "--target", "a.right", "-o", "c.left", "c.right"},
                              read_plainly(folder_ / "a.left"));
  ASSERT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(lines("c.left"), left);
  EXPECT_EQ(lines("c.right"), right);
  const Outcome to_pipe = clean({"a.tsv", "--source", "2", "--target", "3", "-o", "-"});
  ASSERT_EQ(to_pipe.exit_code, 0) << to_pipe.err;
  EXPECT_EQ(lines_of(to_pipe.out), rows);
  EXPECT_THAT(to_pipe.err, HasSubstr("67 pairs, 61 kept"));  // the header is a pair
}

TEST_F(Clean, TakesSettings) {
  holds({"--filters", "--set", "--show"});
  write_plainly(folder_ / "filters.yaml", "numbers: false\nlength: {min_words: 3}\n");
  const Outcome outcome =
      clean_two({"--filters", "filters.yaml", "--set", "markup=false", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(counts(report, "numbers"), std::pair(-1, -1));
  EXPECT_EQ(counts(report, "markup"), std::pair(-1, -1));
  EXPECT_EQ(report.at("kept"), 62);
  const Outcome shown = clean({"--show", "--filters", "filters.yaml"});
  EXPECT_THAT(shown.out, HasSubstr("min_words: 3"));
  write_plainly(folder_ / "all.yaml", shown.out);
  EXPECT_EQ(clean({"--show", "--filters", "all.yaml"}).out, shown.out);
  EXPECT_FAILS(clean_two({"--set", "number=false"}), 2, "unknown key; did you mean 'numbers'?");
  EXPECT_FAILS(clean_two({"--set", "length.max_words=many"}), 2, "length.max_words: found 'many'");
  EXPECT_FAILS(clean_two({"--set", "length.max_words=2", "--set", "length.min_words=3"}), 2,
               "is above max_words");
  EXPECT_FAILS(clean_two({"--set", "language.target=deutschlandish"}), 2, "expected a code");
}

TEST_F(Clean, ComparesWithTestSetsAndScores) {
  holds({"--test", "--scores", "--reverse-scores", "--language-samples"});
  write_plainly(folder_ / "test.left", sources_[7] + "\n");
  const Outcome outcome = clean_two({"--test", "test.left", "--json"});
  EXPECT_EQ(counts(nlohmann::json::parse(outcome.out), "test"), std::pair(1, 1));
  std::string scores;
  for (size_t i = 0; i < sources_.size(); ++i)
    scores += i < 60 ? fmt::format("{}\n", -1.0 * (i + 1)) : "0\n";
  write_plainly(folder_ / "scores", scores);
  EXPECT_FAILS(clean_two({"--scores", "scores"}), 2, "--set scores.best=0.8");
  const Outcome scored =
      clean_two({"--scores", "scores", "--set", "scores.max=4", "-o", "b.left", "b.right"});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  EXPECT_EQ(lines("b.left"), std::vector(sources_.begin(), sources_.begin() + 20));  // 5 words each
  const Outcome dual = clean_two(
      {"--scores", "scores", "--reverse-scores", "scores", "--set", "scores.best=0.5", "--json"});
  ASSERT_EQ(dual.exit_code, 0) << dual.err;
  write_plainly(folder_ / "other", "jjaah qqoop vvuuv\n");
  EXPECT_EQ(clean_two({"--language-samples", "xx=other"}).exit_code, 0);
  EXPECT_FAILS(clean_two({"--language-samples", "other"}), 2, "expected NAME=FILE");
}

TEST_F(Clean, RefusesWhatDoesNotFit) {
  write_plainly(folder_ / "short", "one\ntwo\n");
  EXPECT_FAILS(clean({"--source", "a.left", "--target", "short"}), 3,
               "a.left: has 66 lines, but short has 2");
  EXPECT_FAILS(clean({"--source", "a.left"}), 2, "--target is required");
  EXPECT_FAILS(clean({"--source", "a.left", "--target", "nowhere"}), 5, "nowhere");
  EXPECT_FAILS(clean_two({"-o", "b.left"}), 2, "expected two files");
  EXPECT_FAILS(clean_two({"-o", "x/b.left", "x/b.right"}), 5, "there is no folder x");
  EXPECT_FAILS(clean_two({"-o", "-", "b.right", "--json"}), 2, "standard output has the pairs");
  EXPECT_FAILS(clean_two({"-o", "a.left", "b"}), 2, "a.left");
  EXPECT_FAILS(clean({"a.tsv", "--source", "2", "--target", "3", "-o", "x", "y"}), 2,
               "expected one file");
  EXPECT_FAILS(clean_two({"--scores", "short", "--set", "scores.max=1", "--set", "language=false"}),
               3, "short:1: found 'one'");
  write_plainly(folder_ / "none", "");
  EXPECT_FAILS(clean({"--source", "none", "--target", "none2"}), 5, "none2");
  write_plainly(folder_ / "none2", "");
  EXPECT_FAILS(clean({"--source", "none", "--target", "none2"}), 3, "has no pairs");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.left"));
}

}  // namespace
}  // namespace heed
