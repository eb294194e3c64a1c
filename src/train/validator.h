// Validation of a model: loss and accuracy by teacher forcing; metrics of text by real beam search
// on real text.
#pragma once

#include <vector>

#include "data/evaluation_set.h"
#include "distributed/together.h"
#include "network/network_model.h"
#include "search/search_config.h"
#include "train/parts.h"
#include "train/train_config.h"

namespace heed {

// The identity of the scores of a set: a hash of its text, and for each metric of its translations a
// hash of the settings that differ from their defaults.
ScoreIdentity identity_of(const EvaluationSet& set, const std::vector<std::string>& metrics,
                          const ValidateConfig& config, const SearchConfig& search);
// The identity of a validation.
ScoreIdentity identity_of_validation(const EvaluationSet& set, const ValidateConfig& config,
                                     const SearchConfig& search);

class ModelValidator final : public Validator {
 public:
  ModelValidator(NetworkModel model, const EvaluationSet& set, const ValidateConfig& config,
                 const SearchConfig& search, const Parallelism& parallelism);
  ValidationReport validate(int64_t update) override;

 private:
  // The inputs of a line, with names if there are several.
  std::string read_text(size_t line) const;
  std::vector<Sample> samples(const std::vector<size_t>& lines,
                              const std::vector<std::string>& translations) const;

  NetworkModel model_;
  const EvaluationSet& set_;
  EvaluationSet to_translate_;  // the lines that are translated, with references, without examples
  const ValidateConfig& config_;
  SearchConfig search_;
  ScoreIdentity identity_;
  Parallelism parallelism_;
};

}  // namespace heed
