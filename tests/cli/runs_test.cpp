// `heed runs`: the table of the runs in a folder.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "cli/faults.h"
#include "cli/program.h"
#include "cli/run_lines.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string settings(int layers, const std::string& rate, const std::string& metric = "bleu") {
  return fmt::format(
      "seed: 1\nmodel: {{encoder: {{layers: {0}}}, decoder: {{layers: {0}}}}}\n"
      "train: {{optimizer: {{type: adam, rate: {1}}}, max_updates: 500, validate: {{metric: "
      "{2}}}}}\n",
      layers, rate, metric);
}

class Runs : public testing::Test {
 protected:
  Runs() {
    write("deep/a",
          train_line(400, 3) + validation_line(300, 20, true) + validation_line(400, 19, false) +
              end_line(400, "finished"),
          settings(2, "0.001"), 300);
    write("b", train_line(200, 3) + validation_line(200, 30, true), settings(1, "0.001"), 200);
    write("c", train_line(500, 3), settings(1, "0.002"));
    write("d", train_line(300, 3) + validation_line(100, 10, true) + end_line(300, "diverged"),
          settings(1, "0.001"));
    write("e", train_line(20, 3), settings(1, "0.001"));
    std::filesystem::remove_all(folder_ / "runs/e/checkpoints");
  }
  void write(const std::string& name, const std::string& lines, const std::string& config,
             int best = 100) {
    write_run(folder_ / ("runs/" + name), lines, config, best);
  }
  Outcome runs(const Arguments& arguments = {}) const {
    return run_heed(joined({"runs", "runs"}, arguments), {.folder = folder_.path()});
  }
  nlohmann::json json(const Arguments& arguments = {}) const {
    const Outcome outcome = runs(joined({"--format", "json"}, arguments));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
  std::vector<std::string> order(const Arguments& arguments = {}) const {
    std::vector<std::string> names;
    for (const auto& run : json(arguments)) names.push_back(run["run"]);
    return names;
  }
  nlohmann::json one(const std::string& name) const {
    for (const auto& run : json()) {
      if (run["run"] == name) return run;
    }
    return nullptr;
  }
  TemporaryFolder folder_;
};

TEST_F(Runs, AreSortedByTheBestScore) {
  holds({"heed runs", "--sort"});
  EXPECT_THAT(order(), ElementsAre("b", "deep/a", "d", "c", "e"));
  EXPECT_THAT(order({"--sort", "name"}), ElementsAre("b", "c", "d", "deep/a", "e"));
  EXPECT_THAT(order({"--sort", "updates"}), ElementsAre("c", "deep/a", "d", "b", "e"));
  EXPECT_THAT(order({"--sort", "time"}), ElementsAre("c", "deep/a", "d", "b", "e"));
}

TEST_F(Runs, OfALossTheLowestIsBest) {
  for (const char* name : {"deep/a", "b", "c", "d", "e"})
    std::filesystem::remove_all(folder_ / "runs" / name);
  const auto loss_line = [](double loss) {
    return fmt::format(R"({{"kind":"validation","update":100,"loss":{},"best":true,"seconds":1}})"
                       "\n",
                       loss);
  };
  write("x", loss_line(2.5), settings(1, "0.001", "loss"));
  write("y", loss_line(1.5), settings(1, "0.002", "loss"));
  EXPECT_THAT(order(), ElementsAre("y", "x"));
}

TEST_F(Runs, AreWarnedOfWhereTheirScoresCannotBeCompared) {
  const auto line = [](const std::string& set, const std::string& bleu) {
    return fmt::format(R"({{"kind":"validation","update":100,"loss":2,"bleu":9,"set":"{}",)"
                       R"("settings":{{"bleu":"{}"}},"best":true,"seconds":1}})"
                       "\n",
                       set, bleu);
  };
  const auto anew = [this](const std::string& lines, const std::string& config) {
    std::filesystem::remove_all(folder_ / "runs/z");
    write("z", lines, config);
  };
  write("x", line("one", "usual"), settings(1, "0.001"));
  write("y", line("one", "usual"), settings(1, "0.002"));
  EXPECT_THAT(runs().err, Not(HasSubstr("cannot be compared")));
  anew(line("one", "char"), settings(1, "0.003"));
  const std::string warning =
      "the best bleu of these runs cannot be compared, for their validation "
      "sets, or settings of the metric or of search, differ: ";
  EXPECT_THAT(runs().err, HasSubstr(warning + "z | x, y\n"));
  anew(line("two", "usual"), settings(1, "0.003"));
  EXPECT_THAT(runs().err, HasSubstr(warning + "x, y | z\n"));
  anew(line("two", "usual"), settings(1, "0.003", "loss"));
  EXPECT_THAT(runs().err, Not(HasSubstr("cannot be compared")));
}

TEST_F(Runs, HaveTheirStateAndBestScore) {
  EXPECT_EQ(one("deep/a")["state"], "finished");
  EXPECT_EQ(one("b")["state"], "stopped");
  EXPECT_EQ(one("c")["state"], "stopped") << "at max_updates, but without a line of its end";
  EXPECT_EQ(one("d")["state"], "diverged");
  EXPECT_EQ(one("e")["state"], "no checkpoint");
  EXPECT_EQ(one("deep/a")["best"], 20);
  EXPECT_EQ(one("deep/a")["best_update"], 300);
  EXPECT_EQ(one("deep/a")["updates"], 400);
  EXPECT_EQ(one("deep/a")["seconds"], 400);
  EXPECT_TRUE(one("c")["best"].is_null());
}

// The best score is at update 500 of 500, whose checkpoint could not be saved.
TEST_F(Runs, ABestScoreHasACheckpoint) {
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
TEST_F(Runs, TheBestScoreIsThatOfTheCheckpointThatBestNames) {
  const fs::path run = folder_ / "runs/deep/a";
  fs::create_directories(run / "checkpoints/step-00000400");
  EXPECT_EQ(one("deep/a")["best"], 20);
  replace_link(run / "best", "checkpoints/step-00000400");
  EXPECT_EQ(one("deep/a")["best"], 19);
}

TEST_F(Runs, AreRunningWhileAProcessHoldsTheirLock) {
  const int lock = open((folder_ / "runs/b").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(one("b")["state"], "running");
  close(lock);
  EXPECT_EQ(one("b")["state"], "stopped");
}

TEST_F(Runs, ShowTheSettingsThatDiffer) {
  EXPECT_EQ(one("deep/a")["settings"], (nlohmann::json{{"model.encoder.layers", 2},
                                                       {"model.decoder.layers", 2},
                                                       {"train.optimizer.rate", 0.001}}));
  const std::string table = runs().out;
  EXPECT_THAT(table, HasSubstr("at update  encoder.layers\n"));
  EXPECT_THAT(table, HasSubstr("decoder.layers  rate\n")) << "no other key ends so";
  EXPECT_THAT(table, Not(HasSubstr("seed")));
}

TEST_F(Runs, ATypeHasTheNameOfWhatItIsOf) {
  for (const char* name : {"deep/a", "b", "c", "d", "e"})
    std::filesystem::remove_all(folder_ / "runs" / name);
  for (const char* score : {"general", "additive"})
    write(score, validation_line(100, 20, true),
          fmt::format("model: {{encoder: {{type: rnn}}, decoder: {{type: rnn, attention: {{score: "
                      "{{type: {}}}}}}}}}\ntrain: {{validate: {{metric: bleu}}}}\n",
                      score));
  EXPECT_THAT(runs().out, HasSubstr("at update  score\n"));
  EXPECT_THAT(runs({"--format", "tsv"}).out, HasSubstr("\tmodel.decoder.attention.score.type\n"));
}

TEST_F(Runs, TablesFitIntoEightyColumns) {
  const std::string name(50, 'n');
  write(name + "é", train_line(200, 3) + validation_line(200, 31, true), settings(3, "0.00001"),
        200);
  const std::string table = runs().out;
  for (const std::string& line : lines_of(table)) EXPECT_LE(display_width(line), 80u) << line;
  EXPECT_THAT(table, HasSubstr("…" + std::string(20, 'n')));
  EXPECT_THAT(table, HasSubstr("finished"));
  const size_t part = 1 + order().size() + 1;
  EXPECT_EQ(lines_of(table).size(), 3 * part - 1) << "parts below each other, a line apart";
}

TEST_F(Runs, TsvHasEverythingOnOneLineARun) {
  holds({"--format"});
  const auto lines = lines_of(runs({"--format", "tsv"}).out);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0],
            "run\tstate\tupdates\tseconds\tmetric\tbest\tbest_update\tmodel.encoder.layers\t"
            "model.decoder.layers\ttrain.optimizer.rate");
  EXPECT_EQ(lines[1], "b\tstopped\t200\t200\tbleu\t30\t200\t1\t1\t0.001");
  EXPECT_EQ(lines[4], "c\tstopped\t500\t500\tbleu\t\t\t1\t1\t0.002");
}

TEST_F(Runs, ARunThatCannotBeReadIsStillListed) {
  write_plainly(folder_ / "runs/b/config.yaml", "{{{");
  write_plainly(folder_ / "runs/b/metrics.jsonl", "no json\n");
  EXPECT_EQ(one("b")["updates"], 200) << "of its checkpoint";
  EXPECT_EQ(order().size(), 5u);
}

TEST_F(Runs, AFolderThatCannotBeReadIsAWarning) {
  SKIP_WITHOUT_TENSORS();  // asan has to be the first library
  const auto listed = [this](const std::string& unreadable) {
    const Fault fault{
        .what = std::to_string(EACCES), .at = 1, .folder = folder_ / ("runs/" + unreadable)};
    const Outcome outcome =
        run_heed({"runs", "runs", "--format", "json"},
                 {.environment = environment_of(fault), .folder = folder_.path()});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("runs/" + unreadable + ": cannot "));
    EXPECT_THAT(outcome.err, HasSubstr("Permission denied"));
    return nlohmann::json::parse(outcome.out).size();
  };
  fs::create_directories(folder_ / "runs/lost");
  EXPECT_EQ(listed("lost"), 5u);
  EXPECT_EQ(listed("b/checkpoints"), 5u);
  EXPECT_EQ(listed("b/config.yaml"), 5u);
  EXPECT_EQ(run_heed({"runs", "runs"},
                     {.environment = environment_of(
                          {.what = std::to_string(EACCES), .at = 1, .folder = folder_ / "runs"}),
                      .folder = folder_.path()})
                .exit_code,
            5)
      << "the folder itself";
}

TEST_F(Runs, AFolderMayBeARunItself) {
  const Outcome outcome = run_heed({"runs", "runs/b"}, {.folder = folder_.path()});
  EXPECT_THAT(outcome.out, HasSubstr("b    stopped"));
}

TEST_F(Runs, AFolderWithoutRunsIsRefused) {
  std::filesystem::create_directories(folder_ / "none");
  EXPECT_FAILS(run_heed({"runs", (folder_ / "none").string()}), 4, "has no runs");
  EXPECT_FAILS(run_heed({"runs", (folder_ / "gone").string()}), 4, "is not a folder");
}

class SeveralFolders : public Runs {
 protected:
  // Names of runs; `err` receives standard error.
  std::vector<std::string> names(const Arguments& folders, std::string* err = nullptr) const {
    const Outcome outcome =
        run_heed(joined({"runs", "--format", "json", "--sort", "name"}, folders),
                 {.folder = folder_.path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    if (err != nullptr) *err = outcome.err;
    std::vector<std::string> found;
    for (const auto& run : nlohmann::json::parse(outcome.out)) found.push_back(run["run"]);
    return found;
  }
};

TEST_F(SeveralFolders, AreListedTogetherAndEachRunOnce) {
  EXPECT_THAT(names({"runs/b", "runs/deep"}), ElementsAre("b", "deep/a"));
  EXPECT_THAT(names({"runs/b", "runs/c/", "runs/../runs/b"}), ElementsAre("b", "c"));
  write_run(folder_ / "more/b", train_line(20, 3), settings(1, "0.001"));
  EXPECT_THAT(names({"more", "runs/b"}), ElementsAre("more", "runs"));
  EXPECT_THAT(names({"runs", "more"}),
              ElementsAre("more/b", "runs/b", "runs/c", "runs/d", "runs/deep/a", "runs/e"));
}

// A pattern such as runs/* gives these names too.
TEST_F(SeveralFolders, WithoutRunsAreWarnedOf) {
  write_plainly(folder_ / "runs/notes.txt", "");
  fs::create_directories(folder_ / "runs/empty");
  std::string err;
  EXPECT_THAT(names({"runs/b", "runs/empty", "runs/notes.txt"}, &err), ElementsAre("b"));
  EXPECT_THAT(err, HasSubstr("warning: runs/empty: has no runs"));
  EXPECT_THAT(err, HasSubstr("warning: runs/notes.txt: is not a folder"));
  const Outcome none = run_heed({"runs", "runs/empty", "gone"}, {.folder = folder_.path()});
  EXPECT_EQ(none.exit_code, 4);
  EXPECT_THAT(none.err, HasSubstr("heed: none of these 2 folders has a run"));
}

class TestScores : public Runs {
 protected:
  TestScores() {
    write("x",
          validation_line(100, 30, true) + test_line(100, "news", 11) +
              validation_line(200, 31, true) + test_line(200, "news", 21.5) +
              test_line(200, "talks", 17) + test_line(200, "news", 22.5),
          settings(1, "0.001"), 200);
    write("y", validation_line(100, 30, true) + test_line(100, "news", 12), settings(1, "0.002"));
    for (const char* name : {"deep/a", "b", "c", "d", "e"})
      std::filesystem::remove_all(folder_ / "runs" / name);
  }
};

TEST_F(TestScores, AreThoseOfTheBestCheckpoint) {
  EXPECT_EQ(one("x")["test"],
            (nlohmann::json{{"news", {{"bleu", 22.5}}}, {"talks", {{"bleu", 17}}}}));
  EXPECT_EQ(one("y")["test"], (nlohmann::json{{"news", {{"bleu", 12}}}}));
  fs::create_directories(folder_ / "runs/x/checkpoints/step-00000100");
  replace_link(folder_ / "runs/x/best", "checkpoints/step-00000100");
  EXPECT_EQ(one("x")["test"], (nlohmann::json{{"news", {{"bleu", 11}}}}));
}

TEST_F(TestScores, WithoutValidationAreThoseOfTheLastCheckpointTested) {
  write("z", train_line(300, 2) + test_line(100, "news", 1) + test_line(300, "news", 2),
        settings(1, "0.003"), 300);
  EXPECT_EQ(one("z")["test"], (nlohmann::json{{"news", {{"bleu", 2}}}}));
}

TEST_F(TestScores, StandInTheTableAndInTsv) {
  const std::string table = runs().out;
  EXPECT_THAT(table, HasSubstr("news bleu"));
  EXPECT_THAT(table, HasSubstr("talks bleu"));
  const auto lines = lines_of(runs({"--format", "tsv"}).out);
  EXPECT_EQ(lines[0],
            "run\tstate\tupdates\tseconds\tmetric\tbest\tbest_update\ttest.news.bleu\t"
            "test.talks.bleu\ttrain.optimizer.rate");
  EXPECT_EQ(lines[1], "x\tstopped\t500\t200\tbleu\t31\t200\t22.5\t17\t0.001");
  EXPECT_EQ(lines[2], "y\tstopped\t500\t100\tbleu\t30\t100\t12\t\t0.002");
}

TEST_F(TestScores, OfOtherSettingsOfTheMetricAreWarnedOf) {
  EXPECT_EQ(runs().err, "");
  const auto add = [this](const std::string& signature) {
    std::filesystem::remove_all(folder_ / "runs/z");
    write("z", validation_line(100, 30, true) + test_line(100, "news", 12, signature),
          settings(1, "0.003"));
    return runs().err;
  };
  EXPECT_EQ(add("BLEU|nrefs:1|version:heed-9.9.9"), "");
  EXPECT_THAT(add("BLEU|nrefs:2|version:heed-0.1.0"),
              HasSubstr("the bleu of news cannot be compared, for the settings of the metric "
                        "differ: x, y | z\n"));
}

// Scores 20, 22 and 27: mean 23, sample variance (9 + 1 + 16) / 2 = 13.
class Groups : public Runs {
 protected:
  Groups() {
    for (const char* name : {"deep/a", "b", "c", "d", "e"})
      std::filesystem::remove_all(folder_ / "runs" / name);
    seed(1, 20);
    seed(2, 22);
    seed(13, 27);
    write("large", validation_line(100, 21, true) + end_line(100, "finished"),
          settings(2, "0.001"));
  }
  void seed(int number, double bleu) {
    std::string config = settings(1, "0.001");
    config.replace(config.find("seed: 1"), 7, fmt::format("seed: {}", number));
    write(fmt::format("base-{}", number),
          validation_line(100, bleu, true) + test_line(100, "news", bleu / 2) +
              end_line(100, "finished"),
          config);
  }
};

TEST_F(Groups, OfRunsThatDifferBySeedHaveMeanAndDeviation) {
  holds({"--group"});
  const auto rows = json({"--group"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["run"], "base-{1,13,2}") << "the higher mean first, though one run is lower";
  EXPECT_EQ(rows[0]["runs"], (nlohmann::json{"base-1", "base-13", "base-2"}));
  EXPECT_EQ(rows[0]["seeds"], (nlohmann::json{1, 13, 2}));
  EXPECT_EQ(rows[0]["state"], "finished");
  EXPECT_EQ(rows[0]["best"], 23);
  EXPECT_DOUBLE_EQ(rows[0]["best_deviation"], std::sqrt(13.0));
  EXPECT_EQ(rows[0]["test"]["news"]["bleu"], 11.5);
  EXPECT_DOUBLE_EQ(rows[0]["test"]["news"]["bleu_deviation"], std::sqrt(13.0) / 2);
  EXPECT_EQ(rows[1]["run"], "large");
  EXPECT_EQ(rows[1]["best"], 21);
  EXPECT_TRUE(rows[1]["best_deviation"].is_null());
  EXPECT_EQ(rows[0]["settings"],
            (nlohmann::json{{"model.encoder.layers", 1}, {"model.decoder.layers", 1}}));
  EXPECT_THAT(runs({"--group"}).out, HasSubstr("23.00 ± 3.61"));
  EXPECT_EQ(lines_of(runs({"--group", "--format", "tsv"}).out)[0],
            "run\truns\tstate\tupdates\tseconds\tmetric\tbest\tbest_deviation\tbest_update\t"
            "test.news.bleu\ttest.news.bleu_deviation\tmodel.encoder.layers\tmodel.decoder.layers");
}

TEST_F(Groups, SayWhatTheirMeanLeavesOutAndCountsTwice) {
  EXPECT_EQ(runs({"--group"}).err, "");
  std::filesystem::remove_all(folder_ / "runs/base-13");
  write("base-3", train_line(50, 3), "seed: 3\n" + settings(1, "0.001").substr(8));
  write("copy", validation_line(100, 20, true), settings(1, "0.001"));
  const Outcome outcome = runs({"--group"});
  EXPECT_THAT(outcome.err, HasSubstr("base-1, copy have the same seed, 1, and each counts"));
  EXPECT_THAT(outcome.err, HasSubstr("the mean is without base-3, which has no score yet"));
  EXPECT_EQ(json({"--group"})[1]["state"], "finished 2, stopped 2");
}

TEST_F(Groups, LeaveRunsInTrainingOutOfTheMean) {
  const int lock = open((folder_ / "runs/base-13").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  const auto group = json({"--group"})[0];
  EXPECT_EQ(group["runs"].size(), 3u);
  EXPECT_EQ(group["state"], "running 1, finished 2");
  EXPECT_EQ(group["best"], 21);
  EXPECT_DOUBLE_EQ(group["best_deviation"], std::sqrt(2.0));
  EXPECT_EQ(group["test"]["news"]["bleu"], 10.5);
  EXPECT_THAT(runs({"--group"}).err,
              HasSubstr("base-{1,13,2}: the means are without base-13, still in training"));
  for (const char* name : {"base-1", "base-2"})
    std::filesystem::remove_all(folder_ / "runs" / name);
  EXPECT_EQ(json({"--group"})[0]["best"], 27) << "of itself";
  close(lock);
}

TEST_F(Groups, ThatAreNoneAreWarnedOf) {
  const Outcome outcome =
      run_heed({"runs", "runs/large", "runs/base-1", "--group"}, {.folder = folder_.path()});
  EXPECT_THAT(outcome.err, HasSubstr("no two of these runs differ by `seed` alone"));
}

}  // namespace
}  // namespace heed
