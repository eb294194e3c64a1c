// State that a training changes: the parameters, the optimizer and the progress.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "model/seq2seq.h"
#include "run/progress.h"
#include "train/flat_parameters.h"
#include "train/lora.h"
#include "train/optimizer.h"
#include "train/parameter_average.h"
#include "train/train_job.h"

namespace heed {

struct TrainingState {
  std::shared_ptr<Seq2Seq> network{};
  std::unique_ptr<Lora> lora{};                  // nullptr: the parameters themselves are trained
  std::unique_ptr<FlatParameters> parameters{};  // whose gradient the workers compute
  std::unique_ptr<Optimizer> optimizer{};
  std::unique_ptr<ParameterAverage> average{};  // nullptr: parameters are not averaged
  Progress progress{};

  // Parameters that the optimizer updates.
  FlatParameters& trained() const { return lora ? lora->parameters() : *parameters; }
};

// Names of the parameters that a phase does not train.
std::set<std::string> frozen_in(const TrainJob& job, const FlatParameters& parameters,
                                size_t phase);
// The key of their patterns: "train.freeze".
std::string freeze_key(size_t phase);
std::unique_ptr<Optimizer> build_optimizer(const TrainJob& job, FlatParameters& parameters,
                                           size_t phase);

}  // namespace heed
