// heed runs: the table of the runs in a folder.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include <cerrno>
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

// Of update 500 of 500, which could not be saved.
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

// As --resume leaves it where the best checkpoint is damaged.
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
  SKIP_WITHOUT_TENSORS();  // asan bears no other library before it
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
  EXPECT_FAILS(run_heed({"runs", (folder_ / "gone").string()}), 4, "is no folder");
}

}  // namespace
}  // namespace heed
