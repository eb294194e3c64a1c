// Outputs of a row that can be among its k largest logits, selected by the maxima of the panels
// (MatrixView). The k-th largest maximum is at most the k-th largest logit. A panel whose maximum
// is smaller therefore contains none of the k largest logits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/kernels.h"

namespace heed {

class LikelyOutputs {
 public:
  // Chooses panels of the logits [O] for k >= 1, or all panels if there are fewer, and the panel of
  // the output `forced`; -1: none. A panel with a NaN logit may be chosen or not.
  void choose(const Kernels& set, std::span<const float> logits, int64_t k, int32_t forced);
  // The same if the logits of panel p have an error of at most bound(p). A panel with a NaN bound
  // is kept.
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
  // most: largest possible logit of each panel. Takes the panels whose value is not below the k-th
  // of greatest_.
  void take(const Kernels& set, std::span<const float> logits, int64_t k, int32_t forced,
            std::span<const float> most);

  std::vector<int32_t> panels_, outputs_, ids_;
  AlignedFloats logits_, greatest_, most_, first_;
};

}  // namespace heed
