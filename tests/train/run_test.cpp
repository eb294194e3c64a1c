#include "train/training.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <set>

#include "base/interrupt.h"
#include "captured_log.h"
#include "gpu.h"
#include "holds.h"
#include "metric/registry.h"
#include "train/checkpoints.h"
#include "train/first_batch.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

using Json = nlohmann::json;

struct Killed {};

// Ends the process, as far as a test can: throws when the batch of this number is requested, so
// nothing is saved afterwards.
class KillingStream final : public BatchStream {
 public:
  explicit KillingStream(int64_t number) : number_(number) {}
  void divide(const Division& division) override { stream_.divide(division); }
  Batch next() override {
    if (stream_.position().number == number_) throw Killed();
    return stream_.next();
  }
  BatchPosition position() const override { return stream_.position(); }
  void seek(const BatchPosition& position) override { stream_.seek(position); }

 private:
  TinyStream stream_;
  int64_t number_;
};

// Raises a signal during an update.
class SignallingStream final : public BatchStream {
 public:
  explicit SignallingStream(int64_t number) : number_(number) {}
  void divide(const Division& division) override { stream_.divide(division); }
  Batch next() override {
    if (stream_.position().number == number_) set_caught_signal(SIGINT);
    return stream_.next();
  }
  BatchPosition position() const override { return stream_.position(); }
  void seek(const BatchPosition& position) override { stream_.seek(position); }

 private:
  TinyStream stream_;
  int64_t number_;
};

int run(const TrainJob& job) {
  job.folder.open(RunMode::kOverwrite);
  return train_run(job);
}

void run_until_killed(TrainJob job, int64_t number) {
  job.batches = std::make_shared<KillingStream>(number);
  job.folder.open(RunMode::kOverwrite);
  EXPECT_THROW(train_run(job), Killed);
}

// Resumes as a new process would.
int resume(TrainJob job) {
  job.batches = std::make_shared<TinyStream>();
  return train_run(job);
}

// Lines of metrics.jsonl without measured times.
std::vector<Json> metrics(const RunDirectory& folder, const std::string& kind = "") {
  std::vector<Json> lines;
  std::string line;
  for (LineReader reader(folder.metrics()); reader.next(line);) {
    Json json = Json::parse(line);
    json.erase("seconds");
    json.erase("tokens_per_second");
    if (kind.empty() || json["kind"] == kind) lines.push_back(json);
  }
  return lines;
}

void expect_equal(const NamedTensors& a, const NamedTensors& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) EXPECT_TRUE(torch::equal(tensor, b.at(name))) << name;
}

// Expects that everything that a run leaves is the same, bit for bit.
void expect_same_run(const RunDirectory& a, const RunDirectory& b) {
  ASSERT_TRUE(a.latest() && b.latest());
  EXPECT_EQ(a.latest()->filename(), b.latest()->filename());
  EXPECT_EQ(a.best()->filename(), b.best()->filename());
  const Checkpoint one = load_checkpoint(*a.latest(), torch::kCPU);
  const Checkpoint two = load_checkpoint(*b.latest(), torch::kCPU);
  expect_equal(tensors_of(*one.model.network), tensors_of(*two.model.network));
  expect_equal(one.optimizer, two.optimizer);
  Json first = Json::parse(to_json(one.progress)), second = Json::parse(to_json(two.progress));
  first.erase("seconds");
  second.erase("seconds");
  EXPECT_EQ(first, second);
  EXPECT_EQ(metrics(a, "train"), metrics(b, "train"));
  EXPECT_EQ(metrics(a, "validation"), metrics(b, "validation"));
}

class RunTest : public testing::Test {
 protected:
  void TearDown() override { set_caught_signal(0); }
  TrainJob job(const std::string& name, const ModelConfig& model = tiny_rnn(0.2)) const {
    return tiny_job(folder / name, model);
  }
  TemporaryFolder folder;
};

TEST_F(RunTest, LeavesWhatTheManualSays) {
  holds({"train.validate.metric"});
  TrainJob tiny = job("run");
  tiny.train.validation.metric = validation_metric("bleu");
  EXPECT_EQ(run(tiny), 0);
  const RunDirectory& run = tiny.folder;
  EXPECT_EQ(run.latest()->filename(), "step-00000020");
  EXPECT_TRUE(run.best());
  for (const char* file : {"MANIFEST.json", "optimizer.safetensors", "progress.json",
                           "model/model.safetensors", "model/config.yaml", "model/MANIFEST.json"}) {
    EXPECT_TRUE(fs::exists(*run.latest() / file)) << file;
  }
  EXPECT_EQ(metrics(run, "train").size(), 6u);
  const auto validations = metrics(run, "validation");
  ASSERT_EQ(validations.size(), 4u);
  EXPECT_TRUE(validations[0].contains("bleu"));
  const auto tests = metrics(run, "test");
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_EQ(tests[0]["name"], "test");
  EXPECT_LE(run.saved_updates().size(), 3u);
}

// The new set has worse scores than the old one ever had: its own best validation is the best.
TEST_F(RunTest, AnotherValidationSetBeginsAnew) {
  TrainJob tiny = job("run");
  EXPECT_EQ(run(tiny), 0);
  const RunDirectory& folder = tiny.folder;
  EXPECT_EQ(folder.best()->filename(), "step-00000020");
  tiny.train.max_updates = 40;
  tiny.restarts_epoch = true;
  for (Example& example : tiny.valid->examples) example.target = Ids(9, kUnknown);
  for (std::string& line : tiny.valid->references) line = "x";
  EXPECT_EQ(resume(tiny), 0);
  const auto validations = metrics(folder, "validation");
  ASSERT_EQ(validations.size(), 9u) << "the last update is validated again";
  EXPECT_EQ(validations[4]["update"], 20);
  EXPECT_GT(validations[4]["loss"], validations[3]["loss"]);
  EXPECT_NE(validations[4]["set"], validations[3]["set"]);
  EXPECT_EQ(validations[4]["best"], true);
  const Progress progress = load_checkpoint(*folder.latest(), torch::kCPU).progress;
  EXPECT_EQ(folder.best()->filename(),
            folder.checkpoint(best_of(progress.validations, tiny.train.validation.metric)->update)
                .filename());
  EXPECT_EQ(best_of(progress.validations, tiny.train.validation.metric)->identity.set,
            validations[8]["set"].get<std::string>());
  EXPECT_TRUE(fs::exists(*folder.best()));
}

// Validations, best checkpoint and test set use the metric; each score has its own name.
TEST_F(RunTest, GoesByAnyMetricOfTranslations) {
  holds({"train.validate.metric"});
  TrainJob tiny = job("run");
  tiny.train.validation.metric = validation_metric("wer");
  EXPECT_EQ(run(tiny), 0);
  std::pair best{HUGE_VAL, HUGE_VAL};  // lower loss if the error rates are equal
  for (const Json& line : metrics(tiny.folder, "validation")) {
    EXPECT_FALSE(line.contains("bleu"));
    const std::pair score{line["wer"].get<double>(), line["loss"].get<double>()};
    EXPECT_EQ(line["best"].get<bool>(), score < best);
    best = std::min(best, score);
  }
  const Json test = metrics(tiny.folder, "test").at(0);
  EXPECT_TRUE(test["wer"].is_number());
  EXPECT_FALSE(test.contains("bleu"));
  EXPECT_EQ(test["signature"], make_metric("wer")->signature(1));
}

// Its checkpoints have the scores of both metrics.
TEST_F(RunTest, ResumesWithAnotherMetric) {
  TrainJob tiny = job("run");
  tiny.train.validation.metric = validation_metric("bleu");
  tiny.train.max_updates = 10;
  run(tiny);
  tiny.train.validation.metric = validation_metric("rougeL");
  tiny.train.max_updates = 20;
  CapturedLog log;
  EXPECT_EQ(resume(tiny), 0);
  EXPECT_NE(log.end().find("2 of 2 validations so far cannot be compared with the next ones by "
                           "rougeL, as they were made without this metric: "),
            std::string::npos);
  const Progress progress = load_checkpoint(*tiny.folder.latest(), torch::kCPU).progress;
  ASSERT_EQ(progress.validations.size(), 4u);
  EXPECT_TRUE(progress.validations[1].translated.contains("bleu"));
  EXPECT_TRUE(progress.validations[2].translated.contains("rougeL"));
  EXPECT_GE(best_of(progress.validations, tiny.train.validation.metric)->update, 15);
}

TEST_F(RunTest, KeepsTheBestAndTheNewestCheckpoints) {
  holds({"train.keep.best", "train.keep.last"});
  TrainJob tiny = job("run");
  tiny.train.optimizer->rate = 0.3;  // too high, so that not just the last validations are best
  tiny.train.save_every = 1;
  tiny.train.keep.best = 2;
  tiny.train.keep.last = 3;
  EXPECT_EQ(run(tiny), 0);
  std::vector<std::pair<double, int64_t>> validations;  // loss, update
  for (const Json& line : metrics(tiny.folder, "validation")) {
    validations.emplace_back(line["loss"], line["update"]);
  }
  ASSERT_EQ(validations.size(), 4u);
  std::sort(validations.begin(), validations.end());
  std::set<int64_t> expected{18, 19, 20, validations[0].second, validations[1].second};
  const std::vector<int64_t> saved = tiny.folder.saved_updates();
  EXPECT_EQ(std::set<int64_t>(saved.begin(), saved.end()), expected);
  EXPECT_EQ(*tiny.folder.best(), tiny.folder.checkpoint(validations[0].second));
  EXPECT_EQ(*tiny.folder.latest(), tiny.folder.checkpoint(20));
}

TEST_F(RunTest, LearnsToReverse) {
  TrainJob tiny = job("run", tiny_rnn(0));
  tiny.train.max_updates = 300;
  tiny.train.validation.every = 100;
  EXPECT_EQ(run(tiny), 0);
  const auto validations = metrics(tiny.folder, "validation");
  EXPECT_LT(validations.back()["loss"], 0.75 * validations.front()["loss"].get<double>());
}

struct ResumeCase {
  const char* name;
  bool transformer;
  int64_t workers;
  TrainPrecision precision = TrainPrecision::kFp32;
  torch::Device device = torch::kCPU;
};

// Empty if there is no GPU.
std::vector<ResumeCase> resume_cases_on_gpu() {
  if (!has_gpu()) return {};
  const torch::Device gpu(torch::kCUDA, 0);
  return {{"rnn", false, 1, TrainPrecision::kFp32, gpu},
          {"transformer", true, 1, TrainPrecision::kFp32, gpu},
          {"rnn_bf16", false, 1, TrainPrecision::kBf16, gpu},
          {"transformer_bf16", true, 1, TrainPrecision::kBf16, gpu}};
}

class ResumeTest : public RunTest, public testing::WithParamInterface<ResumeCase> {
 protected:
  TrainJob plan(const std::string& name) const {
    TrainJob tiny = job(name, GetParam().transformer ? tiny_transformer(0.2) : tiny_rnn(0.2));
    auto schedule = make_kind<PlateauSchedule>("plateau");
    schedule->patience = 1;
    tiny.train.schedule = schedule;
    tiny.train.workers = GetParam().workers;
    tiny.train.precision = GetParam().precision;
    tiny.device = GetParam().device;
    tiny.train.save_every = 4;
    tiny.train.keep.last = 20;
    return tiny;
  }
};

TEST_P(ResumeTest, ResumedEqualsUninterrupted) {
  holds({"--resume"});
  const TrainJob whole = plan("whole");
  run(whole);
  for (const int64_t update : {3, 5, 11, 16}) {
    TrainJob part = plan("part");
    part.train.max_updates = update;
    run(part);
    part.train.max_updates = 20;
    EXPECT_EQ(resume(part), 0);
    SCOPED_TRACE(update);
    expect_same_run(whole.folder, part.folder);
  }
}

TEST_P(ResumeTest, KilledAndResumedEqualsUninterrupted) {
  holds({"--resume"});
  const TrainJob whole = plan("whole");
  run(whole);
  for (const int64_t number : {2, 5, 9, 14, 19}) {
    TrainJob part = plan("part");
    run_until_killed(part, number);
    EXPECT_EQ(resume(part), 0);
    SCOPED_TRACE(number);
    expect_same_run(whole.folder, part.folder);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ResumeTest,
    testing::Values(ResumeCase{"rnn_1", false, 1}, ResumeCase{"rnn_2", false, 2},
                    ResumeCase{"transformer_1", true, 1}, ResumeCase{"transformer_2", true, 2},
                    ResumeCase{"rnn_bf16", false, 2, TrainPrecision::kBf16},
                    ResumeCase{"transformer_bf16", true, 2, TrainPrecision::kBf16}),
    [](const auto& test) { return test.param.name; });
INSTANTIATE_TEST_SUITE_P(OnGpu, ResumeTest, testing::ValuesIn(resume_cases_on_gpu()),
                         [](const auto& test) { return test.param.name; });

TEST_F(RunTest, ResumesWithAccumulationInTheMiddleOfAnEpoch) {
  holds({"--resume"});
  TrainJob whole = job("whole"), part = job("part");
  whole.train.accumulate = part.train.accumulate = 3;
  whole.train.workers = part.train.workers = 2;
  run(whole);
  run_until_killed(part, 40);
  resume(part);
  expect_same_run(whole.folder, part.folder);
}

TEST_F(RunTest, SignalSavesLeavesAndGoesOnTheSame) {
  const TrainJob whole = job("whole");
  run(whole);
  TrainJob part = job("part");
  part.batches = std::make_shared<SignallingStream>(12);
  EXPECT_EQ(run(part), 130);
  EXPECT_EQ(part.folder.latest()->filename(), "step-00000013");
  EXPECT_TRUE(metrics(part.folder, "test").empty());
  EXPECT_EQ(metrics(part.folder, "end").at(0)["state"], "stopped");
  set_caught_signal(0);
  resume(part);
  expect_same_run(whole.folder, part.folder);
  EXPECT_EQ(metrics(part.folder, "end"), metrics(whole.folder, "end")) << "one, of a finished run";
}

class RecordingStream final : public BatchStream {
 public:
  void divide(const Division& division) override { stream_.divide(division); }
  Batch next() override { return stream_.next(); }
  BatchPosition position() const override { return stream_.position(); }
  void seek(const BatchPosition& position) override {
    sought = position;
    stream_.seek(position);
  }
  BatchPosition sought;

 private:
  TinyStream stream_;
};

// After a change of the data, a position in the epoch has no meaning.
TEST_F(RunTest, WithOtherDataTheEpochBeginsAnew) {
  for (const bool changed : {false, true}) {
    TrainJob tiny = job("run");
    tiny.train.max_updates = 10;
    run(tiny);
    const auto stream = std::make_shared<RecordingStream>();
    tiny.batches = stream;
    tiny.restarts_epoch = changed;
    tiny.train.max_updates = 11;
    train_run(tiny);
    EXPECT_EQ(stream->sought.epoch, 1);
    EXPECT_EQ(stream->sought.batch, changed ? 0 : 3);
    EXPECT_EQ(stream->sought.number, 10) << "which keys the random draws";
  }
}

TEST_F(RunTest, AtItsLimitIsLeftAsItIs) {
  const TrainJob tiny = job("run");
  run(tiny);
  const auto before = metrics(tiny.folder);
  const auto time = fs::last_write_time(*tiny.folder.latest());
  EXPECT_EQ(resume(tiny), 0);
  EXPECT_EQ(metrics(tiny.folder), before);
  EXPECT_EQ(fs::last_write_time(*tiny.folder.latest()), time);
}

// Resumes after an interrupted validation, either one that is due or the one at the end: training
// is complete, but the model is not validated.
TEST_F(RunTest, AtItsLimitMakesTheValidationThatIsMissing) {
  for (const int64_t every : {5, 1000}) {
    TrainJob tiny = job("run");
    const std::optional<EvaluationSet> valid = tiny.valid;
    tiny.valid = std::nullopt;
    run(tiny);
    EXPECT_FALSE(tiny.folder.best());
    tiny.valid = valid;
    tiny.train.validation.every = every;
    EXPECT_EQ(resume(tiny), 0);
    EXPECT_EQ(tiny.folder.best()->filename(), "step-00000020");
    EXPECT_EQ(metrics(tiny.folder, "validation").size(), 1u);
    const auto before = metrics(tiny.folder);
    EXPECT_EQ(resume(tiny), 0);
    EXPECT_EQ(metrics(tiny.folder), before);
  }
}

// The validation at the end may be the best and may be forgotten, so the best one before it is kept.
TEST_F(RunTest, ALaterLimitForgetsTheValidationAtTheEnd) {
  holds({"--resume", "train.validate.every", "train.keep.best"});
  const auto job_to = [this](const std::string& name, int64_t updates) {
    TrainJob tiny = job(name);
    tiny.train.keep.last = 1;
    tiny.train.save_every = 1;
    tiny.train.max_updates = updates;
    return tiny;
  };
  const TrainJob whole = job_to("whole", 20);
  run(whole);
  TrainJob part = job_to("part", 8);
  run(part);
  const auto validations = metrics(part.folder, "validation");
  ASSERT_EQ(validations.size(), 2u);
  EXPECT_EQ(validations[1]["update"], 8);
  const bool is_best = validations[1]["best"].get<bool>();
  EXPECT_EQ(*part.folder.best(), part.folder.checkpoint(is_best ? 8 : 5));
  part.train.max_updates = 20;
  TrainJob killed = part;
  killed.batches = std::make_shared<KillingStream>(8);  // of the first update that is new
  EXPECT_THROW(train_run(killed), Killed);
  EXPECT_EQ(*part.folder.best(), part.folder.checkpoint(5));
  EXPECT_EQ(metrics(part.folder, "validation").size(), 1u);
  EXPECT_EQ(resume(part), 0);
  expect_same_run(whole.folder, part.folder);
}

TEST_F(RunTest, BestIsTestedIfThereIsOneElseTheLatest) {
  TrainJob tiny = job("run");
  tiny.train.optimizer->rate = 0.3;  // too high, so that not just the last validation is best
  tiny.train.max_updates = 7;
  run(tiny);
  const Json tested = metrics(tiny.folder, "test")[0]["checkpoint"];
  EXPECT_EQ(*tiny.folder.best(), tiny.folder.checkpoint(tested.get<int64_t>()));
  tiny.valid = std::nullopt;
  tiny.batches = std::make_shared<TinyStream>();
  run(tiny);
  EXPECT_FALSE(tiny.folder.best());
  EXPECT_EQ(metrics(tiny.folder, "test")[0]["checkpoint"], 7);
}

TEST_F(RunTest, DivergedRunLeavesTheLastGoodCheckpoint) {
  TrainJob tiny = job("run");
  run(tiny);
  const auto time = fs::last_write_time(*tiny.folder.latest());
  tiny.train.max_updates = 100;
  tiny.train.max_skipped = 3;
  tiny.train.clip = 0;
  tiny.train.optimizer->rate = 1e38;
  EXPECT_ERROR(resume(tiny), ErrorKind::kDiverged, "training diverged");
  EXPECT_EQ(tiny.folder.latest()->filename(), "step-00000020");
  EXPECT_EQ(fs::last_write_time(*tiny.folder.latest()), time);
  EXPECT_NO_THROW(load_checkpoint(*tiny.folder.latest(), torch::kCPU));
  const Json end = metrics(tiny.folder).back();
  EXPECT_EQ(end["state"], "diverged");
  EXPECT_GT(end["update"], 20);
}

// Ways in which a learning rate of 1e30 shows first. The step makes parameters of about 1e29, which
// are finite.
std::map<std::string, TrainJob> exploding_jobs(const TrainJob& tiny) {
  TrainJob base = tiny;
  auto sgd = make_kind<SgdConfig>("sgd");
  sgd->rate = 1e30;
  base.train.optimizer = sgd;
  base.train.clip = 0;
  base.train.max_updates = 100;
  base.train.validation.every = 1000;
  std::map<std::string, TrainJob> jobs{{"gradients", base}};
  const auto add = [&](const char* name, const TrainJob& like) -> TrainJob& {
    return jobs.emplace(name, like).first->second;
  };
  TrainJob& samples = add("samples", base);
  samples.train.validation.every = 1;
  samples.train.validation.samples = 3;
  add("translations", samples).train.validation.metric = validation_metric("bleu");
  TrainJob& saving = add("save", base);
  saving.train.save_every = 1;
  add("end", base).train.max_updates = 1;
  add("end after skipped updates", base).train.max_updates = 5;
  add("average", samples).train.average.emplace().decay = 0.99;
  add("bf16", saving).train.precision = TrainPrecision::kBf16;
  add("accumulated", saving).train.accumulate = 2;
  add("drawn translations", base).train.sequence_loss.emplace();
  add("workers", saving).train.workers = 2;
  return jobs;
}

TEST_F(RunTest, SavesNothingOfARunThatDivergesHoweverItShows) {
  for (const ModelConfig& model : {tiny_rnn(0.2), tiny_transformer(0.1)}) {
    for (auto& [name, tiny] : exploding_jobs(job("run", model))) {
      SCOPED_TRACE(name);
      tiny.batches = std::make_shared<TinyStream>();
      EXPECT_ERROR(run(tiny), ErrorKind::kDiverged, "no checkpoint was saved");
      EXPECT_TRUE(tiny.folder.saved_updates().empty());
      const Json end = metrics(tiny.folder).back();
      EXPECT_EQ(end["kind"], "end");
      EXPECT_EQ(end["state"], "diverged");
    }
  }
}

void damage(const fs::path& checkpoint) {
  std::string bytes = read_plainly(optimizer_file(checkpoint));
  bytes[bytes.size() / 2] ^= 1;
  write_plainly(optimizer_file(checkpoint), bytes);
}

TEST_F(RunTest, GoesOnFromTheNewestWholeCheckpoint) {
  const TrainJob whole = job("whole");
  run(whole);
  const TrainJob tiny = job("run");
  run(tiny);
  ASSERT_EQ(tiny.folder.saved_updates(), (std::vector<int64_t>{15, 20}));
  damage(tiny.folder.checkpoint(20));
  EXPECT_EQ(resume(tiny), 0);
  expect_same_run(whole.folder, tiny.folder);
}

TEST_F(RunTest, WithoutAWholeCheckpointIsRefused) {
  const TrainJob tiny = job("run");
  run(tiny);
  for (const int64_t update : tiny.folder.saved_updates()) damage(tiny.folder.checkpoint(update));
  const auto before = folder.names();
  EXPECT_ERROR(resume(tiny), ErrorKind::kModel, "optimizer.safetensors");
  EXPECT_EQ(folder.names(), before);
}

// A copy of a run in which links were followed, as by cp -rL and zip.
TEST_F(RunTest, GoesOnTheSameInACopyWithFoldersForLinks) {
  const TrainJob whole = job("whole");
  run(whole);
  TrainJob part = job("part");
  part.train.max_updates = 13;
  run(part);
  TrainJob copy = job("copy");
  fs::copy(part.folder.folder(), copy.folder.folder(), fs::copy_options::recursive);
  ASSERT_FALSE(fs::is_symlink(copy.folder.folder() / "latest"));
  EXPECT_EQ(resume(copy), 0);
  expect_same_run(whole.folder, copy.folder);
}

// Without a new checkpoint the existing ones stay, including damaged ones.
TEST_F(RunTest, NothingIsDeletedBeforeANewCheckpointIsWritten) {
  TrainJob tiny = job("run");
  tiny.train.save_every = 4;
  tiny.train.keep.last = 9;
  run(tiny);
  damage(tiny.folder.checkpoint(20));
  fs::remove(tiny.folder.folder() / "latest");
  const auto before = tiny.folder.saved_updates();
  tiny.batches = std::make_shared<KillingStream>(17);
  EXPECT_THROW(train_run(tiny), Killed);
  EXPECT_EQ(tiny.folder.saved_updates(), before);
  EXPECT_EQ(tiny.folder.latest()->filename(), "step-00000016");
}

// Simulates a full disk for this process while it exists: files cannot grow beyond `bytes`.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    old_action_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_action_);
  }

 private:
  rlimit old_limit_{};
  void (*old_action_)(int);
};

TEST_F(RunTest, FullDiskLeavesTheLatestCheckpoint) {
  const TrainJob whole = job("whole");
  run(whole);
  TrainJob part = job("part");
  part.train.max_updates = 7;
  run(part);
  part.train.max_updates = 20;
  {
    const FullDisk full(8192);
    EXPECT_ERROR(resume(part), ErrorKind::kIo, "step-00000010");
  }
  EXPECT_EQ(part.folder.latest()->filename(), "step-00000007");
  EXPECT_EQ(part.folder.saved_updates(), (std::vector<int64_t>{5, 7}));
  for (const auto& entry : fs::directory_iterator(part.folder.checkpoints())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("."));
  }
  resume(part);
  expect_same_run(whole.folder, part.folder);
}

TEST_F(RunTest, FirstBatchIsDescribedAsText) {
  holds({"--dry-run"});
  const TrainJob tiny = job("run");
  const std::string text = describe_first_batch(tiny);
  const Example example = examples_of(TinyStream().next())[0];
  EXPECT_NE(text.find("first batch: 6 sentences"), std::string::npos);
  EXPECT_NE(text.find("and 1 more\n"), std::string::npos);
  EXPECT_NE(text.find("source: " + tiny_codec()->decode(example.sources[0])), std::string::npos);
  EXPECT_NE(text.find("target: " + tiny_codec()->decode(example.target)), std::string::npos);
}

}  // namespace
}  // namespace heed
