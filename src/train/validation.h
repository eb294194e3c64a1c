// Scores of a validation, and functions of all validations so far: the best one, and the number
// since.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

// The metric that validations are compared by: loss, perplexity or accuracy of the target tokens,
// or a single metric of metric/registry.h, of translations. The registry's accuracy is not
// available: its name is taken.
struct ValidationMetric {
  std::string name;
  bool translates = false;
  bool higher_is_better = true;
  bool operator==(const ValidationMetric&) const = default;
};
const Words<ValidationMetric>& validation_metrics();
// One of them.
const ValidationMetric& validation_metric(const std::string& name);

struct Validation {
  int64_t update = 0;   // after which it was made
  double loss = 0;      // nats a target token, not smoothed
  double accuracy = 0;  // fraction of target tokens that are the most probable ones
  std::map<std::string, double> translated{};  // of translations, by the metric that asked for them
  double perplexity() const;
  // By one metric, turned so that larger is better; nullopt where it was not measured.
  std::optional<double> score(const ValidationMetric& metric) const;
};
using Validations = std::vector<Validation>;

// "loss 1.5956, perplexity 4.93, accuracy 65.18%, BLEU 32.77"
std::string describe(const Validation& validation);

// Of those after an update that were measured by the metric, in their order.
std::vector<double> scores_of(const Validations& validations, const ValidationMetric& metric,
                              int64_t after = 0);
// The one with the greatest score, of equal scores the one with the lowest loss, then the first;
// nullptr if there is none. A score that is not finite is never the best.
const Validation* best_of(const Validations& validations, const ValidationMetric& metric);
// How many came after the best one.
int64_t since_best(const Validations& validations, const ValidationMetric& metric);
// The updates of the `count` best, best first.
std::vector<int64_t> best_updates(const Validations& validations, const ValidationMetric& metric,
                                  int64_t count);

}  // namespace heed
