// Cleaning of a parallel corpus: pairs that a filter has a reason against are dropped.
//
// The corpus is read twice. The first time a sample is drawn, from which filters learn what is usual
// (corpus_profile.h); the second time the filters are applied, in batches and by several threads.
// Memory does not grow with the corpus but for duplicates (16 to 32 bytes for each filter of them and
// each distinct pair, twice, since pairs are counted alone and first) and for scores (12 bytes a pair).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clean/clean_report.h"
#include "clean/pair_filter.h"
#include "data/corpus_choice.h"

namespace heed {

struct CleanOptions {
  CorpusOptions corpus;
  FilterInputs inputs;
  std::vector<std::string> outputs;       // as many as the corpus has files; none: only a report
  std::optional<std::string> settings{};  // file of the settings, which is no output
  std::optional<std::string> rejected;    // file of the dropped pairs with their reasons
  int64_t samples = 10;
  uint64_t seed = 1;
  int64_t workers = 1;  // threads
};

// Throws Error(kUsage) for outputs that do not fit, Error(kData) for files that do not fit together,
// and what choose_corpus() throws. All outputs appear together, or none.
CleanReport clean_corpus(const CleanOptions& options, const CleanConfig& config);

}  // namespace heed
