// The augmented pairs of an epoch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/epoch_lengths.h"

namespace heed {

struct AugmentCount {
  int64_t pairs = 0, augmented = 0;  // of the epoch
  int64_t unfit = 0;  // pairs that stay as they are, since they would be too long or uneven
  std::vector<int64_t> by_modifier;  // in the order of modifier_names()
  // "augmented 812 of 2,000 pairs: upper_case 101, typos 720; 3 would exceed a limit of data and stay
  // as they are"
  std::string text() const;
};

struct AugmentedEpoch {
  EpochLengths lengths;
  AugmentCount count{};
};

}  // namespace heed
