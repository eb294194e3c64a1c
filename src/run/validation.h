// Scores of a validation, and functions of all validations so far: the best one, and the number of
// validations since.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "run/score_identity.h"
#include "train/schedule_config.h"
#include "train/validation_config.h"

namespace heed {

// Number of lines of a translated text that a limit of search has cut.
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
// "6 of 20 translations cut or shortened by the maximum length, 1 source line cut"; "" if nothing
// was cut.
std::string describe(const CutLines& cut);
// The same as a warning, with the settings that allow more, or with the repetitions as the reason.
std::string explain(const CutLines& cut);

struct Validation {
  int64_t update = 0;   // update after which it was made
  double loss = 0;      // nats per target token, not smoothed
  double accuracy = 0;  // fraction of target tokens that are the most probable ones
  std::map<std::string, double> translated{};  // scores of translations by metric
  CutLines cut{};
  ScoreIdentity identity{};
  // True for the one that the end of the training added: it may be the best, but patience does not
  // count it, and a training that goes on forgets it (Trainer).
  bool at_end = false;
  double perplexity() const;
  // Score by one metric, with a sign such that larger is better; nullopt if it was not measured.
  std::optional<double> score(const ValidationMetric& metric) const;
};

// Validations in order. The functions below compare only those whose scores have the identity of
// present scores: scores on another validation set, or with other settings, say nothing about the
// model.
struct Validations : std::vector<Validation> {
  using std::vector<Validation>::vector;
  ScoreIdentity now{};  // if unknown, the identity of the last validation
};

// The validations, except the ones that the end of a training added.
Validations without_ends(Validations validations);

// "loss 1.5956, perplexity 4.93, accuracy 65.18%, BLEU 32.77; 6 of 20 translations cut at …"
std::string describe(const Validation& validation);

// Scores of the validations after an update, in order, if they were measured by the metric. Each
// score states whether it can be compared with the previous one.
Scores scores_of(const Validations& validations, const ValidationMetric& metric, int64_t after = 0);
// Number of validations that cannot be compared by the metric with present scores: they lack it, or
// have another identity.
int64_t incomparable(const Validations& validations, const ValidationMetric& metric);
// The validation with the highest score. Ties go to the lowest loss, then to the first. nullptr if
// there is none. A score that is not finite is never the best.
const Validation* best_of(const Validations& validations, const ValidationMetric& metric);
// Number of validations after the best one, except the ones that the end of a training added.
int64_t since_best(const Validations& validations, const ValidationMetric& metric);
// Updates of the `count` best validations, best first.
std::vector<int64_t> best_updates(const Validations& validations, const ValidationMetric& metric,
                                  int64_t count);

}  // namespace heed
