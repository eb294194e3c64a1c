// Replacements of a decoder's self-attention with O(1) per step, without attention weights:
//   average   g_j = FFN(1/j Σ_{k<=j} y_k); i ⊙ y + f ⊙ g with [i; f] = sigmoid(W [y; g] + b)
//             (Zhang et al. 2018, average attention network, equations 1 to 4)
//   ssru      f_t = sigmoid(W_f x_t + b_f); c_t = f_t ⊙ c_{t-1} + (1 - f_t) ⊙ W x_t; relu(c_t)
//             (Kim et al. 2019, simpler simple recurrent unit)
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/light_config.h"
#include "nn/feed_forward.h"
#include "nn/linear.h"

namespace heed {

namespace {

Attended nothing_but(Tensor context) {
  Attended attended;
  attended.context = std::move(context);
  return attended;
}

class Average final : public Attention {
 public:
  Average(const AttentionDims& dims, int64_t hidden)
      : gates_(*this, "gates", 2 * dims.query, 2 * dims.query) {
    feed_forward_ = register_module(
        "feed_forward", std::make_shared<FeedForward>(dims.query, hidden, Activation::kRelu, 0));
  }
  Attended attend_past(const Tensor&, const Tensor& values, const Tensor& query,
                       const Tensor& positions, StateView state) override {
    Tensor sums = values.cumsum(1);  // [R,T,W]
    if (state.has(sum_)) sums = sums + state.get(sum_).unsqueeze(1);
    state.put(sum_, sums.select(1, sums.size(1) - 1));
    const Tensor mean = sums / (positions.unsqueeze(2) + 1);
    const Tensor average = feed_forward_->forward(mean, state.pass());
    const auto gates = torch::sigmoid(gates_(torch::cat({query, average}, 2))).chunk(2, 2);
    return nothing_but(gates[0] * query + gates[1] * average);
  }

 private:
  std::shared_ptr<FeedForward> feed_forward_;
  Linear gates_;
  CarrySlot sum_ = layout_.carry("sum");  // [R,W]
};

class Ssru final : public Attention {
 public:
  explicit Ssru(const AttentionDims& dims)
      : forget_(*this, "forget", dims.query, dims.query),
        input_(*this, "input", dims.query, dims.query, kNoBias) {}
  Attended attend_past(const Tensor&, const Tensor& x, const Tensor&, const Tensor&,
                       StateView state) override {
    const Tensor forget = torch::sigmoid(forget_(x));  // [R,T,W]
    const auto kept = forget.unbind(1), added = ((1 - forget) * input_(x)).unbind(1);
    Tensor cell = state.has(cell_) ? state.get(cell_) : torch::zeros_like(added[0]);  // [R,W]
    std::vector<Tensor> cells;
    for (size_t t = 0; t < kept.size(); ++t) {
      cell = kept[t] * cell + added[t];
      cells.push_back(cell);
    }
    state.put(cell_, cell);
    return nothing_but(torch::relu(torch::stack(cells, 1)));
  }

 private:
  Linear forget_, input_;
  CarrySlot cell_ = layout_.carry("cell");  // [R,W]
};

}  // namespace

std::shared_ptr<Attention> builders::average(const AttentionConfig& config,
                                             const AttentionDims& dims) {
  return std::make_shared<Average>(dims, settings_as<AverageAttentionConfig>(config).feed_forward);
}
std::shared_ptr<Attention> builders::ssru(const AttentionConfig&, const AttentionDims& dims) {
  return std::make_shared<Ssru>(dims);
}

}  // namespace heed
