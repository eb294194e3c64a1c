#include "nn/attention/stages.h"

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

SparseWeights Normalizer::read(const ScoredKeys&, const At&) {
  HEED_CHECK(false, "a normalizer that looks at all keys");
}

Tensor distances(const At& at) {
  return at.key_positions.unsqueeze(1) - at.positions.unsqueeze(2);  // [R,T,S]
}

Tensor key_positions_as(const At& at, torch::ScalarType type) {
  return at.key_positions.to(type).unsqueeze(1).unsqueeze(1);
}

}  // namespace heed
