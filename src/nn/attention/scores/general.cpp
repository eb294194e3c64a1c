// general: qᵀ W k (Luong et al. 2015, equation 8).
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/gradient_sum.h"
#include "nn/linear.h"

namespace heed {

namespace {

// W goes to the keys, which are prepared once a sentence; with several heads each has its own rows
// of W.
class GeneralScorer final : public Scorer {
 public:
  explicit GeneralScorer(const StageDims& dims)
      : heads_(dims.heads), key_(*this, "key", dims.source.key, dims.query, kNoBias) {}
  Tensor prepare_queries(const Tensor& x, const Tensor&) override { return split_heads(x, heads_); }
  Tensor prepare_keys(const Tensor& x, const Tensor&) override {
    return split_heads(key_(x), heads_);
  }
  Tensor score(const At& at) override {
    return step_product_transposed(at.queries, at.keys);  // [R,H,T,S]
  }

 private:
  int64_t heads_;
  Linear key_;
};

}  // namespace

std::shared_ptr<Scorer> builders::general(const ScorerConfig&, const StageDims& dims) {
  return std::make_shared<GeneralScorer>(dims);
}

}  // namespace heed
