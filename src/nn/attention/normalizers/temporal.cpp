// temporal: intra-temporal attention (Paulus et al. 2018, section 2.1, equations 2 to 4),
//   e'_ti = exp(e_ti) / Σ_{j<t} exp(e_ji),  e'_1i = exp(e_1i);   a_ti = e'_ti / Σ_k e'_tk,
// as the softmax of e_ti - L_ti, where L_ti is the log of the sum. The sum is over the queries that
// could read the key; for the first of these, L is 0.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

namespace {

constexpr double kNever = -1e38;  // log of a sum of nothing; finite, so that gradients are

class Temporal final : public Normalizer {
 public:
  Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) override {
    const StateView& state = at.normalizer_state;
    // Over a past, each hypothesis is a row.
    const int64_t hypotheses = scores.size(0) == state.rows() ? 1 : state.hypotheses();
    const Tensor own = heads_by_hypothesis(scores.masked_fill(~mask, kNever), hypotheses);
    const Tensor past = log_sums_before(own, state);                 // [R,H,1,S]
    const Tensor sums = torch::cat({past, own}, 2).logcumsumexp(2);  // [R,H,1+T,S]
    state.put(log_sums_, sums.select(2, own.size(2)));
    const Tensor before = sums.narrow(2, 0, own.size(2));
    return masked_softmax(
        scores - heads_by_sentence(before.masked_fill(before <= kNever / 2, 0), hypotheses), mask);
  }

 private:
  // L after the last query of each hypothesis; keys may have been added since.
  Tensor log_sums_before(const Tensor& own, const StateView& state) const {
    if (!state.has(log_sums_)) return torch::full_like(own.narrow(2, 0, 1), kNever);
    const Tensor& stored = state.get(log_sums_);
    return torch::constant_pad_nd(stored, {0, own.size(3) - stored.size(2)}, kNever).unsqueeze(2);
  }

  CarrySlot log_sums_ = layout_.carry("log_sums", kNever);  // [R,H,S]
};

}  // namespace

std::shared_ptr<Normalizer> builders::temporal(const NormalizerConfig&, const StageDims&) {
  return std::make_shared<Temporal>();
}

}  // namespace heed
