// Chooses the pairs of a corpus that are held out for validation and test.
#pragma once

#include <cstdint>
#include <vector>

#include "data/sentence_groups.h"

namespace heed {

enum class CorpusPart : uint8_t { kTrain, kValid, kTest };

struct HeldOut {
  int64_t valid = 0, test = 0;  // pairs
};

// The part of each pair: pairs are drawn at random, and with each its whole group, until the sets have
// as many as wanted. A group of more than a fiftieth of a set stays in training, and so does one that
// does not fit in any more; where the sets are not full then, they may have larger groups. A set has fewer
// pairs than wanted only where no group is left that fits. The same seed gives the same parts.
std::vector<CorpusPart> hold_out(const SentenceGroups& groups, const HeldOut& wanted,
                                 uint64_t seed);

}  // namespace heed
