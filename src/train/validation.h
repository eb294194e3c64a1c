// What a validation finds, and what follows from all of them so far: the best one, and how long it
// has been.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

enum class ValidationMetric { kLoss, kPerplexity, kAccuracy, kBleu };
const Words<ValidationMetric>& validation_metrics();
const char* name_of(ValidationMetric metric);

struct Validation {
  int64_t update = 0;            // after which it was made
  double loss = 0;               // nats a target token, not smoothed
  double accuracy = 0;           // share of target tokens that are the most probable ones
  std::optional<double> bleu{};  // if the metric asks for it
  double perplexity() const;
  // By one metric, turned so that larger is better; nullopt where it was not measured.
  std::optional<double> score(ValidationMetric metric) const;
};
using Validations = std::vector<Validation>;

// Of those that were measured by the metric, in their order.
std::vector<double> scores_of(const Validations& validations, ValidationMetric metric);
// The first one with the greatest score; nullptr if there is none. A score that is not a number is
// never the best.
const Validation* best_of(const Validations& validations, ValidationMetric metric);
// How many came after the best one.
int64_t since_best(const Validations& validations, ValidationMetric metric);
// The updates of the `count` best, best first.
std::vector<int64_t> best_updates(const Validations& validations, ValidationMetric metric,
                                  int64_t count);

}  // namespace heed
