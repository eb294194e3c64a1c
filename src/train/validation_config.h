// Settings of validation, and the metrics that validations are compared by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "metric/registry.h"

namespace heed {

// Metric that validations are compared by: loss, perplexity or accuracy of the target tokens, or a
// single metric of metric/registry.h for translations. The registry's accuracy is not available,
// because its name is used for target tokens.
struct ValidationMetric {
  std::string name;
  bool translates = false;
  bool higher_is_better = true;
  bool operator==(const ValidationMetric&) const = default;
};
const Words<ValidationMetric>& validation_metrics();
// Returns the one with this name.
const ValidationMetric& validation_metric(const std::string& name);

struct ValidateConfig final : Settings {
  int64_t every = 500;
  ValidationMetric metric = validation_metric("loss");
  std::optional<int64_t> patience;
  std::string tokenize = "13a";  // of BLEU
  int64_t samples = 3;
  std::vector<std::string> metrics;      // additional metrics of translations
  std::optional<int64_t> beam;           // replaces that of `search`
  std::optional<int64_t> max_sentences;  // number of sentences to translate
  void fields(Fields& f) override;
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

}  // namespace heed
