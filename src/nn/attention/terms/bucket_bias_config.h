// Settings of the term bucket_bias (bucket_bias.cpp).
#pragma once

#include <vector>

#include "nn/attention/stage_config.h"

namespace heed {

struct BucketBiasConfig final : TermConfig {
  int64_t buckets = 32;
  int64_t max_distance = 128;
  void fields(Fields& f) override;
  bool encodes_positions() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override;
  // The smallest distances of the buckets 1 … n - 1, of n in one direction.
  std::vector<int64_t> first_distances(int64_t n) const;
  // True if keys before and behind a query have separate buckets: not over a decoder's own past.
  static bool is_bidirectional(const AttentionDims& dims) {
    return dims.place != Place::kDecoderSelf;
  }
};

}  // namespace heed
