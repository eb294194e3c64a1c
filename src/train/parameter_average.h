// The exponential moving average of the parameters of a run (Polyak and Juditsky 1992; Marian's
// exponential smoothing), which is validated and saved instead of the parameters themselves:
// θ̄ ← d θ̄ + (1 - d) θ after each update t, with d = min(decay, (1 + t) / (10 + t)).
#pragma once

#include <cstdint>
#include <memory>

#include "train/flat_parameters.h"
#include "train/parts.h"

namespace heed {

class ParameterAverage {
 public:
  // Begins with the parameters as they are.
  ParameterAverage(FlatParameters& parameters, double decay);

  void add();  // after an update
  bool is_finite() const;
  // Exchanges the parameters and their average.
  void exchange();
  // The parameters as they are trained, by name, and the number of updates.
  NamedTensors state() const;
  // After a checkpoint was loaded, whose model is the average: the state are the parameters. Throws
  // Error(kModel) that begins with `where` if it belongs to another network.
  void load_state(const NamedTensors& state, const std::string& where);

 private:
  FlatParameters& parameters_;
  double decay_;
  int64_t updates_ = 0;
  Tensor average_;  // [N]
};

// The average in place of the parameters while this exists. null: nothing happens.
class WithAverage {
 public:
  explicit WithAverage(ParameterAverage* average) : average_(average) {
    if (average_ != nullptr) average_->exchange();
  }
  ~WithAverage() {
    if (average_ != nullptr) average_->exchange();
  }
  WithAverage(const WithAverage&) = delete;
  WithAverage& operator=(const WithAverage&) = delete;

 private:
  ParameterAverage* average_;
};

class AveragingStepper final : public Stepper {
 public:
  AveragingStepper(Stepper& stepper, ParameterAverage& average)
      : stepper_(stepper), average_(average) {}
  double gradient_norm() override { return stepper_.gradient_norm(); }
  void step(double rate, double scale) override {
    stepper_.step(rate, scale);
    average_.add();
  }
  std::optional<std::string> not_finite() override;

 private:
  Stepper& stepper_;
  ParameterAverage& average_;
};

class ValidatorOfAverage final : public Validator {
 public:
  ValidatorOfAverage(Validator& validator, ParameterAverage& average)
      : validator_(validator), average_(average) {}
  ValidationReport validate(int64_t update) override {
    const WithAverage exchanged(&average_);
    return validator_.validate(update);
  }

 private:
  Validator& validator_;
  ParameterAverage& average_;
};

}  // namespace heed
