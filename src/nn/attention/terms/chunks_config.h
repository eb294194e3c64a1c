// Settings of the term chunks (chunks.cpp).
#pragma once

#include "nn/attention/stage_config.h"

namespace heed {

struct ChunksConfig final : TermConfig {
  enum class Combine { kScale, kChunk };
  Combine combine = Combine::kScale;
  int64_t hidden = 128;
  void fields(Fields& f) override;
  std::vector<const char*> features() const override;
  void check(const StageDims& dims, Problems& problems) const override;
};

}  // namespace heed
