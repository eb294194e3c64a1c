// Division of a corpus into training, validation and test data, so that no sentence is in two of
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/corpus_choice.h"

namespace heed {

struct SplitOptions {
  CorpusOptions corpus;
  std::vector<std::string> with;       // files parallel to the corpus, such as alignments
  std::optional<int64_t> valid, test;  // pairs; none: 2,000, or a twentieth of a smaller corpus
  uint64_t seed = 1;
  std::string output;  // a folder
  bool force = false;  // files of these names are replaced
};

// Writes the files, all or none, and logs the counts. Throws Error(kUsage) where the output exists or
// too many pairs are to be held out, Error(kData) where the files do not fit together, and what
// choose_corpus() throws.
void split_corpus(const SplitOptions& options);

}  // namespace heed
