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
  // Chooses panels of the logits [O] for k >= 1, all of them if they are fewer, and that of the output
  // `forced`; -1: none. A panel with a logit that is no number may be chosen or not.
  void choose(const Kernels& set, std::span<const float> logits, int64_t k, int32_t forced);
  // The same where the logits of panel p are off by bound(p) at most; kept by a bound that is no number.
  template <class Bound>
  void choose(const Kernels& set, std::span<const float> logits, int64_t k, int32_t forced,
              const Bound& bound) {
    find_greatest(set, logits);
    most_.resize(greatest_.size());
    for (int32_t p = 0; p < std::ssize(greatest_); ++p) {
      const float off = bound(p);
      most_[p] = greatest_[p] + off;
      greatest_[p] -= off;
    }
    take(set, logits, k, forced, most_);
  }
  // Replaces the logits of the outputs by these, [panels, columns], here and in `logits` [O].
  void replace(const float* by_panels, std::span<float> logits);

  const std::vector<int32_t>& panels() const { return panels_; }    // ascending
  const std::vector<int32_t>& outputs() const { return outputs_; }  // of the panels, ascending
  std::span<float> logits() { return logits_; }                     // of the outputs
  std::span<const float> logits() const { return logits_; }

 private:
  void find_greatest(const Kernels& set, std::span<const float> logits);
  // The panels whose logits are at most `most` where that is not below the k-th of greatest_.
  void take(const Kernels& set, std::span<const float> logits, int64_t k, int32_t forced,
            std::span<const float> most);

  std::vector<int32_t> panels_, outputs_, ids_;
  AlignedFloats logits_, greatest_, most_, first_;
};

}  // namespace heed
