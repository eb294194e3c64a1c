// gaussian: a learned position and width for each query (Yang et al. 2018, "Modeling Localness",
// equations 4 to 9): G_ij = -(j - P_i)² / 2σ_i² is added to the scores, with σ_i = D_i/2,
// P_i = I sigmoid(U_pᵀ tanh(W q_i)) and D_i = I sigmoid(U_dᵀ tanh(W q_i)) in a sequence of length
// I.
#include "nn/torch.h"

#include "nn/attention/builders.h"
#include "nn/linear.h"

namespace heed {

namespace {

// Each head has its own U_p and U_d.
class Gaussian final : public Term {
 public:
  explicit Gaussian(const StageDims& dims)
      : hidden_(*this, "hidden", dims.query, dims.query, kNoBias),
        position_(*this, "place", dims.query, dims.heads, kNoBias),
        width_(*this, "width", dims.query, dims.heads, kNoBias) {}
  Tensor add_to(const Tensor& scores, const At& at) override {
    // Selects a single position already; a width of 0 would divide by 0.
    constexpr double kNarrowest = 1e-2;
    const Tensor hidden = torch::tanh(hidden_(at.query));  // [R,T,W]
    const auto in_sequence = [&](Linear& to_heads) {
      const Tensor part = torch::sigmoid(to_heads(hidden)).transpose(1, 2);  // [R,H,T]
      return (at.reach.unsqueeze(1) * part).unsqueeze(3);
    };
    const Tensor positions = key_positions_as(at, scores.scalar_type());
    const Tensor sigma = (in_sequence(width_) / 2).clamp_min(kNarrowest);
    return scores - ((positions - in_sequence(position_)) / sigma).square() / 2;  // [R,H,T,S]
  }

 private:
  Linear hidden_, position_, width_;
};

}  // namespace

std::shared_ptr<Term> builders::gaussian(const TermConfig&, const StageDims& dims) {
  return std::make_shared<Gaussian>(dims);
}

}  // namespace heed
