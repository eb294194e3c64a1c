#include "inference/likely_outputs.h"

#include <algorithm>

namespace heed {

void LikelyOutputs::choose(const Kernels& set, std::span<const float> logits, int64_t k,
                           float slack, int32_t wanted) {
  const int64_t size = std::ssize(logits), columns = set.columns,
                panels = filled_up(size, columns) / columns;
  k = std::min(k, panels);
  greatest_.resize(static_cast<size_t>(panels));
  first_.resize(static_cast<size_t>(k));
  panels_.resize(static_cast<size_t>(k));
  set.greatest_of_panels(logits.data(), size, greatest_.data());
  set.top_k(greatest_.data(), panels, k, first_.data(), panels_.data());
  const float least = first_.back() - slack;
  panels_.clear();
  outputs_.clear();
  logits_.clear();
  for (int32_t p = 0; p < panels; ++p) {
    const bool is_excluded = greatest_[p] < least;  // not by what is no number
    if (is_excluded && (wanted < 0 || p != wanted / columns)) continue;
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
