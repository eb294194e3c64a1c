// Linear attention over a decoder's past with decay, O(1) a step (`type: gated_linear`). For each
// head, with q_t, k_t [D] and v_t [V]:
//   S_t = Diag(α_t) S_{t-1} + k_t v_tᵀ,  o_t = S_tᵀ q_t / √D
//   y_t = W_O (swish(W_R x_t + b_R) ⊙ [norm(o_t) of all heads])
//   fixed   α_t = 1 - 2^(-5-h) of head h from 0; q_t and k_t are rotated by their positions (Sun et
//           al. 2023, RetNet, equations 6 to 8). The scores are not normalized (section 2.1), because
//           the norm removes any factor of o_t.
//   gated   α_t = sigmoid(W_2 W_1 x_t + b)^(1/τ) [D] (Yang et al. 2024, GLA, section 4.4)
// The norm is RMSNorm with gains that the heads share, as in the authors' code. Keys and values have
// the width of the model; values of RetNet have twice this width, keys of GLA half of it.
//
// Several tokens are computed chunk by chunk (Yang et al. 2024, section 4.1), with B the cumulative
// sums of log α in a chunk that begins with S: o_i = S q_i exp(B_i) + Σ_{j<=i} (q_i · k_j exp(B_i -
// B_j)) v_j. All exponents are negative or 0.
#include <algorithm>
#include <cmath>
#include <vector>

#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/gated_linear_config.h"
#include "nn/attention/heads.h"
#include "nn/attention/rotation.h"
#include "nn/linear.h"
#include "nn/rms_norm.h"

namespace heed {

namespace {

// Pads dimension 2 by zeros and splits it into chunks.  [R,H,T,D] -> [R,H,P,C,D]
Tensor in_chunks(const Tensor& x, int64_t count, int64_t size) {
  return torch::constant_pad_nd(x, {0, 0, 0, count * size - x.size(2)}).unflatten(2, {count, size});
}

// log α of each token
class Decay : public Module {
 public:
  // x [R,T,W] -> [1|R,H,T,1|D], not positive
  virtual Tensor logarithms(const Tensor& x) const = 0;
  // Queries or keys [R,H,T,D] at positions [R,T].
  virtual Tensor turned(const Tensor& x, const Tensor& positions) const { return x; }
};

class Fixed final : public Decay {
 public:
  Fixed(const FixedDecay& config, int64_t heads) : rotary_(config.rotary), heads_(heads) {}
  Tensor logarithms(const Tensor& x) const override {
    const Tensor powers = torch::pow(2.0, -5 - torch::arange(heads_, x.options()));
    return torch::log1p(-powers).view({1, -1, 1, 1}).expand({1, -1, x.size(1), 1});
  }
  Tensor turned(const Tensor& x, const Tensor& positions) const override {
    if (!rotary_) return x;
    // 10000^(-i/(D/2-1)), as in the authors' code
    const Tensor theta = torch::pow(
        10000.0, -torch::linspace(0, 1, x.size(3) / 2, x.options().requires_grad(false)));
    return rotated(x, positions, theta);
  }

 private:
  bool rotary_;
  int64_t heads_;
};

class Gated final : public Decay {
 public:
  Gated(const GatedDecay& config, int64_t width, int64_t heads)
      : temperature_(config.temperature),
        heads_(heads),
        down_(*this, "down", width, config.rank, kNoBias),
        up_(*this, "up", config.rank, width) {}
  Tensor logarithms(const Tensor& x) const override {
    return split_heads(torch::log_sigmoid(up_(down_(x))) / temperature_, heads_);
  }

 private:
  double temperature_;
  int64_t heads_;
  Linear down_, up_;
};

class GatedLinear final : public Attention {
 public:
  GatedLinear(const AttentionDims& dims, int64_t heads, std::shared_ptr<Decay> decay)
      : heads_(heads),
        query_(*this, "query", dims.query, dims.query, kNoBias),
        key_(*this, "key", dims.query, dims.query, kNoBias),
        value_(*this, "value", dims.query, dims.query, kNoBias),
        gate_(*this, "gate", dims.query, dims.query),
        output_(*this, "output", dims.query, dims.query, kNoBias),
        decay_(register_module("decay", std::move(decay))),
        norm_(register_module("norm", std::make_shared<RmsNorm>(dims.query / heads))) {}

  Attended attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                       const Tensor& positions, StateView state) override {
    const Tensor q = decay_->turned(split_heads(query_(query), heads_), positions),
                 k = decay_->turned(split_heads(key_(keys), heads_), positions),
                 v = split_heads(value_(values), heads_);
    const double root = std::sqrt(static_cast<double>(q.size(3)));
    const Tensor heads = read(q / root, k, v, decay_->logarithms(keys), state);  // [R,H,T,V]
    Attended attended;
    attended.context = output_(torch::silu(gate_(query)) * join_heads((*norm_)(heads)));
    return attended;
  }

 private:
  Tensor read(const Tensor& queries, const Tensor& keys, const Tensor& values,
              const Tensor& log_decay, const StateView& state) const {
    constexpr int64_t kChunk = 16;
    const int64_t length = queries.size(2), size = std::min(kChunk, length),
                  count = (length + size - 1) / size;
    const Tensor q = in_chunks(queries, count, size), k = in_chunks(keys, count, size),
                 v = in_chunks(values, count, size);                  // [R,H,P,C,D]
    const Tensor sums = in_chunks(log_decay, count, size).cumsum(3);  // B [1|R,H,P,C,1|D]
    const Tensor whole = sums.narrow(3, size - 1, 1);                 // [1|R,H,P,1,1|D]
    const Tensor added = torch::matmul((k * (whole - sums).exp()).transpose(3, 4), v);
    const Tensor before =
        states_before(whole.exp().transpose(3, 4), added, state);  // S [R,H,P,D,V]
    const Tensor contexts = torch::matmul(q * sums.exp(), before) +
                            torch::matmul(scores_inside(q, k, sums), v);  // [R,H,P,C,V]
    return contexts.flatten(2, 3).narrow(2, 0, length);
  }

  // The states at the begin of each chunk, of the factors [1|R,H,P,1|D,1] and summands [R,H,P,D,V]
  // of the chunks; stores the last one.
  Tensor states_before(const Tensor& factors, const Tensor& added, const StateView& state) const {
    const auto by_factor = factors.unbind(2), by_sum = added.unbind(2);
    Tensor sum = state.has(sum_) ? state.get(sum_) : torch::zeros_like(by_sum[0]);
    std::vector<Tensor> before;
    for (size_t p = 0; p < by_sum.size(); ++p) {
      before.push_back(sum);
      sum = by_factor[p] * sum + by_sum[p];
    }
    state.put(sum_, sum);
    return torch::stack(before, 2);
  }

  // q_i · k_j exp(B_i - B_j) for j <= i, else 0.  [R,H,P,C,C]
  static Tensor scores_inside(const Tensor& q, const Tensor& k, const Tensor& sums) {
    const int64_t size = q.size(3);
    const Tensor hidden = torch::ones({size, size}, q.options().dtype(torch::kBool)).triu(1);
    if (sums.size(4) == 1) {
      const Tensor decay = (sums - sums.transpose(3, 4)).masked_fill(hidden, 0).exp();
      return (torch::matmul(q, k.transpose(3, 4)) * decay).masked_fill(hidden, 0);
    }
    const Tensor decay = (sums.unsqueeze(4) - sums.unsqueeze(3))  // [R,H,P,C,C,D]
                             .masked_fill(hidden.unsqueeze(2), 0)
                             .exp();
    return (q.unsqueeze(4) * k.unsqueeze(3) * decay).sum(5).masked_fill(hidden, 0);
  }

  int64_t heads_;
  Linear query_, key_, value_, gate_, output_;
  std::shared_ptr<Decay> decay_;
  std::shared_ptr<RmsNorm> norm_;
  CarrySlot sum_ = layout_.carry("sum");  // S [R,H,D,V]
};

}  // namespace

std::shared_ptr<Attention> builders::gated_linear(const AttentionConfig& config,
                                                  const AttentionDims& dims) {
  const auto& settings = settings_as<GatedLinearConfig>(config);
  const int64_t heads = settings.head_count(dims);
  std::shared_ptr<Decay> decay;
  if (const auto* gated = dynamic_cast<const GatedDecay*>(settings.decay.get())) {
    decay = std::make_shared<Gated>(*gated, dims.query, heads);
  } else {
    decay = std::make_shared<Fixed>(settings_as<FixedDecay>(*settings.decay), heads);
  }
  return std::make_shared<GatedLinear>(dims, heads, std::move(decay));
}

}  // namespace heed
