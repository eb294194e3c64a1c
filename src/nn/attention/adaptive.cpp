// `type: adaptive`: a learned number of hops for each query (Graves 2016, Adaptive Computation
// Time, equations 5 to 14). After hop n, which gives the next query s_n, the halting unit is h_n =
// sigmoid(wᵀ s_n + b); a query ends at the first N with Σ_{n<=N} h_n >= 1 - ε, or at the maximum.
// The context vector is Σ_n p_n s_n with the halting probabilities p_n = h_n, and for the last hop
// the remainder R = 1 - Σ_{n<N} h_n. The ponder cost N + R is an auxiliary loss. b is 1 at first,
// so that queries have few hops (section 3 there).
#include "nn/torch.h"

#include "nn/attention/adaptive_config.h"
#include "nn/attention/builders.h"
#include "nn/attention/rereading.h"
#include "nn/linear.h"

namespace heed {

namespace {

class Adaptive final : public Rereading {
 public:
  Adaptive(const AdaptiveAttentionConfig& config, const AttentionDims& dims)
      : Rereading(config, dims, config.most),
        config_(config),
        halt_(*this, "halt", dims.query, 1, {.first_bias = 1}) {}

 private:
  Attended reread(const Tensor& query, const Read& read) override {
    Attended result;
    Tensor next = query;                                                     // [R,T,W]
    Tensor halted = torch::zeros_like(query.select(2, 0)), ponder = halted;  // [R,T]
    Tensor active = torch::ones_like(halted, torch::kBool);                  // [R,T]
    for (int64_t n = 0; n < hops(); ++n) {
      Attended attended = read(n, next);
      next = updated(next, attended.context);
      const Tensor halts = torch::sigmoid(halt_(next).squeeze(2));
      const Tensor last =
          n + 1 == hops() ? active : active & (halted + halts >= 1 - config_.epsilon);
      const Tensor p = torch::where(last, 1 - halted, halts) * active;  // p_n, 0 once halted
      result.context = add(result.context, p.unsqueeze(2) * next);
      if (attended.weights.defined())
        result.weights = add(result.weights, p.unsqueeze(1).unsqueeze(3) * attended.weights);
      ponder = ponder + active.to(ponder.scalar_type()) + torch::where(last, p, 0 * p);
      halted = halted + p;
      active = active & ~last;
      result.losses.insert(result.losses.end(), attended.losses.begin(), attended.losses.end());
      result.parts.push_back(std::move(attended));
    }
    result.losses.push_back({.name = "ponder", .value = ponder, .weight = config_.ponder});
    return result;
  }

  static Tensor add(const Tensor& sum, const Tensor& more) {
    return sum.defined() ? sum + more : more;
  }

  AdaptiveAttentionConfig config_;
  Linear halt_;
};

}  // namespace

std::shared_ptr<Attention> builders::adaptive(const AttentionConfig& config,
                                              const AttentionDims& dims) {
  return std::make_shared<Adaptive>(settings_as<AdaptiveAttentionConfig>(config), dims);
}

}  // namespace heed
