// The work of `heed align`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "align/alignment_model.h"
#include "data/corpus_choice.h"

namespace heed {

struct AlignmentOptions {
  CorpusOptions corpus{};
  std::optional<std::string> tokenizer{};
  bool cased = false;
  AlignerOptions aligner{};
  Symmetrization symmetrization = Symmetrization::kGrowDiagFinalAnd;
  std::optional<std::string> load{}, save{};  // files of an alignment model
  std::string output = "-";
  std::optional<std::string> forward{}, reverse{}, scores{}, lexicon{}, gold{};
  int64_t workers = 1;
};

void run_alignment(const AlignmentOptions& options);

}  // namespace heed
