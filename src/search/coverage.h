// How much of its source a hypothesis has read (Wu et al. 2016, equation 14, but β):
//   coverage = Σ_i log max(min(Σ_j p_ij, 1), 10⁻⁶)
// p_ij: the weight of target token j on position i of the source, of the attention that alignments
// take. j goes over the target and its kEnd, i over the pieces of the source: its kEnd says nothing
// that could be left out. The paper has no bound from below; without one a position that is never read,
// as sparse weights leave many, would make the sum -inf.
#pragma once

#include <span>
#include <vector>

namespace heed {

class Coverage {
 public:
  // One token more; weights over the positions of the source and kEnd, or empty where there is no source.
  void add(std::span<const double> weights);
  double value() const;

 private:
  std::vector<double> read_;  // Σ_j p_ij
};

}  // namespace heed
