// Settings of the joiners basic and child_sum (final_states.cpp).
#include "model/joiner_config.h"

namespace heed {

namespace {

struct FinalStatesConfig : JoinerConfig {
  void fields(Fields&) override {}
  void check(const AllSourceDims& sources, Problems& problems) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override;
};

struct ChildSumConfig final : FinalStatesConfig {
  void check(const AllSourceDims& sources, Problems& problems) const override;
};

void FinalStatesConfig::check(const AllSourceDims& sources, Problems& problems) const {
  if (sources.size() < 2) {
    problems.add("", fmt::format("{} needs several sources, and there is one: leave it out", type));
    return;
  }
  const auto& [first, like] = *sources.begin();
  for (const auto& [name, dims] : sources) {
    if (dims.cell == like.cell && dims.layers == like.layers &&
        dims.final_width == like.final_width)
      continue;
    problems.add("", fmt::format("{} needs last states of equal shape, but {} has {} layers of "
                                 "width {}{} and {} has {} of width {}{}: make the encoders equal",
                                 type, first, like.layers, like.final_width,
                                 like.cell.empty() ? "" : " of " + like.cell, name, dims.layers,
                                 dims.final_width, dims.cell.empty() ? "" : " of " + dims.cell));
  }
}

AllSourceDims FinalStatesConfig::dims(const AllSourceDims& sources) const {
  AllSourceDims joined = sources;
  for (auto& [name, dims] : joined) dims.backward_width = 0;
  return joined;
}

void ChildSumConfig::check(const AllSourceDims& sources, Problems& problems) const {
  FinalStatesConfig::check(sources, problems);
  if (sources.begin()->second.cell != "lstm")
    problems.add("", "child_sum needs memory cells, which only `cell: lstm` has: use basic");
}

}  // namespace

namespace kinds {
Kind<JoinerConfig> basic_state() {
  return kind<FinalStatesConfig, JoinerConfig>("basic",
                                               "initial decoder state from the last states of "
                                               "several sources: a projection, basic (Zoph 2016)");
}
Kind<JoinerConfig> child_sum_state() {
  return kind<ChildSumConfig, JoinerConfig>(
      "child_sum",
      "initial decoder state from the last states of several sources: child-sum LSTM (Zoph 2016)");
}
}  // namespace kinds

}  // namespace heed
