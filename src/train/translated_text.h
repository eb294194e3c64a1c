// Translating an evaluation set and scoring it: for validation by translations and for tests at the
// end of a run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/evaluation_set.h"
#include "distributed/together.h"
#include "network/network_model.h"
#include "run/validation.h"
#include "train/train_config.h"
#include "translate/batch_translator.h"

namespace heed {

struct TextScore {
  std::string metric;  // its name in metric/registry.h
  double value = 0;
  std::string line;  // as printed: signature, value, details
  std::string signature;
  CutLines cut{};  // of the translations that were scored
};

struct TranslatedText {
  std::vector<std::string> lines;
  CutLines cut;
};

// Raw line to raw line, by beam search; each process translates its share and gets all. Throws
// Interrupted between two batches if a signal has arrived, and in all processes NotANumber if one
// of them finds probabilities that are not numbers.
TranslatedText translate(const NetworkModel& model, const std::vector<SourceLine>& lines,
                         const SearchConfig& search, const Parallelism& parallelism);
// Line i of every source.
std::vector<SourceLine> source_lines(const EvaluationSet& set);
// Translations of a set against its references, by a metric of metric/registry.h.
TextScore score_text(const ValidateConfig& config, const std::string& metric,
                     const std::vector<std::string>& hypotheses, const EvaluationSet& set);

}  // namespace heed
