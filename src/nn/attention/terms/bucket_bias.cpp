// bucket_bias: a learned number for each head and bucket of the distance j - i is added to the
// scores (Raffel et al. 2020, T5, section 2.1). With n buckets, the distances below m = n/2 have one
// each, and d from m on the bucket m + ⌊log(d/m) / log(D/m) · (n - m)⌋, at most n - 1, where D is
// max_distance (mesh_tensorflow, _relative_position_bucket). Keys before the query have the buckets
// 0 … n - 1 of n = buckets/2, keys behind it those from n on; over a decoder's past n = buckets.
// T5 shares the numbers between its layers; here each layer has its own.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/terms/bucket_bias_config.h"

namespace heed {

namespace {

class BucketBias final : public Term {
 public:
  BucketBias(const BucketBiasConfig& config, const StageDims& dims)
      : both_(config.is_bidirectional(dims)),
        buckets_(config.buckets / (both_ ? 2 : 1)),
        first_(torch::tensor(config.first_distances(buckets_))) {
    bias_ = add_parameter("bias", {config.buckets, dims.heads}, Init::all(0));
  }
  Tensor add_to(const Tensor& scores, const At& at) override {
    const Tensor away = distances(at);  // [R,T,S]
    // Positions behind all keys are masked, and so is what is behind a query of a past.
    const Tensor size = both_ ? away.abs() : away.neg().clamp_min(0);
    Tensor rows = torch::bucketize(size.contiguous(), first_.to(size.device()), false, true);
    if (both_) rows = rows + (away > 0) * buckets_;
    return scores + torch::embedding(bias_, rows).permute({0, 3, 1, 2});  // [R,H,T,S]
  }

 private:
  bool both_;
  int64_t buckets_;  // n
  Tensor first_;     // [n-1]
  Tensor bias_;      // [buckets,H]
};

}  // namespace

std::shared_ptr<Term> builders::bucket_bias(const TermConfig& config, const StageDims& dims) {
  return std::make_shared<BucketBias>(settings_as<BucketBiasConfig>(config), dims);
}

}  // namespace heed
