#include <algorithm>
#include <cmath>

#include "clean/filters/filters.h"

namespace heed {

namespace {

class RatioFilter final : public PairFilter {
 public:
  RatioFilter(const RatioFilterConfig& config, double ratio) : config_(config), ratio_(ratio) {}

  std::string reason(const CorpusPair& pair) const override {
    const double source = ratio_ * static_cast<double>(pair.sides[0].characters.size()),
                 target = static_cast<double>(pair.sides[1].characters.size());
    const double ratio = std::max(source, target) / std::min(source, target);
    const bool is_uneven =
        ratio > config_.max_ratio && std::abs(source - target) > static_cast<double>(config_.slack);
    return is_uneven ? fmt::format("ratio {:.1f}", ratio) : "";
  }

 private:
  RatioFilterConfig config_;
  double ratio_;
};

}  // namespace

PairFilterPtr make_ratio_filter(const RatioFilterConfig& config, const CorpusProfile& profile) {
  return std::make_shared<RatioFilter>(config, profile.ratio);
}

}  // namespace heed
