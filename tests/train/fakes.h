// Parts that only write down what the loop asks of them.
#pragma once

#include <cmath>
#include <csignal>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "search/not_a_number.h"
#include "train/trainer.h"

namespace heed {

// Epochs of ten batches.
class FakeStream final : public BatchStream {
 public:
  void divide(const Division&) override {}
  Batch next() override {
    Batch batch;
    batch.number = position_.number;
    batch.epoch = position_.epoch;
    ++position_.number;
    if (++position_.batch == 10) position_ = {position_.epoch + 1, 0, position_.number};
    return batch;
  }
  BatchPosition position() const override { return position_; }
  void seek(const BatchPosition& position) override { position_ = position; }

 private:
  BatchPosition position_;
};

class FakeWorkers final : public Workers {
 public:
  TokenSums gradient(const Update& facts) override {
    const int64_t update = facts.number;
    updates.push_back(update);
    baselines.push_back(facts.baseline);
    for (const Batch& batch : facts.batches) numbers.push_back(batch.number);
    if (before) before(update);
    return {.loss = loss_of.contains(update) ? loss_of[update] : 2.0,
            .negative_log_probability = 2.0 * static_cast<double>(update),
            .tokens = 4,
            .correct = 1,
            .examples = std::ssize(facts.batches)};
  }
  TokenSums gradient_again(const Update& facts) override {
    checked.push_back(facts.number);
    return {.loss = 4 * loss_again,
            .negative_log_probability = 4 * tokens_again.value_or(loss_again),
            .tokens = 4};
  }
  std::map<int64_t, double> loss_of;
  double loss_again = 0.5;               // of a token, by the parameters after the step
  std::optional<double> tokens_again{};  // the same of the token losses; nullopt: equal
  std::function<void(int64_t)> before;
  std::vector<int64_t> updates, numbers, checked;
  std::vector<std::optional<double>> baselines;
};

class FakeStepper final : public Stepper {
 public:
  double gradient_norm() override { return norm; }
  void step(double rate, double scale) override {
    rates.push_back(rate);
    scales.push_back(scale);
    norm = norm_after_step.value_or(norm);
  }
  std::optional<std::string> not_finite() override { return fault; }
  double norm = 0.5;
  std::optional<double> norm_after_step;
  std::optional<std::string> fault;
  std::vector<double> rates, scales;
};

// The n-th validation has the n-th loss, then the last one again.
class FakeValidator final : public Validator {
 public:
  ValidationReport validate(int64_t update) override {
    if (interrupted) {
      set_caught_signal(SIGINT);
      throw Interrupted();
    }
    updates.push_back(update);
    if (not_a_number) throw_not_a_number();
    const double loss = losses[std::min(updates.size(), losses.size()) - 1];
    return {.scores = {.update = update, .loss = loss}, .samples = {}};
  }
  std::vector<double> losses{1};
  bool interrupted = false;
  bool not_a_number = false;  // the translations find no numbers
  std::vector<int64_t> updates;
};

class FakeStore final : public CheckpointStore {
 public:
  void save(const Progress& progress) override { saved.push_back(progress); }
  std::vector<int64_t> updates() const {
    std::vector<int64_t> updates;
    for (const Progress& progress : saved) updates.push_back(progress.update);
    return updates;
  }
  std::vector<Progress> saved;
};

class FakeLog final : public TrainLog {
 public:
  void tick(const Progress&) override {}
  void updates(const Progress& progress, const UpdateReport& report) override {
    lines.push_back(progress);
    reports.push_back(report);
  }
  void skipped(const Progress& progress, const std::string& reason) override {
    skips.push_back(reason);
  }
  void validates_at_end(const Progress&, const std::string& reason) override {
    reason_to_validate = reason;
  }
  void validated(const Progress&, const std::vector<Sample>&) override {}
  void saved(const Progress&) override {}
  void ended(const Progress&, const std::string& reason) override { ending = reason; }
  std::vector<Progress> lines;
  std::vector<UpdateReport> reports;
  std::vector<std::string> skips;
  std::string ending, reason_to_validate;
};

// Every look at it takes a second.
class FakeClock final : public Clock {
 public:
  double now() override { return time += 1; }
  double time = 0;
};

struct Fakes {
  FakeStream batches;
  FakeWorkers workers;
  FakeStepper stepper;
  FakeValidator validator;
  FakeStore store;
  FakeLog log;
  FakeClock clock;
  OneProcess reducer;
  bool has_validation = true;
  TrainConfig config;

  Fakes() {
    config.validation.every = 10;
    config.log_every = 5;
  }
  Trainer trainer(const Progress& progress = {}) {
    return Trainer(config,
                   {batches, workers, stepper, has_validation ? &validator : nullptr, store, log,
                    clock, reducer},
                   progress);
  }
};

}  // namespace heed
