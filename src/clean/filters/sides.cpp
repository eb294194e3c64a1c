#include <algorithm>

#include "base/log.h"
#include "clean/filters/filters.h"

namespace heed {

namespace {

class SidesFilter final : public SideFilter {
 public:
  SidesFilter(const SidesFilterConfig& config, std::shared_ptr<const SideModels> models)
      : config_(config), models_(std::move(models)) {}

 private:
  std::string side_reason(const CorpusPair& pair, size_t side) const override {
    const std::vector<double> scores = models_->scores(pair, side).log_likelihoods;
    const auto best = std::ranges::max_element(scores) - scores.begin();
    const double log_odds = scores[static_cast<size_t>(best)] - scores[side];
    if (log_odds <= config_.threshold) return "";
    return fmt::format("like {}, log-odds {:.1f}", models_->name(static_cast<size_t>(best)),
                       log_odds);
  }

  SidesFilterConfig config_;
  std::shared_ptr<const SideModels> models_;
};

}  // namespace

PairFilterPtr make_sides_filter(const SidesFilterConfig& config,
                                const std::shared_ptr<const SideModels>& models) {
  constexpr double kLeast = 0.8;
  if (models->accuracy() >= kLeast) return std::make_shared<SidesFilter>(config, models);
  spdlog::warn(
      "source and target are written alike: by character n-grams, {:.0f} % of the lines are most "
      "likely of their side, at least {:.0f} % are needed; the filter 'sides' is off",
      100 * models->accuracy(), 100 * kLeast);
  return nullptr;
}

}  // namespace heed
