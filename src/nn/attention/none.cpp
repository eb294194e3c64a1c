// `type: none` (none_config.h).
#include "nn/torch.h"

#include "nn/attention/builders.h"

namespace heed {

namespace {

class NoAttention final : public Attention {
 public:
  explicit NoAttention(int64_t width) : width_(width) {}
  void start(const Sources&, StateView) override {}
  Attended attend(const Tensor& query, const Tensor&, StateView) override {
    return nothing_for(query);
  }
  Attended attend_past(const Tensor&, const Tensor&, const Tensor& query, const Tensor&,
                       StateView) override {
    return nothing_for(query);
  }

 private:
  Attended nothing_for(const Tensor& query) const {
    Attended nothing;
    nothing.context =
        torch::zeros({query.size(0), query.size(1), width_}, query.options().requires_grad(false));
    return nothing;
  }

  int64_t width_;  // 0 outside a block
};

}  // namespace

std::shared_ptr<Attention> builders::none(const AttentionConfig&, const AttentionDims& dims) {
  return std::make_shared<NoAttention>(dims.block);
}

}  // namespace heed
