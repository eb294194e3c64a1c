// The outputs of a row that can be among its k largest logits, by the maxima of its panels (MatrixView):
// the k-th largest of these is at most the k-th largest logit, so that a panel whose maximum is smaller
// has none of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/kernels.h"

namespace heed {

class LikelyOutputs {
 public:
  // Chooses panels of the logits [O]. slack: how much smaller than the k-th largest a maximum may be,
  // not negative. The panel of output `wanted` is taken as well; -1: none.
  void choose(const Kernels& set, std::span<const float> logits, int64_t k, float slack,
              int32_t wanted);
  // Replaces the logits of the outputs by these, [panels, columns], here and in `logits` [O].
  void replace(const float* by_panels, std::span<float> logits);

  const std::vector<int32_t>& panels() const { return panels_; }    // ascending
  const std::vector<int32_t>& outputs() const { return outputs_; }  // of the panels, ascending
  std::span<float> logits() { return logits_; }                     // of the outputs

 private:
  std::vector<int32_t> panels_, outputs_;
  AlignedFloats logits_, greatest_, first_;
};

}  // namespace heed
