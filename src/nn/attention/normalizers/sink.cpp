// Softmax with a sink: one more score b, of a key without a value, so that the weights of the
// readable keys sum to less than 1 and a head may read nothing.
//   off_by_one   a_s = exp(e_s) / (1 + Σ_j exp(e_j)), b = 0 (Miller 2023, "Attention is off by one")
//   sink         a_s = exp(e_s) / (exp(b) + Σ_j exp(e_j)), b learned for each head (Agarwal et al.
//                2025, gpt-oss; Xiao et al. 2024, StreamingLLM, has a learned key)
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

namespace {

// sink [H,1,1] or [1]
Tensor softmax_beside(const Tensor& scores, const Tensor& mask, const Tensor& sink) {
  const Tensor hidden = ~mask;
  const Tensor open = scores.masked_fill(hidden, lowest_score(scores.scalar_type()));
  const Tensor beside = sink.expand({scores.size(0), scores.size(1), scores.size(2), 1});
  return torch::softmax(torch::cat({open, beside}, 3), 3)
      .narrow(3, 0, scores.size(3))
      .masked_fill(hidden, 0);
}

class OffByOne final : public Normalizer {
 public:
  Tensor weights(const Tensor& scores, const Tensor& mask, const At&) override {
    return softmax_beside(scores, mask, scores.new_zeros({1}));
  }
};

class Sink final : public Normalizer {
 public:
  explicit Sink(int64_t heads) { logit_ = add_parameter("logit", {heads}, Init::all(0)); }
  Tensor weights(const Tensor& scores, const Tensor& mask, const At&) override {
    return softmax_beside(scores, mask, logit_.view({-1, 1, 1}));
  }

 private:
  Tensor logit_;  // b [H]
};

}  // namespace

std::shared_ptr<Normalizer> builders::off_by_one(const NormalizerConfig&, const StageDims&) {
  return std::make_shared<OffByOne>();
}

std::shared_ptr<Normalizer> builders::sink(const NormalizerConfig&, const StageDims& dims) {
  return std::make_shared<Sink>(dims.heads);
}

}  // namespace heed
