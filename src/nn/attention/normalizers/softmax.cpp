#include "nn/attention/normalizers/softmax.h"

#include "nn/torch.h"

namespace heed {

namespace {

class Softmax final : public Normalizer {
 public:
  Tensor weights(const Tensor& scores, const Tensor& mask, const At&) override {
    // The lowest finite score, not -∞: a row with nothing to read must not become NaN, and is 0
    // after the second fill.
    const double lowest = scores.scalar_type() == torch::kDouble ? -1e300
                          : scores.scalar_type() == torch::kHalf ? -6e4
                                                                 : -1e38;
    const Tensor hidden = ~mask;
    return torch::softmax(scores.masked_fill(hidden, lowest), -1)
        .masked_fill(hidden, 0);  // [R,H,T,S]
  }
};

}  // namespace

std::shared_ptr<Normalizer> SoftmaxConfig::build(const StageDims&) const {
  return std::make_shared<Softmax>();
}

}  // namespace heed
