#include "run/validation.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace heed {

Validations without_ends(Validations validations) {
  std::erase_if(validations, [](const Validation& one) { return one.at_end; });
  return validations;
}

double Validation::perplexity() const { return std::exp(loss); }

std::optional<double> Validation::score(const ValidationMetric& metric) const {
  std::optional<double> value;
  if (metric.name == "loss") {
    value = loss;
  } else if (metric.name == "perplexity") {
    value = perplexity();
  } else if (metric.name == "accuracy") {
    value = accuracy;
  } else if (const auto found = translated.find(metric.name); found != translated.end()) {
    value = found->second;
  }
  if (value && !metric.higher_is_better) value = -*value;
  return value;
}

std::string describe(const Validation& validation) {
  std::string text =
      fmt::format("loss {:.4f}, perplexity {:.2f}, accuracy {:.2f}%", validation.loss,
                  validation.perplexity(), 100 * validation.accuracy);
  for (const auto& [metric, value] : validation.translated) {
    text += fmt::format(", {} {:.2f}", make_metric(metric)->name(), value);
  }
  if (validation.cut.any()) text += "; " + describe(validation.cut);
  return text;
}

CutLines& CutLines::operator+=(const CutLines& other) {
  translated += other.translated;
  targets += other.targets;
  repeating += other.repeating;
  sources += other.sources;
  return *this;
}

std::string describe(const CutLines& cut) {
  std::vector<std::string> parts;
  if (cut.targets > 0)
    parts.push_back(fmt::format("{} of {} translations cut or shortened by the maximum length",
                                cut.targets, cut.translated));
  if (cut.sources > 0)
    parts.push_back(fmt::format("{} of {} source lines cut", cut.sources, cut.translated));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string explain(const CutLines& cut) {
  std::vector<const char*> keys;
  if (cut.targets > 0 && !cut.repeats())
    keys.push_back("search.max_length_ratio or search.max_length_extra");
  if (cut.sources > 0) keys.push_back("search.max_source_length");
  return fmt::format(
      "{}; metrics score what is left{}{}", describe(cut),
      cut.repeats() ? "; most of these translations repeat themselves, as those of "
                      "a model do that is hardly trained"
                    : "",
      keys.empty() ? "" : fmt::format("; a larger {} allows more", fmt::join(keys, ", and ")));
}

bool ScoreIdentity::fits(const ScoreIdentity& other, const ValidationMetric& metric) const {
  if (set != other.set || !metric.translates) return set == other.set;
  const auto own = metrics.find(metric.name), others = other.metrics.find(metric.name);
  const bool has = own != metrics.end(), other_has = others != other.metrics.end();
  return has == other_has && (!has || own->second == others->second);
}

Scores scores_of(const Validations& validations, const ValidationMetric& metric, int64_t after) {
  Scores scores;
  const Validation* last = nullptr;
  for (const Validation& validation : validations) {
    if (validation.update <= after) continue;
    const auto score = validation.score(metric);
    if (!score) continue;
    const bool begins = last != nullptr && !last->identity.fits(validation.identity, metric);
    scores.push_back({*score, begins});
    last = &validation;
  }
  return scores;
}

namespace {

// Validations whose scores can be compared with present scores.
std::vector<const Validation*> comparable(const Validations& validations,
                                          const ValidationMetric& metric) {
  std::vector<const Validation*> some;
  if (validations.empty()) return some;
  const ScoreIdentity& now =
      validations.now.is_known() ? validations.now : validations.back().identity;
  for (const Validation& validation : validations) {
    if (validation.score(metric) && validation.identity.fits(now, metric))
      some.push_back(&validation);
  }
  return some;
}

// NaN losses are ordered last.
double order_of(double loss) { return std::isnan(loss) ? HUGE_VAL : loss; }

// Best first; ties go to the lower loss, then to the earlier validation.
std::vector<const Validation*> ranked(const Validations& validations,
                                      const ValidationMetric& metric) {
  std::vector<const Validation*> all = comparable(validations, metric);
  std::erase_if(all, [&](const Validation* one) { return !std::isfinite(*one->score(metric)); });
  std::stable_sort(all.begin(), all.end(), [&](const Validation* a, const Validation* b) {
    const double first = *a->score(metric), second = *b->score(metric);
    return first != second ? first > second : order_of(a->loss) < order_of(b->loss);
  });
  return all;
}

}  // namespace

const Validation* best_of(const Validations& validations, const ValidationMetric& metric) {
  const auto all = ranked(validations, metric);
  return all.empty() ? nullptr : all.front();
}

int64_t since_best(const Validations& validations, const ValidationMetric& metric) {
  const auto is_at_end = [](const Validation* one) { return one->at_end; };
  std::vector<const Validation*> all = comparable(validations, metric),
                                 best = ranked(validations, metric);
  std::erase_if(all, is_at_end);
  std::erase_if(best, is_at_end);
  return std::ranges::count_if(all, [&](const Validation* one) {
    return best.empty() || one->update > best.front()->update;
  });
}

int64_t incomparable(const Validations& validations, const ValidationMetric& metric) {
  return std::ssize(validations) - std::ssize(comparable(validations, metric));
}

std::vector<int64_t> best_updates(const Validations& validations, const ValidationMetric& metric,
                                  int64_t count) {
  std::vector<int64_t> updates;
  for (const Validation* validation : ranked(validations, metric)) {
    if (static_cast<int64_t>(updates.size()) < count) updates.push_back(validation->update);
  }
  return updates;
}

}  // namespace heed
