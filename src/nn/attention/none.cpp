#include "nn/attention/none.h"

#include "nn/torch.h"

namespace heed {

namespace {

class NoAttention final : public Attention {
 public:
  explicit NoAttention(AttentionDims dims) : dims_(std::move(dims)) {}
  void start(const Sources&, StateView) override {}
  void extend(const Tensor&, const Tensor&, const Tensor&, StateView) override {}
  Attended attend(const Tensor& query, const Tensor&, StateView) override {
    Attended nothing;
    nothing.context = torch::zeros({query.size(0), query.size(1), dims_.block},
                                   query.options().requires_grad(false));
    nothing.place = dims_.name;
    return nothing;
  }

 private:
  AttentionDims dims_;
};

}  // namespace

std::shared_ptr<Attention> NoAttentionConfig::build(const AttentionDims& dims) const {
  return std::make_shared<NoAttention>(dims);
}

namespace kinds {
Kind<AttentionConfig> none() {
  return kind<NoAttentionConfig, AttentionConfig>("none", "no attention");
}
}  // namespace kinds

}  // namespace heed
