// Training phases: the changes of a phase apply from its first update on, an interrupted run
// continues with them, and they do not depend on the number of workers.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "config/reader.h"
#include "holds.h"
#include "nn/torch.h"
#include "train/checkpoints.h"
#include "train/fakes.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

constexpr int64_t kBorder = 5, kUpdates = 10;  // updates before the phase, and of the run

// Batches of sentences that TinyStream does not have.
class OtherStream final : public BatchStream {
 public:
  void divide(const Division& division) override { stream_.divide(division); }
  Batch next() override { return stream_.next(); }
  BatchPosition position() const override {
    BatchPosition position = stream_.position();
    position.epoch -= kApart;
    return position;
  }
  void seek(const BatchPosition& position) override {
    BatchPosition there = position;
    there.epoch += kApart;
    stream_.seek(there);
  }

 private:
  static constexpr int64_t kApart = 1000;
  TinyStream stream_;
};

struct PhaseCase {
  std::string name, key;  // key in the reference: train.phases[].key
  std::function<void(TrainPhase&)> change;
};
void PrintTo(const PhaseCase& one, std::ostream* out) { *out << one.name; }

std::vector<PhaseCase> phase_cases() {
  const auto learning = [](const std::string& name, const std::string& text) {
    return PhaseCase{name, "train", [text](TrainPhase& phase) {
                       LearningConfig own;
                       own.optimizer->rate = 0.01;
                       own.label_smoothing = 0.1;
                       read_config_text(text, "phase", own);
                       phase.learning = own;
                     }};
  };
  const auto also = [](PhaseCase one, const std::string& key, auto more) {
    one.key = key;
    one.change = [before = one.change, more](TrainPhase& phase) {
      before(phase);
      more(phase);
    };
    return one;
  };
  std::vector<PhaseCase> cases = {
      learning("rate", "{optimizer: {rate: 0.002}}"),
      learning("clip", "{clip: 0.01}"),
      learning("accumulate", "{accumulate: 2}"),
      learning("label_smoothing", "{label_smoothing: 0.3}"),
      learning("coverage", "{coverage: {weight: 1}}"),
      learning("guided_alignment", "{guided_alignment: {weight: 1}}"),
      learning("r_drop", "{r_drop: 2}"),
      learning("scheduled_sampling", "{scheduled_sampling: {probability: 1, over: 1}}"),
      learning("minimum_risk", "{label_smoothing: 0, sequence_loss: {metric: bleu}}"),
      learning("schedule", "{schedule: {type: exponential, every: 2}}"),
      learning("freeze", "{freeze: [decoder]}"),
      {"dropout", "model", [](TrainPhase& phase) { phase.model = tiny_rnn(0.4); }},
      {"data", "data", [](TrainPhase& phase) { phase.batches = std::make_shared<OtherStream>(); }}};
  const PhaseCase none{"", "", [](TrainPhase&) {}};
  cases.push_back(also(none, "reset", [](TrainPhase& phase) { phase.resets_optimizer = true; }));
  cases.back().name = "reset_optimizer";
  cases.push_back(also(learning("another_optimizer", "{optimizer: {type: sgd, rate: 0.1}}"),
                       "reset", [](TrainPhase& phase) { phase.resets_optimizer = true; }));
  cases.push_back(also(learning("reset_schedule", "{schedule: {type: inverse_sqrt, warmup: 3}}"),
                       "reset", [](TrainPhase& phase) { phase.resets_schedule = true; }));
  return cases;
}

class Phases : public testing::TestWithParam<PhaseCase> {
 protected:
  TrainJob job(const std::string& name, int64_t workers = 1) const {
    TrainJob job = tiny_job(folder_ / name, tiny_rnn(0.2));
    job.train.average.emplace().decay = 0.9;  // so that the model saved is not the one trained
    job.train.max_updates = kUpdates;
    job.train.workers = workers;
    job.train.keep.last = 2 * kUpdates;
    job.valid.reset();
    job.tests.clear();
    return job;
  }
  TrainJob job_with_phase(const std::string& name, int64_t workers = 1) const {
    TrainJob job = this->job(name, workers);
    TrainPhase phase{.after = kBorder,
                     .learning = job.train,
                     .model = job.model.model,
                     .batches = job.batches,
                     .description = "phase 2"};
    GetParam().change(phase);
    job.phases = {phase};
    return job;
  }
  static void train(const TrainJob& job) {
    if (!look_at(job.folder).holds_run()) job.folder.open(RunMode::kFresh);
    EXPECT_EQ(train_run(job), 0);
  }
  static Checkpoint checkpoint(const TrainJob& job, int64_t update) {
    return load_checkpoint(job.folder.checkpoint(update), torch::kCPU);
  }
  static bool are_equal(const NamedTensors& a, const NamedTensors& b, double tolerance = 0) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
      return x.first == y.first && x.second.sizes() == y.second.sizes() &&
             torch::allclose(x.second, y.second, 0, tolerance);
    });
  }
  static NamedTensors weights(const Checkpoint& checkpoint) {
    return tensors_of(*checkpoint.model.network);
  }
  static nlohmann::json progress(const Checkpoint& checkpoint) {
    auto json = nlohmann::json::parse(to_json(checkpoint.progress));
    json.erase("seconds");
    return json;
  }
  TemporaryFolder folder_;
};

TEST_P(Phases, ChangeWhatIsLearnedFromTheirFirstUpdateOn) {
  holds({"train.phases[].after", "train.phases[]." + GetParam().key});
  TrainJob without = job("without"), with = job_with_phase("with");
  without.train.max_updates = with.train.max_updates = kBorder + 1;
  without.train.save_every = with.train.save_every = kBorder;
  train(without);
  train(with);
  EXPECT_TRUE(are_equal(weights(checkpoint(with, kBorder)), weights(checkpoint(without, kBorder))));
  EXPECT_FALSE(
      are_equal(weights(checkpoint(with, kBorder + 1)), weights(checkpoint(without, kBorder + 1))));
}

TEST_P(Phases, ResumedEqualUninterrupted) {
  holds({"--resume"});
  for (const int64_t workers : {1, 2}) {
    const TrainJob whole = job_with_phase(fmt::format("whole_{}", workers), workers);
    train(whole);
    const Checkpoint expected = checkpoint(whole, kUpdates);
    for (const int64_t stop : {kBorder, kBorder + 2}) {
      const std::string name = fmt::format("part_{}_{}", workers, stop);
      TrainJob first = job_with_phase(name, workers);
      first.train.max_updates = stop;
      train(first);
      const TrainJob second = job_with_phase(name, workers);
      train(second);
      const Checkpoint found = checkpoint(second, kUpdates);
      SCOPED_TRACE(name);
      EXPECT_TRUE(are_equal(weights(found), weights(expected)));
      EXPECT_TRUE(are_equal(found.parameters, expected.parameters));
      EXPECT_TRUE(are_equal(found.optimizer, expected.optimizer));
      EXPECT_EQ(progress(found), progress(expected));
    }
  }
}

TEST_P(Phases, AreThoseOfAnyNumberOfWorkers) {
  const TrainJob one = job_with_phase("one", 1), three = job_with_phase("three", 3);
  train(one);
  train(three);
  EXPECT_TRUE(
      are_equal(weights(checkpoint(one, kUpdates)), weights(checkpoint(three, kUpdates)), 1e-3));
}

INSTANTIATE_TEST_SUITE_P(All, Phases, testing::ValuesIn(phase_cases()),
                         [](const auto& one) { return one.param.name; });

// Phases change and change back: a frozen part is trained again if a later phase does not freeze
// it.
TEST(PhasesInTurn, ChangeAndChangeBack) {
  holds({"train.phases[].after", "train.phases[].train"});
  const TemporaryFolder folder;
  TrainJob job = tiny_job(folder / "run", tiny_rnn(0.2));
  job.train.max_updates = 9;
  job.train.save_every = 1;
  job.train.keep.last = 20;
  job.tests.clear();
  TrainPhase frozen{.after = 3,
                    .learning = job.train,
                    .model = job.model.model,
                    .batches = job.batches,
                    .description = "phase 2"},
      free = frozen;
  frozen.learning.freeze = {"decoder"};
  free.after = 6;
  job.phases = {frozen, free};
  job.folder.open(RunMode::kFresh);
  ASSERT_EQ(train_run(job), 0);
  const auto decoder_at = [&](int64_t update) {
    const Checkpoint checkpoint = load_checkpoint(job.folder.checkpoint(update), torch::kCPU);
    return tensors_of(*checkpoint.model.network).at("decoder.output.weight").clone();
  };
  EXPECT_FALSE(torch::equal(decoder_at(2), decoder_at(3)));
  EXPECT_TRUE(torch::equal(decoder_at(3), decoder_at(6)));
  EXPECT_FALSE(torch::equal(decoder_at(6), decoder_at(7)));
}

TEST(PhasesInTurn, AreThoseOfAnUpdate) {
  std::vector<TrainPhase> phases(2);
  phases[0].after = 5;
  phases[0].resets_schedule = true;
  phases[1].after = 8;
  for (const auto& [update, phase] :
       {std::pair<int64_t, size_t>{0, 0}, {1, 0}, {5, 0}, {6, 1}, {8, 1}, {9, 2}, {100, 2}})
    EXPECT_EQ(phase_of(phases, update), phase) << update;
  EXPECT_EQ(schedule_begin(phases, 0), 0);
  EXPECT_EQ(schedule_begin(phases, 1), 5);
  EXPECT_EQ(schedule_begin(phases, 2), 5);
  EXPECT_EQ(next_epoch({.epoch = 3, .batch = 4, .number = 31}),
            (BatchPosition{.epoch = 4, .batch = 0, .number = 31}));
  EXPECT_EQ(next_epoch({.epoch = 3, .batch = 0, .number = 27}),
            (BatchPosition{.epoch = 3, .batch = 0, .number = 27}));
}

// A reset schedule counts updates and validations from the beginning of the phase.
TEST(PhaseOfTheTrainer, HasItsOwnScheduleAndEnd) {
  Fakes fakes;
  LearningConfig learning;
  learning.optimizer->rate = 1;
  auto schedule = make_kind<InverseSqrtSchedule>("inverse_sqrt");
  schedule->warmup = 4;
  learning.schedule = schedule;
  Progress progress;
  progress.update = 10;
  progress.earlier_updates = 1000;
  Trainer trainer(fakes.config, {.learning = learning, .schedule_begin = 10, .end = 13},
                  {fakes.batches, fakes.workers, fakes.stepper, nullptr, fakes.store, fakes.log,
                   fakes.clock, fakes.reducer},
                  progress);
  const Ending ending = trainer.run();
  EXPECT_TRUE(ending.of_phase);
  EXPECT_EQ(fakes.stepper.rates, (std::vector<double>{0.25, 0.5, 0.75}));
  EXPECT_EQ(fakes.store.updates(), (std::vector<int64_t>{13}));
  EXPECT_EQ(fakes.log.ending, "") << "the training goes on";
}

TEST(PhaseOfTheTrainer, PlateauForgetsTheValidationsBeforeIt) {
  LearningConfig learning;
  learning.optimizer->rate = 1;
  auto schedule = make_kind<PlateauSchedule>("plateau");
  schedule->patience = 1;
  learning.schedule = schedule;
  Progress progress;
  progress.update = 20;
  for (const int64_t update : {5, 10, 15, 20})
    progress.validations.push_back({.update = update, .loss = 1.0});  // none is better
  for (const int64_t begin : {int64_t{0}, int64_t{20}}) {
    Fakes fakes;
    fakes.config.max_updates = 21;
    Trainer trainer(fakes.config, {.learning = learning, .schedule_begin = begin},
                    {fakes.batches, fakes.workers, fakes.stepper, nullptr, fakes.store, fakes.log,
                     fakes.clock, fakes.reducer},
                    progress);
    trainer.run();
    EXPECT_EQ(fakes.stepper.rates.at(0), begin == 0 ? 0.125 : 1.0);
  }
}

}  // namespace
}  // namespace heed
