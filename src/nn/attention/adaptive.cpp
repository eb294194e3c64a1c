// `type: adaptive`: a learned number of hops for each query (Graves 2016, Adaptive Computation
// Time; nn/halting.h). Hop n gives the next query s_n, and the context vector is Σ_n p_n s_n with
// the halting probabilities p_n. The ponder cost is an auxiliary loss.
#include "nn/torch.h"

#include "nn/attention/adaptive_config.h"
#include "nn/attention/builders.h"
#include "nn/attention/rereading.h"
#include "nn/halting.h"

namespace heed {

namespace {

class Adaptive final : public Rereading {
 public:
  Adaptive(const AdaptiveAttentionConfig& config, const AttentionDims& dims)
      : Rereading(config, dims, config.halting.most),
        ponder_(config.halting.ponder),
        halting_(*this, "halt", config.halting, dims.query) {}

 private:
  Attended reread(const Tensor& query, const Read& read) override {
    Attended result;
    Tensor next = query;  // [R,T,W]
    HaltingRows rows(halting_);
    for (int64_t n = 0; n < hops(); ++n) {
      Attended attended = read(n, next);
      next = updated(next, attended.context);
      const Tensor p = rows.next(next);  // p_n [R,T]
      result.context = add(result.context, p.unsqueeze(2) * next);
      result.form = attended.form;
      if (attended.weights.defined())
        result.weights = add(result.weights, p.unsqueeze(1).unsqueeze(3) * attended.weights);
      result.losses.insert(result.losses.end(), attended.losses.begin(), attended.losses.end());
      result.parts.push_back(std::move(attended));
    }
    result.losses.push_back({.name = "ponder", .value = rows.ponder(), .weight = ponder_});
    return result;
  }

  static Tensor add(const Tensor& sum, const Tensor& more) {
    return sum.defined() ? sum + more : more;
  }

  double ponder_;  // weight τ of the ponder cost
  Halting halting_;
};

}  // namespace

std::shared_ptr<Attention> builders::adaptive(const AttentionConfig& config,
                                              const AttentionDims& dims) {
  return std::make_shared<Adaptive>(settings_as<AdaptiveAttentionConfig>(config), dims);
}

}  // namespace heed
