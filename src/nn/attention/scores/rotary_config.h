// Settings of the score rotary (rotary.cpp).
// For sentences s times as long as those of an earlier training:
//   linear   θ_i / s: position interpolation (Chen et al. 2023, equation 4)
//   ntk      b s^(D/(D-2)) in place of b (Peng et al. 2023, YaRN, section 3.1)
//   yarn     (1 - γ_i) θ_i / s + γ_i θ_i, where γ is 1 for features with many periods in L positions
//            and 0 for those with few; queries and keys are multiplied by 0.1 ln s + 1 (Peng et al.
//            2023, sections 3.2 and 3.4). γ falls from 1 to 0 between the i that have 32 periods and
//            1, as in the authors' code.
#pragma once

#include <vector>

#include "nn/attention/scores/dot_product_config.h"

namespace heed {

struct RotaryConfig final : DotProductConfig {
  enum class Scaling { kLinear, kNtk, kYarn };
  double base = 10000;
  double factor = 1;  // s
  Scaling scaling = Scaling::kLinear;
  int64_t trained_length = 512;  // L; kYarn
  void fields(Fields& f) override;
  bool encodes_positions() const override { return true; }
  void check(const StageDims& dims, Problems& problems) const override;
  std::vector<double> frequencies(int64_t width) const;  // θ [D/2] of heads of this width
  double magnitude() const;  // factor of queries and keys; 1 without yarn

 private:
  bool scales_by(Scaling wanted) const { return factor != 1 && scaling == wanted; }
};

}  // namespace heed
