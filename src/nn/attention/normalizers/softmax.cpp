// softmax: over the keys.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

double lowest_score(torch::ScalarType type) {
  return type == torch::kDouble ? -1e300 : type == torch::kHalf ? -6e4 : -1e38;
}

Tensor masked_softmax(const Tensor& scores, const Tensor& mask) {
  // A row without readable keys is 0 after the second fill.
  const Tensor hidden = ~mask;
  return torch::softmax(scores.masked_fill(hidden, lowest_score(scores.scalar_type())), -1)
      .masked_fill(hidden, 0);
}

Tensor masked_max(const Tensor& scores, const Tensor& mask) {
  return scores.masked_fill(~mask, lowest_score(scores.scalar_type()))
      .amax(-1)
      .masked_fill(~mask.any(-1), 0);
}

namespace {

class Softmax final : public Normalizer {
 public:
  Tensor weights(const Tensor& scores, const Tensor& mask, const At&) override {
    return masked_softmax(scores, mask);
  }
};

}  // namespace

std::shared_ptr<Normalizer> builders::softmax(const NormalizerConfig&, const StageDims&) {
  return std::make_shared<Softmax>();
}

}  // namespace heed
