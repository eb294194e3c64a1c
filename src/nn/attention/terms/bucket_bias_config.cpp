#include "nn/attention/terms/bucket_bias_config.h"

#include <cmath>

#include "base/error.h"
#include "config/sizes.h"

namespace heed {

namespace {

constexpr IntRange kBuckets{2, 65'000};

}  // namespace

void BucketBiasConfig::fields(Fields& f) {
  f.field("buckets", buckets, kBuckets,
          "number of buckets; keys before and behind the query have half of them each, except in "
          "the self-attention of a decoder");
  f.field("max_distance", max_distance, kLengths,
          "distance from which on all share the last bucket");
}

void BucketBiasConfig::check(const StageDims& dims, Problems& problems) const {
  check_one_sequence(*this, dims, problems);
  const bool both = is_bidirectional(dims);
  if (both && (buckets < 4 || buckets % 2 != 0))
    problems.add("buckets", fmt::format("found {}, expected an even number, at least 4: keys "
                                        "before and behind the query have half of them each",
                                        buckets));
  const int64_t single = buckets / (both ? 4 : 2);
  if (max_distance <= single)
    problems.add("max_distance",
                 fmt::format("found {}, expected more than {}: the distances below that have a "
                             "bucket each",
                             max_distance, single));
}

std::vector<int64_t> BucketBiasConfig::first_distances(int64_t n) const {
  const int64_t single = n / 2;  // m
  const auto m = static_cast<double>(single), ratio = static_cast<double>(max_distance) / m;
  std::vector<int64_t> first;
  for (int64_t bucket = 1; bucket < n; ++bucket) {
    constexpr double kRounding = 1e-9;  // of a power that is a whole number
    const double part = static_cast<double>(bucket - single) / static_cast<double>(n - single);
    first.push_back(
        bucket <= single ? bucket : std::llround(std::ceil(m * std::pow(ratio, part) - kRounding)));
  }
  return first;
}

namespace kinds {
Kind<TermConfig> bucket_bias() {
  return kind<BucketBiasConfig, TermConfig>(
      "bucket_bias",
      "adds a learned bias for each bucket of distances (Raffel 2020, T5); with positions: none");
}
}  // namespace kinds

}  // namespace heed
