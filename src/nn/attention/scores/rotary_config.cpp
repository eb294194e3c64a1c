#include "nn/attention/scores/rotary_config.h"

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

namespace kinds {
Kind<ScorerConfig> rotary() {
  return kind<RotaryConfig, ScorerConfig>(
      "rotary", "q·k / √D after rotary position embedding (Su 2021); with positions: none");
}
}  // namespace kinds

}  // namespace heed
