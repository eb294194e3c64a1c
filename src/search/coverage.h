// Coverage of the source by a hypothesis (Wu et al. 2016, equation 14, without β):
//   coverage = Σ_i log max(min(Σ_j p_ij, 1), 10⁻⁶)
// p_ij: the weight of target token j on position i of the source, of the attention that alignments
// use. j goes over the target and its kEnd, i over the pieces of the source: its kEnd has nothing
// to translate. The lower bound is not in the paper; without it a position with weight 0, of which
// sparse attention has many, would make the sum -inf.
#pragma once

#include <span>
#include <vector>

namespace heed {

class Coverage {
 public:
  // Adds a token; weights over the positions of the source and kEnd, or empty without a source.
  void add(std::span<const double> weights);
  double value() const;

 private:
  std::vector<double> read_;  // Σ_j p_ij
};

}  // namespace heed
