// `heed runs`; tests/results/run_list_test.cpp has the runs and groups themselves.
#include <gmock/gmock.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "cli/faults.h"
#include "cli/program.h"
#include "results/run_lines.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Runs : public testing::Test {
 protected:
  Runs() {
    write("deep/a",
          train_line(400, 3) + validation_line(300, 20, true) + validation_line(400, 19, false) +
              end_line(400, "finished"),
          2, 1, 300);
    write("b", train_line(200, 3) + validation_line(200, 30, true), 1, 1, 200);
    write("c",
          train_line(500, 3) + validation_line(200, 10, true) + test_line(200, "news", 22.5) +
              test_line(200, "talks", 17),
          1, 2, 200);
  }
  void write(const std::string& name, const std::string& lines, int layers, int seed,
             int best) const {
    write_run(folder_ / ("runs/" + name), lines,
              fmt::format("seed: {}\nmodel: {{encoder: {{layers: {}}}}}\ntrain: {{max_updates: "
                          "500, validate: {{metric: bleu}}}}\n",
                          seed, layers),
              best);
  }
  Outcome runs(const Arguments& arguments = {}) const {
    return run_heed(joined({"runs", "runs"}, arguments), {.folder = folder_.path()});
  }
  std::vector<std::string> order(const Arguments& arguments = {}) const {
    const Outcome outcome = runs(joined({"--format", "json"}, arguments));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::vector<std::string> names;
    for (const auto& run : nlohmann::json::parse(outcome.out)) names.push_back(run["run"]);
    return names;
  }
  TemporaryFolder folder_;
};

TEST_F(Runs, AreSortedByTheBestScoreUnlessAskedOtherwise) {
  holds({"heed runs", "--sort"});
  EXPECT_THAT(order(), ElementsAre("b", "deep/a", "c"));
  EXPECT_THAT(order({"--sort", "name"}), ElementsAre("b", "c", "deep/a"));
  EXPECT_THAT(order({"--sort", "updates"}), ElementsAre("c", "deep/a", "b"));
  EXPECT_THAT(order({"--sort", "time"}), ElementsAre("c", "deep/a", "b"));
}

TEST_F(Runs, AreATableOfTheSettingsThatDiffer) {
  holds({"--format"});
  const Outcome table = runs();
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_EQ(table.err, "");
  for (const char* part : {"news bleu", "talks bleu", "finished", "at update"})
    EXPECT_THAT(table.out, HasSubstr(part));
  const auto lines = lines_of(runs({"--format", "tsv"}).out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0],
            "run\tstate\tupdates\tseconds\tmetric\tbest\tbest_update\ttest.news.bleu\t"
            "test.talks.bleu\tseed\tmodel.encoder.layers");
  EXPECT_EQ(lines[1], "b\tstopped\t200\t200\tbleu\t30\t200\t\t\t1\t1");
  EXPECT_EQ(lines[3], "c\tstopped\t500\t500\tbleu\t10\t200\t22.5\t17\t2\t1");
}

// Scores 30 and 10: deviation 20 / √2.
TEST_F(Runs, ThatDifferBySeedAreGrouped) {
  holds({"--group"});
  EXPECT_THAT(runs({"--group"}).out, HasSubstr("20.00 ± 14.14"));
  EXPECT_EQ(lines_of(runs({"--group", "--format", "tsv"}).out)[0],
            "run\truns\tstate\tupdates\tseconds\tmetric\tbest\tbest_deviation\tbest_update\t"
            "test.news.bleu\ttest.news.bleu_deviation\ttest.talks.bleu\ttest.talks.bleu_deviation\t"
            "model.encoder.layers");
}

TEST_F(Runs, WithoutRunsAreRefused) {
  std::filesystem::create_directories(folder_ / "none");
  EXPECT_FAILS(run_heed({"runs", folder_ / "none"}), 4, "has no runs");
  EXPECT_FAILS(run_heed({"runs", folder_ / "gone"}), 4, "is not a folder");
  const Outcome some = run_heed({"runs", "runs/b", "none"}, {.folder = folder_.path()});
  EXPECT_EQ(some.exit_code, 0);
  EXPECT_THAT(some.err, HasSubstr("warning: none: has no runs"));
}

TEST_F(Runs, InAFolderThatCannotBeReadAreAWarning) {
  SKIP_WITHOUT_TENSORS();  // asan has to be the first library
  const auto list_without = [this](const std::string& unreadable) {
    const Fault fault{.what = std::to_string(EACCES), .at = 1, .folder = folder_ / unreadable};
    return run_heed({"runs", "runs", "--format", "json"},
                    {.environment = environment_of(fault), .folder = folder_.path()});
  };
  fs::create_directories(folder_ / "runs/lost");
  for (const std::string unreadable : {"runs/lost", "runs/b/checkpoints", "runs/b/config.yaml"}) {
    const Outcome outcome = list_without(unreadable);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.err, HasSubstr(unreadable + ": cannot "));
    EXPECT_THAT(outcome.err, HasSubstr("Permission denied"));
    EXPECT_EQ(nlohmann::json::parse(outcome.out).size(), 3u);
  }
  EXPECT_EQ(list_without("runs").exit_code, 5) << "the folder itself";
}

}  // namespace
}  // namespace heed
