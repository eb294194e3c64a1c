#include "inference/likely_outputs.h"

#include <algorithm>

namespace heed {

void LikelyOutputs::choose(const Kernels& set, std::span<const float> logits, int64_t k,
                           int32_t forced) {
  find_greatest(set, logits);
  take(set, logits, k, forced, greatest_);
}

void LikelyOutputs::find_greatest(const Kernels& set, std::span<const float> logits) {
  const int64_t size = std::ssize(logits);
  greatest_.resize(static_cast<size_t>(filled_up(size, kPanelColumns) / kPanelColumns));
  set.greatest_of_panels(logits.data(), size, greatest_.data());
}

void LikelyOutputs::take(const Kernels& set, std::span<const float> logits, int64_t k,
                         int32_t forced, std::span<const float> most) {
  const int64_t size = std::ssize(logits), columns = kPanelColumns, panels = std::ssize(greatest_);
  k = std::min(k, panels);
  first_.resize(static_cast<size_t>(k));
  ids_.resize(static_cast<size_t>(k));
  set.top_k(greatest_.data(), panels, k, first_.data(), ids_.data());
  panels_.clear();
  outputs_.clear();
  logits_.clear();
  for (int32_t p = 0; p < panels; ++p) {
    const bool is_excluded = most[p] < first_.back();
    if (is_excluded && (forced < 0 || p != forced / columns)) continue;
    const int64_t first = p * columns, end = std::min(first + columns, size);
    panels_.push_back(p);
    for (int64_t o = first; o < end; ++o) outputs_.push_back(static_cast<int32_t>(o));
    logits_.insert(logits_.end(), logits.begin() + first, logits.begin() + end);
  }
}

// Only the last panel may have fewer outputs than columns.
void LikelyOutputs::replace(const float* by_panels, std::span<float> logits) {
  std::copy_n(by_panels, logits_.size(), logits_.begin());
  for (size_t i = 0; i < outputs_.size(); ++i) logits[outputs_[i]] = logits_[i];
}

}  // namespace heed
