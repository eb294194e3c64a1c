// `heed sweep`: each setting and seed has its own process. A kill of any process loses nothing.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include <nlohmann/json.hpp>

#include "base/random.h"
#include "cli/program.h"
#include "cli/toy_corpus.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kRecipe = R"(run: runs/toy
data:
  train: [{source: train.src, target: train.tgt}]
  valid: {source: valid.src, target: valid.tgt}
  test: {held: {source: valid.src, target: valid.tgt}}
text:
  source: {type: words}
  target: {share: source}
model:
  embedding: {width: 8}
  encoder: {type: rnn, cell: gru, layers: 1, width: 8}
  decoder: {type: rnn, cell: gru, layers: 1, width: 8, attend: after, attention: {score: dot}}
train:
  batch: {sentences: 16}
  optimizer: {type: adam, rate: 0.01}
  max_updates: 40
  validate: {every: 10, metric: loss, samples: 0}
  workers: 1
)";

constexpr const char* kGrid =
    "sweep:\n  seeds: [1, 2]\n  grid: {train.optimizer.rate: [0.01, 0.001]}\n";

class Sweep : public testing::Test {
 protected:
  Sweep() {
    for (const char* side : {"src", "tgt"}) {
      write_plainly(folder_ / (std::string("train.") + side), toy_lines(1, 200));
      write_plainly(folder_ / (std::string("valid.") + side), toy_lines(2, 10));
    }
    write(kGrid);
  }
  void write(const std::string& sweep) const {
    write_plainly(folder_ / "toy.yaml", kRecipe + sweep);
  }
  // A new process, whose children are the program again.
  RunSettings settings() const { return {.folder = folder_.path(), .anew = true}; }
  Outcome sweep(const Arguments& options = {}) const {
    return run_heed(joined({"sweep", "toy.yaml"}, options), settings());
  }
  nlohmann::json table(const Arguments& options = {}) const {
    const Outcome outcome = sweep(joined({"--format", "json"}, options));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  }
  std::filesystem::path run_folder(const std::string& name) const {
    return folder_ / ("runs/toy-sweep/" + name);
  }
  static std::vector<std::string> states(const nlohmann::json& table) {
    std::vector<std::string> states;
    for (const auto& row : table)
      states.push_back(row["setting"].get<std::string>() + ": " + row["state"].get<std::string>());
    return states;
  }
  static nlohmann::json without_seconds(nlohmann::json table) {
    for (auto& row : table) row.erase("seconds");
    return table;
  }
  std::string model(const std::string& run) const {
    return read_plainly(run_folder(run) / "latest/model/model.safetensors");
  }
  int64_t count_lines(const std::string& file) const {
    return std::ssize(lines_of(read_plainly(run_folder(file))));
  }
  TemporaryFolder folder_;
};

class TrainedSweep : public Sweep {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
};

TEST_F(Sweep, ListsItsRunsWithoutTraining) {
  holds({"--dry-run"});
  const Outcome outcome = sweep({"--dry-run"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[2], "# rate=0.01/2; train.optimizer.rate: 0.01");
  EXPECT_EQ(lines[3],
            "heed train toy.yaml --run runs/toy-sweep/rate=0.01/2 --auto-resume --set "
            "train.optimizer.rate=0.01 --set seed=2 --set 'sweep=~'");
  // The same as JSON and as a table.
  const auto runs = nlohmann::json::parse(sweep({"--dry-run", "--format", "json"}).out);
  const auto rows = lines_of(sweep({"--dry-run", "--format", "tsv"}).out);
  ASSERT_EQ(runs.size(), 4u);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0], "name\tsetting\tseed\tfolder\tstate\tsettings\tcommand");
  EXPECT_EQ(runs[1]["name"], "rate=0.01/2");
  EXPECT_EQ(runs[1]["settings"], nlohmann::json({{"train.optimizer.rate", "0.01"}}));
  for (size_t i = 0; i < runs.size(); ++i) {
    const std::string command = runs[i]["command"];
    EXPECT_EQ(command, lines[2 * i + 1]);
    EXPECT_EQ(runs[i]["state"], "new");
    EXPECT_EQ(rows[i + 1].substr(rows[i + 1].rfind('\t') + 1), command);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
}

TEST_F(Sweep, RefusesTheFolderOfATraining) {
  holds({"--run"});
  write("sweep: {seeds: [1, 2]}\n");
  std::filesystem::create_directory(folder_ / "run");
  write_plainly(folder_ / "run/metrics.jsonl", "{}\n");
  EXPECT_FAILS(sweep({"--run", "run"}), 2, "run: is the run of a training");
}

TEST_F(Sweep, FindsTheMistakesOfAllSettingsBeforeTheFirstTraining) {
  write(
      "sweep:\n  grid:\n    train.optimizer.rate: [0.01, x]\n    model.decoder.attention:\n"
      "      odd: {score: {type: dott}}\n      mixed: {score: {type: dot, wdth: 3}}\n");
  const Outcome outcome = sweep();
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("3 mistakes in toy.yaml"));
  EXPECT_THAT(outcome.err, HasSubstr("toy.yaml:21:34: sweep.grid.train.optimizer.rate[1]: found "
                                     "'x', expected a number"));
  EXPECT_THAT(outcome.err, HasSubstr("toy.yaml:23:27: sweep.grid.model.decoder.attention.odd.score"
                                     ".type: found 'dott'"));
  EXPECT_THAT(outcome.err, HasSubstr("mixed.score.wdth: unknown key"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "runs"));
}

TEST_F(Sweep, MayGiveWhatTheConfigLacks) {
  std::filesystem::create_directory(folder_ / "texts");
  for (const std::string name : {"train.src", "train.tgt", "valid.src", "valid.tgt"})
    std::filesystem::rename(folder_ / name, folder_ / "texts" / name);
  write("sweep: {grid: {data.dir: [texts]}}\n");
  const Outcome outcome = sweep({"--dry-run"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("# dir=texts/1; data.dir: texts"));
  // A mistake that no setting corrects is shown at its place, and alone.
  EXPECT_FAILS(sweep({"--set", "train.clip=x"}), 2, "--set train.clip: found 'x'");
}

TEST_F(Sweep, SaysWhichSettingCannotGoWithTheRest) {
  write("sweep: {settings: {good: {}, odd: {model.encoder: none}}}\n");
  const Outcome outcome = sweep();
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("sweep.settings.odd.model.encoder"));
}

TEST_F(Sweep, RefusesWhatItDecidesItself) {
  EXPECT_FAILS(sweep({"--set", "seed=3"}), 2, "--set seed: give sweep.seeds");
  EXPECT_FAILS(sweep({"--set", "train.optimizer.rate=1"}), 2,
               "--set train.optimizer.rate: is a key that the settings of the sweep change");
  EXPECT_FAILS(sweep({"--run", ""}), 2, "--run");
  write("");
  EXPECT_FAILS(sweep(), 2, "toy.yaml: has no section `sweep`");
  write("sweep: {grid: {data.dir: [a b, a/b]}}\n");
  const Outcome alike = sweep();
  EXPECT_EQ(alike.exit_code, 2);
  EXPECT_THAT(alike.err, HasSubstr("two settings have the name dir=a-b: give values names"));
}

TEST_F(Sweep, WantsAHalvingThatFitsTheValidations) {
  write("sweep: {grid: {train.clip: [1, 2]}, halving: {every: 15}}\n");
  EXPECT_FAILS(sweep(), 2,
               "sweep.halving.every: found 15, expected a multiple of "
               "train.validate.every, 10");
  write("sweep: {grid: {train.validate.metric: [loss, accuracy]}, halving: {every: 10}}\n");
  EXPECT_FAILS(sweep(), 2, "compares settings by train.validate.metric");
}

TEST_F(TrainedSweep, ScoresTheEnsembleOfTheSeeds) {
  holds({"sweep.ensemble"});
  const std::string valid = "train.validate.metric=chrf";
  write("sweep: {seeds: [1, 2], ensemble: true}\n");
  const nlohmann::json rows = table({"--set", valid});
  ASSERT_EQ(states(rows).size(), 2u);
  const auto& row = rows[0]["setting"] == "base" ? rows[1] : rows[0];
  const auto& base = rows[0]["setting"] == "base" ? rows[0] : rows[1];
  EXPECT_EQ(row["setting"], "base (ensemble)");
  EXPECT_EQ(row["seeds"], nlohmann::json({"1", "2"}));
  EXPECT_EQ(row["parameters"].get<int64_t>(), 2 * base["parameters"].get<int64_t>());
  // The same by the commands that a user would give.
  const Outcome evaluated =
      run_heed({"evaluate", "--model", "runs/toy-sweep/base/1", "runs/toy-sweep/base/2", "--source",
                "valid.src", "-r", "valid.tgt", "-m", "chrf", "--format", "json"},
               settings());
  const double score = nlohmann::json::parse(evaluated.out)[0]["score"];
  EXPECT_DOUBLE_EQ(row["scores"]["test.held.chrf"]["mean"].get<double>(), score);
  EXPECT_DOUBLE_EQ(row["scores"]["validation.chrf"]["mean"].get<double>(), score);
  EXPECT_EQ(count_lines("base/ensemble/test/translations/held.hyp"), 10);
  // Nothing is translated again.
  const Outcome again = sweep({"--set", valid});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(without_seconds(table({"--set", valid})), without_seconds(rows));
}

TEST_F(TrainedSweep, ScoresAnEnsembleWithoutAValidationSet) {
  write("sweep: {seeds: [1, 2], ensemble: true}\n");
  const nlohmann::json rows =
      table({"--set", "data.valid=[]", "--set", "train.validate.metric=chrf"});
  ASSERT_EQ(states(rows).size(), 2u);
  for (const auto& row : rows) {
    EXPECT_TRUE(row["scores"].contains("test.held.chrf"));
    EXPECT_FALSE(row["scores"].contains("validation.chrf"));
  }
}

TEST_F(TrainedSweep, TrainsOnTextThatTheRunsAgreeOn) {
  holds({"sweep.self_training.source", "sweep.self_training.agreement", "sweep.self_training.nbest",
         "sweep.self_training.rounds"});
  write_plainly(folder_ / "more.src", toy_lines(3, 30));
  write(
      "sweep: {seeds: [1, 2], self_training: {source: more.src, agreement: 1, nbest: 2, rounds: "
      "2}}\n");
  EXPECT_THAT(sweep({"--dry-run"}).out, HasSubstr("base+self-2/2"));
  const nlohmann::json rows = table();
  EXPECT_THAT(states(rows), testing::UnorderedElementsAre("base: finished", "base+self-1: finished",
                                                          "base+self-2: finished"));
  for (const std::string student : {"base+self-1", "base+self-2"}) {
    const std::string teacher = student == "base+self-1" ? "base" : "base+self-1";
    const auto sources = lines_of(read_plainly(run_folder(student + "/agreed.source")));
    const auto targets = lines_of(read_plainly(run_folder(student + "/agreed.target")));
    ASSERT_EQ(sources.size(), targets.size());
    ASSERT_FALSE(sources.empty());
    // Each is among the two best translations of both runs.
    for (const std::string seed : {"/1", "/2"}) {
      const Outcome lists =
          run_heed({"translate", "runs/toy-sweep/" + teacher + seed, "-i",
                    "runs/toy-sweep/" + student + "/agreed.source", "--nbest", "2"},
                   settings());
      for (size_t i = 0; i < targets.size(); ++i)
        EXPECT_THAT(lists.out, HasSubstr(fmt::format("{} ||| {} |||", i, targets[i])));
    }
    EXPECT_THAT(read_plainly(run_folder(student + "/1/train.log")),
                HasSubstr(fmt::format("agreed.target: {0} pairs, {0} kept", targets.size())));
  }
  const Outcome again = sweep();
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, Not(HasSubstr("begins")));
  EXPECT_THAT(again.err, Not(HasSubstr("labels")));
  // Labels of another text are not mixed with these.
  write_plainly(folder_ / "more.src", toy_lines(4, 30));
  const Outcome other = sweep();
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("have changed since it was labelled"));
}

TEST_F(Sweep, RefusesEnsemblesAndSelfTrainingThatCannotBe) {
  write("sweep: {seeds: [1], ensemble: true}\n");
  EXPECT_FAILS(sweep(), 2, "sweep.ensemble: needs `seeds`, at least two");
  write("sweep: {seeds: [1, 2], self_training: {source: more.src}}\n");
  EXPECT_FAILS(sweep(), 2, "sweep.self_training.source: no such file");
}

TEST_F(TrainedSweep, PrintsATableAndSkipsWhatIsFinished) {
  holds({"heed sweep", "--format", "sweep.seeds"});
  const nlohmann::json first = table();
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0]["setting"], "rate=0.01");  // the best first
  EXPECT_EQ(first[0]["state"], "finished");
  EXPECT_THAT(first[0]["seeds"], ElementsAre("1", "2"));
  EXPECT_EQ(first[0]["settings"]["train.optimizer.rate"], 0.01);
  EXPECT_EQ(first[0]["updates"], 40);
  EXPECT_EQ(first[0]["parameters"], first[1]["parameters"]);
  EXPECT_GT(first[0]["parameters"], 500);
  // The figures are those that the runs have logged.
  std::vector<double> losses;
  for (const char* seed : {"1", "2"}) {
    double best = 100;
    for (const std::string& line :
         lines_of(read_plainly(run_folder(std::string("rate=0.01/") + seed) / "metrics.jsonl"))) {
      const auto json = nlohmann::json::parse(line);
      if (json["kind"] == "validation") best = std::min<double>(best, json["loss"]);
    }
    losses.push_back(best);
  }
  const auto& loss = first[0]["scores"]["validation.loss"];
  EXPECT_NE(losses[0], losses[1]);
  EXPECT_NEAR(loss["mean"], (losses[0] + losses[1]) / 2, 1e-12);
  EXPECT_NEAR(loss["deviation"], std::abs(losses[0] - losses[1]) / std::sqrt(2.0), 1e-12);
  EXPECT_EQ(loss["minimum"], std::min(losses[0], losses[1]));
  EXPECT_EQ(loss["maximum"], std::max(losses[0], losses[1]));
  EXPECT_TRUE(first[0]["scores"].contains("test.held.bleu"));

  const auto log = std::filesystem::last_write_time(run_folder("rate=0.01/1/train.log"));
  EXPECT_EQ(table(), first);
  EXPECT_EQ(std::filesystem::last_write_time(run_folder("rate=0.01/1/train.log")), log);
  EXPECT_EQ(nlohmann::json::parse(read_plainly(run_folder("table.json"))), first);
  EXPECT_EQ(read_plainly(run_folder("table.tsv")), sweep({"--format", "tsv"}).out);
  EXPECT_THAT(sweep().out, HasSubstr("rate=0.001  finished"));

  const Outcome runs =
      run_heed({"runs", "runs/toy-sweep", "--group", "--format", "json"}, settings());
  const auto groups = nlohmann::json::parse(runs.out);
  ASSERT_EQ(groups.size(), 2u) << runs.err;
  EXPECT_EQ(groups[0]["run"], "rate=0.01/{1,2}");
  EXPECT_NEAR(groups[0]["best"], loss["mean"], 1e-12);
}

TEST_F(TrainedSweep, OfARunEqualsHeedTrain) {
  ASSERT_EQ(sweep({"--jobs", "2"}).exit_code, 0);
  const Outcome alone = run_heed({"train", "toy.yaml", "--run", "runs/toy-sweep/alone", "--set",
                                  "seed=2", "--set", "train.optimizer.rate=0.001"},
                                 settings());
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_THAT(alone.err, HasSubstr("`sweep` is read by `heed sweep` alone"));
  EXPECT_GT(model("alone").size(), 1000u);
  EXPECT_TRUE(model("alone") == model("rate=0.001/2"));
  EXPECT_THAT(read_plainly(run_folder("alone/config.yaml")), Not(HasSubstr("sweep")));
  EXPECT_THAT(read_plainly(run_folder("rate=0.001/2/config.yaml")), Not(HasSubstr("sweep")));
}

TEST_F(TrainedSweep, HasItsFolderFromTheConfigOrTheCommandLine) {
  holds({"--run", "sweep.folder", "--set"});
  write("sweep: {folder: elsewhere/rates}\n");
  ASSERT_EQ(sweep({"--set", "train.max_updates=10"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "elsewhere/rates/base/1/latest"));
  EXPECT_THAT(read_plainly(folder_ / "elsewhere/rates/base/1/config.yaml"),
              HasSubstr("max_updates: 10"));
  ASSERT_EQ(sweep({"--set", "train.max_updates=10", "--run", "third"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "third/base/1/latest"));
}

TEST_F(TrainedSweep, RefusesRunsOfOtherSettings) {
  holds({"--retrain"});
  const nlohmann::json before = table();
  const Arguments edited{"--set", "model.embedding.width=6"};
  const Outcome refused = sweep(edited);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("4 of 4 runs were trained with other settings or data; give --retrain"));
  EXPECT_THAT(refused.err,
              HasSubstr("runs/toy-sweep/rate=0.01/1: model.embedding.width: was 8, is 6"));
  EXPECT_EQ(table(), before);
  const nlohmann::json after = table(joined({"--retrain"}, edited));
  EXPECT_LT(after[0]["parameters"], before[0]["parameters"]);
  EXPECT_EQ(table(edited), after);
}

TEST_F(TrainedSweep, RefusesRunsOfOtherData) {
  const nlohmann::json before = table();
  write_plainly(folder_ / "valid.tgt", toy_lines(3, 10));
  const Outcome refused = sweep();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("runs/toy-sweep/rate=0.01/1: data: was other files, is "));
  const nlohmann::json after = table({"--retrain"});
  EXPECT_NE(without_seconds(after), without_seconds(before));
  EXPECT_EQ(sweep().exit_code, 0);
}

TEST_F(TrainedSweep, GoesOnWithARaisedLimit) {
  ASSERT_EQ(sweep({"--set", "train.max_updates=20"}).exit_code, 0);
  const nlohmann::json raised = table();
  EXPECT_EQ(raised[0]["updates"], 40);
  EXPECT_EQ(without_seconds(table({"--run", "whole"})), without_seconds(raised));
}

TEST_F(TrainedSweep, ShowsFailedRunsAndTrainsTheOthers) {
  std::filesystem::create_directories(run_folder("rate=0.01/1"));
  write_plainly(run_folder("rate=0.01/1/config.yaml"), "no: [config");
  const Outcome outcome = sweep({"--format", "json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("1 of 4 runs failed"));
  const auto rows = nlohmann::json::parse(outcome.out);
  EXPECT_THAT(states(rows), testing::UnorderedElementsAre("rate=0.01: failed 1, finished 1",
                                                          "rate=0.001: finished"));
  for (const auto& row : rows) {
    if (row["setting"] != "rate=0.01") continue;
    EXPECT_THAT(row["seeds"], ElementsAre("2"));
    EXPECT_THAT(row["failures"]["1"].get<std::string>(), HasSubstr("config.yaml"));
  }
  EXPECT_THAT(sweep().out, HasSubstr("1: runs/toy-sweep/rate=0.01/1/config.yaml"));
}

TEST_F(TrainedSweep, DivergedRunsAreNotTrainedAgain) {
  write("sweep: {grid: {train.optimizer.rate: [0.01, 1.0e+30]}}\n");
  EXPECT_EQ(sweep().exit_code, 1);
  const Outcome again = sweep({"--format", "json"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, Not(HasSubstr("begins")));
  EXPECT_THAT(again.out, HasSubstr("diverged"));
}

// ---- successive halving

TEST_F(TrainedSweep, StopsTheWorstSettingsAndTrainsTheBestAsIfAlone) {
  holds({"sweep.halving.every", "sweep.halving.keep"});
  write(
      "sweep: {seeds: [1, 2], grid: {train.optimizer.rate: [1.0e-5, 0.01, 1.0e-4, 0.001]}, "
      "halving: "
      "{every: 10, keep: 0.5}}\n");
  const nlohmann::json rows = table();
  EXPECT_THAT(states(rows),
              ElementsAre("rate=0.01: finished", "rate=0.001: stopped at 20",
                          "rate=1.0e-4: stopped at 10", "rate=1.0e-5: stopped at 10"));
  EXPECT_EQ(rows[1]["updates"], 20);
  EXPECT_EQ(rows[2]["updates"], 10);
  EXPECT_FALSE(rows[1]["scores"].contains("test.held.bleu"));
  EXPECT_TRUE(rows[0]["scores"].contains("test.held.bleu"));
  EXPECT_EQ(table(), rows);
  const Outcome alone = run_heed({"train", "toy.yaml", "--run", "runs/toy-sweep/alone", "--set",
                                  "train.optimizer.rate=0.01", "--set", "sweep=~"},
                                 settings());
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_TRUE(model("alone") == model("rate=0.01/1"));
}

// ---- interruptions

class KilledSweep : public TrainedSweep {
 protected:
  // Kills the sweep at random moments until it gets through.
  int kill_at_random(const Arguments& arguments, int kills) const {
    RandomStream random(stream_key(7, "kills of a sweep"));
    for (int killed = 0; killed < kills; ++killed) {
      Running running(arguments, settings());
      usleep(static_cast<useconds_t>(50'000 + random.below(900'000)));
      if (running.has_ended()) return killed;
      running.send(SIGKILL);
      running.wait();
    }
    return kills;
  }
  void test_kills(int kills, const std::string& updates) const {
    write(std::string(kGrid) + "  halving: {every: 20}\n  jobs: 2\n");
    const Arguments longer{"--set", "train.max_updates=" + updates, "--set", "train.save_every=7"};
    const nlohmann::json whole = without_seconds(table(joined({"--run", "whole"}, longer)));
    EXPECT_EQ(kill_at_random(joined({"sweep", "toy.yaml"}, longer), kills), kills);
    EXPECT_EQ(without_seconds(table(longer)), whole);
  }
};

TEST_F(KilledSweep, HasTheTableOfAnUninterruptedOne) {
  holds({"--jobs", "sweep.jobs"});
  test_kills(2, "60");
}

class SlowKilledSweep : public KilledSweep {};

TEST_F(SlowKilledSweep, TenTimesHasTheTableOfAnUninterruptedOne) { test_kills(10, "400"); }

TEST_F(TrainedSweep, InterruptedLetsItsRunsSaveAndSaysHowToGoOn) {
  const Arguments arguments{"sweep",  "toy.yaml",
                            "--jobs", "2",
                            "--set",  "train.max_updates=100000000",
                            "--set",  "train.validate.every=100000000"};
  Running running(arguments, settings());
  const auto begun = [&](const char* seed) {
    return read_plainly(run_folder(std::string("rate=0.01/") + seed) / "metrics.jsonl").size() > 0;
  };
  while ((!begun("1") || !begun("2")) && !running.has_ended()) usleep(20'000);
  running.send(SIGINT);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("2 runs are saving"));
  EXPECT_THAT(outcome.err,
              HasSubstr("0 of 4 runs are finished. Continue: heed sweep toy.yaml --set"));
  for (const char* seed : {"1", "2"}) {
    EXPECT_TRUE(std::filesystem::exists(run_folder(std::string("rate=0.01/") + seed) / "latest"));
    EXPECT_THAT(read_plainly(run_folder(std::string("rate=0.01/") + seed) / "metrics.jsonl"),
                HasSubstr("\"stopped\""));
  }
}

TEST_F(TrainedSweep, RefusesASecondSweepAndWaitsForARunInTraining) {
  const std::filesystem::path run = run_folder("rate=0.01/1");
  std::filesystem::create_directories(run);
  const int lock = open(run.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  write_plainly(run / ".lock", "process 12 on elsewhere\n");
  Running running({"sweep", "toy.yaml"}, settings());
  while (running.err().find("waiting for its end") == std::string::npos && !running.has_ended())
    usleep(20'000);
  EXPECT_THAT(running.err(), HasSubstr("rate=0.01/1: process 12 on elsewhere is training it"));
  EXPECT_FAILS(sweep(), 5, "is sweeping into this folder");
  while (running.err().find("3 of 4") == std::string::npos && !running.has_ended()) usleep(20'000);
  EXPECT_FALSE(running.has_ended());
  close(lock);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(run / "latest"));
}

TEST_F(TrainedSweep, NoticesThatItsConfigChanges) {
  Running running({"sweep", "toy.yaml"}, settings());
  while (running.err().find("begins") == std::string::npos && !running.has_ended()) usleep(5'000);
  write_plainly(folder_ / "toy.yaml", std::string(kRecipe) + kGrid + "# another\n");
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("toy.yaml: has changed since the sweep began"));
  EXPECT_EQ(sweep().exit_code, 0);
}

}  // namespace
}  // namespace heed
