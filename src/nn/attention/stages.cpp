#include "nn/attention/stages.h"

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

Reading Normalizer::read(const ScoredKeys&, const At&) {
  HEED_CHECK(false, "a normalizer that looks at all keys");
}

void check_one_sequence(const KindSettings& stage, const StageDims& dims, Problems& problems,
                        const char* over_source) {
  if (dims.place != Place::kCross) return;
  problems.add(
      "",
      fmt::format(
          "{} needs queries and keys of the same sequence: use it in self_attention{}", stage.type,
          over_source != nullptr ? fmt::format("; over the source use {}", over_source) : ""));
}

void check_order(const KindSettings& kind, const AttentionDims& dims, Problems& problems) {
  if (dims.source.ordered) return;
  problems.add(
      "", fmt::format("{} needs positions, which the rows of model.join do not have", kind.type));
}

Tensor distances(const At& at) {
  return at.key_positions.unsqueeze(1) - at.positions.unsqueeze(2);  // [R,T,S]
}

Tensor key_positions_as(const At& at, torch::ScalarType type) {
  return at.key_positions.to(type).unsqueeze(1).unsqueeze(1);
}

}  // namespace heed
