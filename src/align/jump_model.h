// Hidden Markov model of the positions (Vogel, Ney and Tillmann 1996, "HMM-based word alignment in
// statistical translation"): the next position depends on the jump from the last one,
//   p(i | i') = (1 - null) · ((1 - uniform) · c(i - i') / Σ_k c(k - i') + uniform / I).
// NULL keeps the last position (Och and Ney 2003, section 2.1.2). The first jump is from position -1.
#pragma once

#include "align/position_model.h"

namespace heed {

class JumpModel final : public PositionModel {
 public:
  static constexpr size_t kLongest = 100;  // longer jumps have its weight
  static constexpr size_t kJumps = 2 * kLongest + 1;
  explicit JumpModel(double null);
  // weights: c(d) from -kLongest to kLongest.
  JumpModel(double null, std::vector<float> weights);

  double posteriors(const PositionMatrix& emissions, PositionMatrix& posteriors,
                    PositionCounts& counts) const override;
  size_t counts_size() const override { return kJumps; }
  void maximize(const PositionCounts& counts) override;
  static constexpr const char* kName = "jumps";
  std::string name() const override { return kName; }
  std::vector<double> parameters() const override;

 private:
  double null_;
  std::vector<float> weights_;
};

}  // namespace heed
