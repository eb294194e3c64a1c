// Settings of guided alignment (guided_alignment.h).
#pragma once

#include "config/fields.h"

namespace heed {

// Cost of a target token t with weights a_s over the source and links to n source tokens: A_s is
// 1/n there and 0 elsewhere, ε = 10⁻⁶. The cost of a token without links is 0.
enum class AlignmentCost {
  kCrossEntropy,  // -Σ_s A_s log(a_s + ε)
  kSquares,       // ½ Σ_s (a_s - A_s)²
  kMass,          // -log(Σ_s [A_s > 0] a_s + ε)  Marian's mult, for each token
};

struct GuidedAlignmentConfig final : Settings {
  double weight = 0;
  AlignmentCost cost = AlignmentCost::kCrossEntropy;
  void fields(Fields& f) override;
};

}  // namespace heed
