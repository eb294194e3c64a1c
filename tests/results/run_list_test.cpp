// Runs in folders, and the tables of them and of groups that differ by seed.
#include "results/run_list.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "base/utf8.h"
#include "captured_log.h"
#include "results/run_lines.h"
#include "results/run_table.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ListedRuns : public testing::Test {
 protected:
  using Names = std::vector<std::string>;

  static std::string settings(int layers, const std::string& rate, int seed = 1,
                              const std::string& metric = "bleu") {
    return fmt::format(
        "seed: {0}\nmodel: {{encoder: {{layers: {1}}}, decoder: {{layers: {1}}}}}\n"
        "train: {{optimizer: {{type: adam, rate: {2}}}, max_updates: 500, validate: {{metric: "
        "{3}}}}}\n",
        seed, layers, rate, metric);
  }
  void write(const std::string& name, const std::string& lines, const std::string& config,
             int best = 100) const {
    write_run(folder_ / ("runs/" + name), lines, config, best);
  }
  // Five runs in different states.
  void write_five() const {
    write("deep/a",
          train_line(400, 3) + validation_line(300, 20, true) + validation_line(400, 19, false) +
              end_line(400, "finished"),
          settings(2, "0.001"), 300);
    write("b", train_line(200, 3) + validation_line(200, 30, true), settings(1, "0.001"), 200);
    write("c", train_line(500, 3), settings(1, "0.002"));
    write("d", train_line(300, 3) + validation_line(100, 10, true) + end_line(300, "diverged"),
          settings(1, "0.001"));
    write("e", train_line(20, 3), settings(1, "0.001"));
    fs::remove_all(folder_ / "runs/e/checkpoints");
  }
  std::vector<RunSummary> list(const Names& folders = {"runs"}) const {
    Names paths;
    for (const std::string& name : folders) paths.push_back(folder_ / name);
    return list_runs(paths);
  }
  RunTable table(bool grouped = false, RunOrder order = RunOrder::kScore) const {
    RunTable table{grouped ? group_by_seed(list()) : single_runs(list()), grouped};
    sort_groups(table.rows, order);
    return table;
  }
  json rows(bool grouped = false, RunOrder order = RunOrder::kScore) const {
    return json::parse(json_table(table(grouped, order)));
  }
  Names order(RunOrder by = RunOrder::kScore) const {
    Names names;
    for (const json& run : rows(false, by)) names.push_back(run["run"]);
    return names;
  }
  json one(const std::string& name) const {
    for (const json& run : rows()) {
      if (run["run"] == name) return run;
    }
    return nullptr;
  }
  // Warnings of a list, and of groups.
  std::string warnings(bool grouped = false) const {
    CapturedLog log;
    warn_of_scales(list());
    table(grouped);
    return log.end();
  }
  TemporaryFolder folder_;
};

// Holds the lock of a run as the process that trains it does.
class HeldLock {
 public:
  explicit HeldLock(const fs::path& run) : file_(open(run.c_str(), O_RDONLY | O_DIRECTORY)) {
    EXPECT_EQ(flock(file_, LOCK_EX | LOCK_NB), 0);
  }
  ~HeldLock() { close(file_); }
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;

 private:
  int file_;
};

TEST_F(ListedRuns, AreSorted) {
  write_five();
  EXPECT_THAT(order(), ElementsAre("b", "deep/a", "d", "c", "e"));
  EXPECT_THAT(order(RunOrder::kName), ElementsAre("b", "c", "d", "deep/a", "e"));
  EXPECT_THAT(order(RunOrder::kUpdates), ElementsAre("c", "deep/a", "d", "b", "e"));
  EXPECT_THAT(order(RunOrder::kTime), ElementsAre("c", "deep/a", "d", "b", "e"));
}

TEST_F(ListedRuns, OfALossTheLowestIsBest) {
  for (const auto& [name, loss] : {std::pair{"x", 2.5}, {"y", 1.5}})
    write(name,
          fmt::format(R"({{"kind":"validation","update":100,"loss":{},"best":true,"seconds":1}})"
                      "\n",
                      loss),
          settings(1, "0.001", 1, "loss"));
  EXPECT_THAT(order(), ElementsAre("y", "x"));
}

TEST_F(ListedRuns, AreWarnedOfWhereTheirScoresCannotBeCompared) {
  const auto line = [](const std::string& set, const std::string& bleu) {
    return fmt::format(R"({{"kind":"validation","update":100,"loss":2,"bleu":9,"set":"{}",)"
                       R"("settings":{{"bleu":"{}"}},"best":true,"seconds":1}})"
                       "\n",
                       set, bleu);
  };
  const auto with = [&](const std::string& lines, const std::string& metric) {
    fs::remove_all(folder_ / "runs/z");
    write("z", lines, settings(1, "0.003", 1, metric));
    return warnings();
  };
  write("x", line("one", "usual"), settings(1, "0.001"));
  write("y", line("one", "usual"), settings(1, "0.002"));
  EXPECT_EQ(warnings(), "");
  const std::string warning =
      "the best bleu of these runs cannot be compared, for their validation "
      "sets, or settings of the metric or of search, differ: ";
  EXPECT_THAT(with(line("one", "char"), "bleu"), HasSubstr(warning + "z | x, y\n"));
  EXPECT_THAT(with(line("two", "usual"), "bleu"), HasSubstr(warning + "x, y | z\n"));
  EXPECT_EQ(with(line("two", "usual"), "loss"), "");
}

TEST_F(ListedRuns, HaveTheirStateAndBestScore) {
  write_five();
  EXPECT_EQ(one("deep/a")["state"], "finished");
  EXPECT_EQ(one("c")["state"], "stopped") << "at max_updates, but without a line of its end";
  EXPECT_EQ(one("d")["state"], "diverged");
  EXPECT_EQ(one("e")["state"], "no checkpoint");
  EXPECT_EQ(one("deep/a")["best"], 20);
  EXPECT_EQ(one("deep/a")["best_update"], 300);
  EXPECT_EQ(one("deep/a")["updates"], 400);
  EXPECT_EQ(one("deep/a")["seconds"], 400);
  EXPECT_TRUE(one("c")["best"].is_null());
  {
    const HeldLock lock(folder_ / "runs/b");
    EXPECT_EQ(one("b")["state"], "running");
  }
  EXPECT_EQ(one("b")["state"], "stopped");
}

// The best score is at update 500 of 500, whose checkpoint could not be saved.
TEST_F(ListedRuns, HaveACheckpointOfTheirBestScore) {
  write("full", validation_line(300, 96.5, true) + validation_line(500, 100, true),
        settings(1, "0.001"), 300);
  const fs::path run = folder_ / "runs/full";
  const auto expect_best = [&](const char* what) {
    EXPECT_EQ(one("full")["state"], "stopped") << what;
    EXPECT_EQ(one("full")["best"], 96.5) << what;
    EXPECT_EQ(one("full")["best_update"], 300) << what;
  };
  expect_best("the link is there");
  fs::create_directories(run / "checkpoints/.step-00000500.abcdef.tmp");
  fs::remove(run / "best");
  expect_best("a copy without the link, and what a killed writer left");
  fs::remove_all(run / "checkpoints/step-00000300");
  EXPECT_TRUE(one("full")["best"].is_null());
  EXPECT_EQ(one("full")["state"], "no checkpoint");
}

// --resume changes the link in this way if the best checkpoint is damaged.
TEST_F(ListedRuns, HaveTheScoresOfTheCheckpointThatBestNames) {
  write("x",
        validation_line(100, 19, true) + test_line(100, "news", 11) +
            validation_line(200, 20, true) + test_line(200, "news", 21.5) +
            test_line(200, "talks", 17) + test_line(200, "news", 22.5),
        settings(1, "0.001"), 200);
  EXPECT_EQ(one("x")["best"], 20);
  EXPECT_EQ(one("x")["test"], (json{{"news", {{"bleu", 22.5}}}, {"talks", {{"bleu", 17}}}}));
  fs::create_directories(folder_ / "runs/x/checkpoints/step-00000100");
  replace_link(folder_ / "runs/x/best", "checkpoints/step-00000100");
  EXPECT_EQ(one("x")["best"], 19);
  EXPECT_EQ(one("x")["test"], (json{{"news", {{"bleu", 11}}}}));
}

TEST_F(ListedRuns, WithoutValidationHaveTheTestScoresOfTheLastCheckpoint) {
  write("z", train_line(300, 2) + test_line(100, "news", 1) + test_line(300, "news", 2),
        settings(1, "0.003"), 300);
  EXPECT_EQ(one("z")["test"], (json{{"news", {{"bleu", 2}}}}));
}

TEST_F(ListedRuns, AreWarnedOfTestScoresOfOtherSettings) {
  const auto add = [this](const std::string& signature) {
    fs::remove_all(folder_ / "runs/z");
    write("z", validation_line(100, 30, true) + test_line(100, "news", 12, signature),
          settings(1, "0.003"));
    return warnings();
  };
  for (const char* name : {"x", "y"})
    write(name, validation_line(100, 30, true) + test_line(100, "news", 12), settings(1, "0.001"));
  EXPECT_EQ(add("BLEU|nrefs:1|version:heed-9.9.9"), "");
  EXPECT_THAT(add("BLEU|nrefs:2|version:heed-0.1.0"),
              HasSubstr("the bleu of news cannot be compared, for the settings of the metric "
                        "differ: x, y | z\n"));
}

TEST_F(ListedRuns, ShowTheSettingsThatDiffer) {
  write_five();
  EXPECT_EQ(one("deep/a")["settings"], (json{{"model.encoder.layers", 2},
                                             {"model.decoder.layers", 2},
                                             {"train.optimizer.rate", 0.001}}));
  const std::string text = text_table(table(), 80);
  EXPECT_THAT(text, HasSubstr("at update  encoder.layers\n"));
  EXPECT_THAT(text, HasSubstr("decoder.layers  rate\n")) << "no other key ends so";
  EXPECT_THAT(text, Not(HasSubstr("seed")));
}

TEST_F(ListedRuns, NameATypeByItsSection) {
  for (const char* score : {"general", "additive"})
    write(score, validation_line(100, 20, true),
          fmt::format("model: {{encoder: {{type: rnn}}, decoder: {{type: rnn, attention: {{score: "
                      "{{type: {}}}}}}}}}\ntrain: {{validate: {{metric: bleu}}}}\n",
                      score));
  EXPECT_THAT(text_table(table(), 80), HasSubstr("at update  score\n"));
  EXPECT_THAT(tsv_text(records_of(table())), HasSubstr("\tmodel.decoder.attention.score.type\n"));
}

TEST_F(ListedRuns, FitIntoTheWidthOfTheTable) {
  write_five();
  write(std::string(50, 'n') + "é", train_line(200, 3) + validation_line(200, 31, true),
        settings(3, "0.00001"), 200);
  const std::string text = text_table(table(), 80);
  std::istringstream lines(text);
  int64_t count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_LE(display_width(line), 80u) << line;
  EXPECT_THAT(text, HasSubstr("…" + std::string(20, 'n')));
  EXPECT_EQ(count, 3 * (1 + 6 + 1) - 1) << "parts below each other, a line apart";
}

TEST_F(ListedRuns, ThatCannotBeReadAreStillThere) {
  write_five();
  write_plainly(folder_ / "runs/b/config.yaml", "{{{");
  write_plainly(folder_ / "runs/b/metrics.jsonl", "no json\n");
  EXPECT_EQ(one("b")["updates"], 200) << "of its checkpoint";
  EXPECT_EQ(order().size(), 5u);
}

TEST_F(ListedRuns, OfSeveralFoldersAreListedOnce) {
  write_five();
  const auto names = [this](const Names& folders) {
    std::set<std::string> found;
    for (const RunSummary& run : list(folders)) found.insert(run.name);
    return found;
  };
  EXPECT_THAT(names({"runs/b"}), ElementsAre("b")) << "a folder may be a run itself";
  EXPECT_THAT(names({"runs/b", "runs/deep"}), ElementsAre("b", "deep/a"));
  EXPECT_THAT(names({"runs/b", "runs/c/", "runs/../runs/b"}), ElementsAre("b", "c"));
  write_run(folder_ / "more/b", train_line(20, 3), settings(1, "0.001"));
  EXPECT_THAT(names({"more", "runs/b"}), ElementsAre("more", "runs"));
  EXPECT_THAT(names({"runs", "more"}),
              ElementsAre("more/b", "runs/b", "runs/c", "runs/d", "runs/deep/a", "runs/e"));
}

// A pattern such as runs/* gives these names too.
TEST_F(ListedRuns, FoldersWithoutThemAreWarnedOf) {
  write_five();
  write_plainly(folder_ / "runs/notes.txt", "");
  fs::create_directories(folder_ / "runs/empty");
  CapturedLog log;
  EXPECT_EQ(list({"runs/b", "runs/empty", "runs/notes.txt"}).size(), 1u);
  EXPECT_THAT(log.end(), testing::AllOf(HasSubstr("runs/empty: has no runs"),
                                        HasSubstr("runs/notes.txt: is not a folder")));
  EXPECT_ERROR(list({"runs/empty", "gone"}), ErrorKind::kModel,
               "none of these 2 folders has a run");
  EXPECT_ERROR(list({"runs/empty"}), ErrorKind::kModel, "has no runs");
  EXPECT_ERROR(list({"gone"}), ErrorKind::kModel, "is not a folder");
}

// Scores 20, 22 and 27: mean 23, sample variance (9 + 1 + 16) / 2 = 13.
class SeedGroups : public ListedRuns {
 protected:
  SeedGroups() {
    write_seed(1, 20);
    write_seed(2, 22);
    write_seed(13, 27);
    write("large", validation_line(100, 21, true) + end_line(100, "finished"),
          settings(2, "0.001"));
  }
  void write_seed(int seed, double bleu) const {
    write(fmt::format("base-{}", seed),
          validation_line(100, bleu, true) + test_line(100, "news", bleu / 2) +
              end_line(100, "finished"),
          settings(1, "0.001", seed));
  }
};

TEST_F(SeedGroups, HaveMeanAndDeviation) {
  const json found = rows(true);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]["run"], "base-{1,13,2}") << "the higher mean first, though one run is lower";
  EXPECT_EQ(found[0]["runs"], (json{"base-1", "base-13", "base-2"}));
  EXPECT_EQ(found[0]["seeds"], (json{1, 13, 2}));
  EXPECT_EQ(found[0]["state"], "finished");
  EXPECT_EQ(found[0]["best"], 23);
  EXPECT_DOUBLE_EQ(found[0]["best_deviation"], std::sqrt(13.0));
  EXPECT_EQ(found[0]["test"]["news"]["bleu"], 11.5);
  EXPECT_DOUBLE_EQ(found[0]["test"]["news"]["bleu_deviation"], std::sqrt(13.0) / 2);
  EXPECT_EQ(found[1]["run"], "large");
  EXPECT_EQ(found[1]["best"], 21);
  EXPECT_TRUE(found[1]["best_deviation"].is_null());
  EXPECT_EQ(found[0]["settings"], (json{{"model.encoder.layers", 1}, {"model.decoder.layers", 1}}));
}

TEST_F(SeedGroups, SayWhatTheirMeanLeavesOutAndCountsTwice) {
  EXPECT_EQ(warnings(true), "");
  fs::remove_all(folder_ / "runs/base-13");
  write("base-3", train_line(50, 3), settings(1, "0.001", 3));
  write("copy", validation_line(100, 20, true), settings(1, "0.001"));
  EXPECT_THAT(warnings(true),
              testing::AllOf(HasSubstr("base-1, copy have the same seed, 1, and each counts"),
                             HasSubstr("the mean is without base-3, which has no score yet")));
  EXPECT_EQ(rows(true)[1]["state"], "finished 2, stopped 2");
}

TEST_F(SeedGroups, LeaveRunsInTrainingOutOfTheMean) {
  const HeldLock lock(folder_ / "runs/base-13");
  const json group = rows(true)[0];
  EXPECT_EQ(group["runs"].size(), 3u);
  EXPECT_EQ(group["state"], "running 1, finished 2");
  EXPECT_EQ(group["best"], 21);
  EXPECT_DOUBLE_EQ(group["best_deviation"], std::sqrt(2.0));
  EXPECT_EQ(group["test"]["news"]["bleu"], 10.5);
  EXPECT_THAT(warnings(true),
              HasSubstr("base-{1,13,2}: the means are without base-13, still in training"));
  for (const char* name : {"base-1", "base-2"}) fs::remove_all(folder_ / "runs" / name);
  EXPECT_EQ(rows(true)[0]["best"], 27) << "of itself";
}

TEST_F(SeedGroups, ThatAreNoneAreWarnedOf) {
  for (const char* name : {"base-1", "base-2"}) fs::remove_all(folder_ / "runs" / name);
  EXPECT_THAT(warnings(true), HasSubstr("no two of these runs differ by `seed` alone"));
}

}  // namespace
}  // namespace heed
