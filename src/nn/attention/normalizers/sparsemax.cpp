// sparsemax and entmax15 over the readable positions (simplex_projection.h).
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/simplex_projection.h"

namespace heed {

namespace {

template <SimplexProjection projection>
class Projected final : public Normalizer {
 public:
  Tensor weights(const Tensor& scores, const Tensor& mask, const At&) override {
    return project_on_simplex(scores, projection, mask.expand_as(scores));
  }
};

}  // namespace

std::shared_ptr<Normalizer> builders::sparsemax(const NormalizerConfig&, const StageDims&) {
  return std::make_shared<Projected<SimplexProjection::kSparsemax>>();
}

std::shared_ptr<Normalizer> builders::entmax15(const NormalizerConfig&, const StageDims&) {
  return std::make_shared<Projected<SimplexProjection::kEntmax15>>();
}

}  // namespace heed
