// Checks of `data.augment`, and samples of what it makes of the training text.
#pragma once

#include <string>
#include <vector>

#include "nn/needs_spec.h"
#include "run/phase_batches.h"
#include "run/run_config.h"

namespace heed {

// Reports modifiers that lack what they need, and inputs whose text or annotations they would break.
void check_augmentation(const RunConfig& config, const Needs& needs, Problems& problems);

// Facts about the augmented text, from pairs at equal distances.
struct AugmentedText {
  int64_t longest_read = 0;  // length in pieces of the longest source, or text of a language model
  std::vector<std::string> warnings{};  // of modifiers that write tokens outside the vocabularies
};
AugmentedText survey_augmented(const ParallelCorpus& corpus, const PairEncoder& encoder,
                               const std::vector<std::string>& sides, int64_t seed);

// The first augmented pairs of the first epoch, each as two lines: as it is, and augmented.
std::vector<std::string> augmented_samples(const ParallelCorpus& corpus, int64_t seed,
                                           size_t count);

}  // namespace heed
