// Scores of a validation, and functions of all validations so far: the best one, and the number
// since.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "train/schedule.h"
#include "train/score_identity.h"

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

// How many lines of a translated text a limit of search has cut.
struct CutLines {
  int64_t translated = 0;  // all of them
  int64_t targets = 0;     // translations that the maximum length limits
  int64_t repeating = 0;   // of these, those that repeat themselves
  int64_t sources = 0;     // lines that were read up to the maximum number of source tokens
  CutLines& operator+=(const CutLines& other);
  bool any() const { return targets + sources > 0; }
  // True if a larger maximum length would give longer repetitions alone.
  bool repeats() const { return 2 * repeating > targets; }
};
// "6 of 20 translations cut or shortened by the maximum length, 1 source line cut"; "" where nothing was.
std::string describe(const CutLines& cut);
// The same as a warning, with the settings that allow more, or with the repetitions as the reason.
std::string explain(const CutLines& cut);

struct Validation {
  int64_t update = 0;   // after which it was made
  double loss = 0;      // nats a target token, not smoothed
  double accuracy = 0;  // fraction of target tokens that are the most probable ones
  std::map<std::string, double> translated{};  // of translations, by the metric that asked for them
  CutLines cut{};
  ScoreIdentity identity{};
  // True for the one that the end of the training added: it may be the best, but patience does not
  // count it, and a training that goes on forgets it (Trainer).
  bool at_end = false;
  double perplexity() const;
  // By one metric, turned so that larger is better; nullopt where it was not measured.
  std::optional<double> score(const ValidationMetric& metric) const;
};

// In their order. The functions below compare those whose scores have the identity of the scores that
// are made now: of another validation set, or with other settings, they say nothing of the model.
struct Validations : std::vector<Validation> {
  using std::vector<Validation>::vector;
  ScoreIdentity now{};  // unknown: that of the last one
};

// Without those that an end added.
Validations without_ends(Validations validations);

// "loss 1.5956, perplexity 4.93, accuracy 65.18%, BLEU 32.77; 6 of 20 translations cut at …"
std::string describe(const Validation& validation);

// Scores of the validations after an update, in their order, if they were measured by the metric; each
// says whether it can be compared with the one before.
Scores scores_of(const Validations& validations, const ValidationMetric& metric, int64_t after = 0);
// How many cannot be compared by the metric with the scores that are made now: they lack it, or have
// another identity.
int64_t incomparable(const Validations& validations, const ValidationMetric& metric);
// The one with the greatest score, of equal scores the one with the lowest loss, then the first;
// nullptr if there is none. A score that is not finite is never the best.
const Validation* best_of(const Validations& validations, const ValidationMetric& metric);
// How many came after the best one.
int64_t since_best(const Validations& validations, const ValidationMetric& metric);
// The updates of the `count` best, best first.
std::vector<int64_t> best_updates(const Validations& validations, const ValidationMetric& metric,
                                  int64_t count);

}  // namespace heed
