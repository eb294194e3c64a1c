#include "train/validation.h"

#include <algorithm>
#include <cmath>

namespace heed {

const Words<ValidationMetric>& validation_metrics() {
  static const Words<ValidationMetric> words{{"loss", ValidationMetric::kLoss},
                                             {"perplexity", ValidationMetric::kPerplexity},
                                             {"accuracy", ValidationMetric::kAccuracy},
                                             {"bleu", ValidationMetric::kBleu}};
  return words;
}

const char* name_of(ValidationMetric metric) {
  for (const auto& [word, value] : validation_metrics()) {
    if (value == metric) return word;
  }
  return "";
}

double Validation::perplexity() const { return std::exp(loss); }

std::optional<double> Validation::score(ValidationMetric metric) const {
  switch (metric) {
    case ValidationMetric::kLoss:
      return -loss;
    case ValidationMetric::kPerplexity:
      return -perplexity();
    case ValidationMetric::kAccuracy:
      return accuracy;
    case ValidationMetric::kBleu:
      return bleu;
  }
  return std::nullopt;
}

std::vector<double> scores_of(const Validations& validations, ValidationMetric metric) {
  std::vector<double> scores;
  for (const Validation& validation : validations) {
    if (const auto score = validation.score(metric)) scores.push_back(*score);
  }
  return scores;
}

const Validation* best_of(const Validations& validations, ValidationMetric metric) {
  const Validation* best = nullptr;
  for (const Validation& validation : validations) {
    const auto score = validation.score(metric);
    if (!score || std::isnan(*score)) continue;
    if (best == nullptr || *score > *best->score(metric)) best = &validation;
  }
  return best;
}

int64_t since_best(const Validations& validations, ValidationMetric metric) {
  const Validation* best = best_of(validations, metric);
  int64_t count = 0;
  for (const Validation& validation : validations) {
    if (validation.score(metric) && (best == nullptr || validation.update > best->update)) ++count;
  }
  return count;
}

std::vector<int64_t> best_updates(const Validations& validations, ValidationMetric metric,
                                  int64_t count) {
  std::vector<std::pair<double, int64_t>> ranked;  // the greatest score first, then the earliest
  for (const Validation& validation : validations) {
    const auto score = validation.score(metric);
    if (score && !std::isnan(*score)) ranked.emplace_back(-*score, validation.update);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<int64_t> updates;
  for (const auto& [score, update] : ranked) {
    if (static_cast<int64_t>(updates.size()) < count) updates.push_back(update);
  }
  return updates;
}

}  // namespace heed
