// The `train:` block of a config.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "distributed/reduction_config.h"
#include "train/learning_config.h"
#include "train/lora_config.h"
#include "train/phase_config.h"
#include "train/validation_config.h"

namespace heed {

struct KeepConfig final : Settings {
  int64_t best = 1;
  int64_t last = 2;
  void fields(Fields& f) override;
};

// Number format of the products of an update (nn/product.h). kAuto means bf16 if the processor has
// instructions for it; the start of a run resolves it (settle_settings()).
enum class TrainPrecision { kAuto, kFp32, kBf16 };
const char* precision_name(TrainPrecision precision);

// Exponential moving average of the parameters (parameter_average.h).
struct AverageConfig final : Settings {
  double decay = 0.999;
  void fields(Fields& f) override;
};

struct TrainConfig final : LearningConfig {
  std::optional<int64_t> max_updates;
  std::optional<int64_t> max_epochs;
  std::optional<double> max_time;  // seconds
  ValidateConfig validation;
  KeepConfig keep;
  std::optional<int64_t> save_every;
  int64_t log_every = 50;
  bool tensorboard = false;
  std::optional<int64_t> workers;
  TrainPrecision precision = TrainPrecision::kAuto;
  bool gradient_checkpointing = false;
  int64_t max_skipped = 10;
  std::optional<AverageConfig> average;
  std::optional<LoraConfig> lora;
  bool shard_optimizer = false;
  ReductionConfig reduction;
  std::vector<PhaseConfig> phases;  // phases after the first

  // True if training has a limit besides patience.
  bool has_limit() const { return max_updates || max_epochs || max_time; }
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

}  // namespace heed
