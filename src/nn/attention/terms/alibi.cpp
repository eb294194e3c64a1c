// alibi: -m_h |i - j| is added to the scores, with slopes m_h = 2^(-8h/H) for h = 1 … H that are not
// learned (Press et al. 2022, section 3). If H is not a power of two, the first P heads have those of
// P heads, where P is the power of two below H, and the others have the 1st, 3rd, … of 2P heads (the
// authors' code).
#include <bit>

#include "nn/torch.h"

#include "nn/attention/builders.h"

namespace heed {

namespace {

class Alibi final : public Term {
 public:
  explicit Alibi(int64_t heads) : heads_(heads) {}
  Tensor add_to(const Tensor& scores, const At& at) override {
    const auto power = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(heads_)));  // P
    const auto options = scores.options().requires_grad(false);
    const Tensor ordinals = torch::cat(
        {torch::arange(1, power + 1, options), torch::arange(heads_ - power, options) + 0.5});
    const Tensor slopes =
        torch::pow(2.0, ordinals * (-8.0 / static_cast<double>(power))).view({heads_, 1, 1});
    return scores - slopes * distances(at).abs().unsqueeze(1);  // [R,H,T,S]
  }

 private:
  int64_t heads_;
};

}  // namespace

std::shared_ptr<Term> builders::alibi(const TermConfig&, const StageDims& dims) {
  return std::make_shared<Alibi>(dims.heads);
}

}  // namespace heed
