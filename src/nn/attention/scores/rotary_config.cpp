#include "nn/attention/scores/rotary_config.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "config/idle.h"
#include "config/sizes.h"

namespace heed {

namespace {

constexpr Range kBases{1, 1e12, true};
constexpr Range kFactors{1, 1e6};

}  // namespace

void RotaryConfig::fields(Fields& f) {
  static const Words<Scaling> words = {
      {"linear", Scaling::kLinear}, {"ntk", Scaling::kNtk}, {"yarn", Scaling::kYarn}};
  DotProductConfig::fields(f);
  f.field("base", base, kBases, "b of the angles p · b^(-2i/D) of position p");
  f.field("factor", factor, kFactors,
          "s: sentences may be s times as long as those that the model was trained with before");
  f.choice(
      "scaling", scaling, words,
      "use of `factor`; linear: position interpolation p / s (Chen 2023); ntk: base b · "
      "s^(D/(D-2)); yarn: interpolation of slow features alone, and scaled scores (Peng 2023)");
  f.field("trained_length", trained_length, kLengths,
          "with scaling: yarn, the length of the sentences that the model was trained with before");
  if (factor == 1) idle(f, "scaling", "with `factor: 1`");
  if (factor == 1 || scaling != Scaling::kYarn)
    idle(f, "trained_length", "without `scaling: yarn` and a `factor`");
}

void RotaryConfig::check(const StageDims& dims, Problems& problems) const {
  DotProductConfig::check(dims, problems);
  check_one_sequence(*this, dims, problems);
  const int64_t width = width_of_heads(dims);
  if (width % dims.heads != 0 || (width / dims.heads) % 2 == 0) return;
  problems.add(
      "",
      fmt::format("rotary needs an even number of features per head, but each of {} heads has {}",
                  dims.heads, width / dims.heads));
}

std::vector<double> RotaryConfig::frequencies(int64_t width) const {
  const auto d = static_cast<double>(width);
  const bool is_yarn = scales_by(Scaling::kYarn);
  const double changed =
      scales_by(Scaling::kNtk) && width > 2 ? base * std::pow(factor, d / (d - 2)) : base;
  // The i whose feature has this number of periods.
  const auto feature_of = [&](double periods) {
    const double period = static_cast<double>(trained_length) / periods;
    return d * std::log(period / (2 * std::numbers::pi)) / (2 * std::log(base));
  };
  const double low = is_yarn ? std::max(std::floor(feature_of(32)), 0.0) : 0,
               high = is_yarn ? std::max(std::min(std::ceil(feature_of(1)), d - 1), low + 1e-3) : 1;
  std::vector<double> theta;
  for (int64_t i = 0; i < width / 2; ++i) {
    const auto feature = static_cast<double>(i);
    double own = std::pow(changed, -2 * feature / d);
    if (scales_by(Scaling::kLinear)) own /= factor;
    const double slow = std::clamp((feature - low) / (high - low), 0.0, 1.0);  // 1 - γ
    theta.push_back(is_yarn ? own * (slow / factor + (1 - slow)) : own);
  }
  return theta;
}

double RotaryConfig::magnitude() const {
  return scales_by(Scaling::kYarn) ? 0.1 * std::log(factor) + 1 : 1;
}

namespace kinds {
Kind<ScorerConfig> rotary() {
  return kind<RotaryConfig, ScorerConfig>(
      "rotary", "q·k / √D after rotary position embedding (Su 2021); with positions: none");
}
}  // namespace kinds

}  // namespace heed
