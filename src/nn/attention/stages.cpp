#include "nn/attention/stages.h"

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

Reading Normalizer::read(const ScoredKeys&, const At&) {
  HEED_CHECK(false, "a normalizer that looks at all keys");
}

void check_one_sequence(const KindSettings& stage, const StageDims& dims, Problems& problems) {
  if (dims.place != Place::kCross) return;
  problems.add("", fmt::format("{} compares places in one sequence, and here queries and keys are "
                               "of two: use it in self_attention",
                               stage.type));
}

void check_order(const KindSettings& kind, const AttentionDims& dims, Problems& problems) {
  if (dims.ordered) return;
  problems.add("", fmt::format("{} goes by the order of what is read, and the rows that model.join "
                               "makes have none",
                               kind.type));
}

Tensor distances(const At& at) {
  return at.key_positions.unsqueeze(1) - at.positions.unsqueeze(2);  // [R,T,S]
}

Tensor key_places(const At& at, torch::ScalarType type) {
  return at.key_positions.to(type).unsqueeze(1).unsqueeze(1);
}

}  // namespace heed
