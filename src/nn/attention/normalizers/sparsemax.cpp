// sparsemax and entmax15 over the readable positions (simplex_projection.h).
#include "nn/simplex_projection.h"

#include "nn/attention/stages.h"
#include "nn/torch.h"

namespace heed {

namespace {

template <SimplexProjection projection>
class Projected final : public Normalizer {
 public:
  Tensor weights(const Tensor& scores, const Tensor& mask, const At&) override {
    return project_on_simplex(scores, projection, mask.expand_as(scores));
  }
};

template <SimplexProjection projection>
struct SimplexConfig final : NormalizerConfig {
  void fields(Fields&) const override {}
  std::shared_ptr<Normalizer> build(const StageDims&) const override {
    return std::make_shared<Projected<projection>>();
  }
};

}  // namespace

namespace kinds {
Kind<NormalizerConfig> sparsemax() {
  return kind<SimplexConfig<SimplexProjection::kSparsemax>, NormalizerConfig>(
      "sparsemax", "sparsemax: Euclidean projection onto the simplex (Martins 2016)");
}
Kind<NormalizerConfig> entmax15() {
  return kind<SimplexConfig<SimplexProjection::kEntmax15>, NormalizerConfig>(
      "entmax15", "entmax with α = 1.5, between softmax and sparsemax (Peters 2019)");
}
}  // namespace kinds

}  // namespace heed
