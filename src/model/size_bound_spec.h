// An upper bound on the size of a model, from its config alone. The shapes of the parameters are
// known only to the modules (model_size.h); the bound is far above their sum, but enough to see that
// a small model is small.
#pragma once

#include <cstdint>

#include "model/saved_model_config.h"

namespace heed {

inline constexpr int64_t kMostTensors = 200'000;  // that a model may have

struct SizeBound {
  double tensors = 0;  // parameters and buffers
  double numbers = 0;  // in all of them
  double bytes() const { return 4 * numbers; }
};

SizeBound size_bound(const ModelConfig& config, const VocabularySizes& sizes);

}  // namespace heed
