// How much of its source each hypothesis of a batch has read (Wu et al. 2016, equation 14, but β):
//   coverage = Σ_i log max(min(Σ_j p_ij, 1), 10⁻⁶)
// p_ij: the weight of target token j on place i of the source, of the attention that alignments
// take. j goes over the target and its kEnd, i over the pieces of the source: its kEnd says nothing
// that could be left out, and padding never counts. The paper has no bound from below; without one
// a place that is never read, as sparse weights leave many, would make the sum -inf.
#pragma once

#include <vector>

#include "model/batch_tensors.h"

namespace heed {

class Coverage {
 public:
  // Nothing of the sentences of a batch has been read.
  explicit Coverage(const SourceBatch& source);
  // weights [R,T,S] of the next tokens; the coverage of each row with them.
  std::vector<double> add(const Tensor& weights);

  // Row i becomes what row rows[i] was.
  void take(const Tensor& rows);

 private:
  Tensor read_;  // [R,S] the sum of the weights so far; of what does not count 1
};

}  // namespace heed
