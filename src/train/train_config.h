// The `train:` block of a config.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "metric/registry.h"
#include "train/learning_config.h"
#include "train/phase_config.h"
#include "train/reduction_config.h"
#include "train/validation.h"

namespace heed {

struct ValidateConfig final : Settings {
  int64_t every = 500;
  ValidationMetric metric = validation_metric("loss");
  std::optional<int64_t> patience;
  std::string tokenize = "13a";  // of BLEU
  int64_t samples = 3;
  std::vector<std::string> metrics;      // additional metrics of translations
  std::optional<int64_t> beam;           // replaces that of `search`
  std::optional<int64_t> max_sentences;  // number of sentences to translate
  void fields(Fields& f) const override;
  void validate(Problems& problems) const override;
  // True if a validation translates lines, for scores or as samples.
  bool translates() const { return samples > 0 || !translation_metrics().empty(); }
  // Metrics of the translations of a validation: the metric, if it needs translations, and the
  // additional ones.
  std::vector<std::string> translation_metrics() const;
  // Metric for the translations of the test sets, a name of metric/registry.h: the metric itself,
  // or bleu if it needs no translations.
  std::string test_metric() const { return metric.translates ? metric.name : "bleu"; }
  // The same metric and the additional ones.
  std::vector<std::string> test_metrics() const;
  // lower_case: of the translations
  MetricOptions metric_options(bool lower_case = false) const;
};

struct KeepConfig final : Settings {
  int64_t best = 1;
  int64_t last = 2;
  void fields(Fields& f) const override;
};

// Number format of the products of an update (nn/product.h). kAuto means bf16 if the processor has
// instructions for it; the start of a run resolves it (settle_settings()).
enum class TrainPrecision { kAuto, kFp32, kBf16 };
const char* precision_name(TrainPrecision precision);

// Exponential moving average of the parameters (parameter_average.h).
struct AverageConfig final : Settings {
  double decay = 0.999;
  void fields(Fields& f) const override;
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
  bool shard_optimizer = false;
  ReductionConfig reduction;
  std::vector<PhaseConfig> phases;  // phases after the first

  // True if training has a limit besides patience.
  bool has_limit() const { return max_updates || max_epochs || max_time; }
  void fields(Fields& f) const override;
  void validate(Problems& problems) const override;

 private:
  void delay_coverage(int64_t after);
};

}  // namespace heed
