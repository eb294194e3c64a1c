// The tables of mechanisms, made from the list in mechanisms.def, and checks of several stages.
#include "nn/attention/stage_config.h"

#include <tuple>

#include "base/error.h"

namespace heed {

namespace {

using Tables = std::tuple<Registry<AttentionConfig>, Registry<ScorerConfig>, Registry<TermConfig>,
                          Registry<NormalizerConfig>, Registry<ReadOutConfig>,
                          Registry<HeadCombinationConfig>>;

Tables make_tables() {
  Tables tables;
#define KIND(Config, mechanism) std::get<Registry<Config>>(tables).push_back(kinds::mechanism());
#include "nn/attention/mechanisms.def"
#undef KIND
  return tables;
}

Tables& tables() {
  static Tables tables = make_tables();
  return tables;
}

}  // namespace

Registry<AttentionConfig>& attentions() { return std::get<Registry<AttentionConfig>>(tables()); }
Registry<ScorerConfig>& scorers() { return std::get<Registry<ScorerConfig>>(tables()); }
Registry<TermConfig>& terms() { return std::get<Registry<TermConfig>>(tables()); }
Registry<NormalizerConfig>& normalizers() { return std::get<Registry<NormalizerConfig>>(tables()); }
Registry<ReadOutConfig>& readouts() { return std::get<Registry<ReadOutConfig>>(tables()); }
Registry<HeadCombinationConfig>& head_combinations() {
  return std::get<Registry<HeadCombinationConfig>>(tables());
}

void check_one_sequence(const KindSettings& stage, const StageDims& dims, Problems& problems,
                        const char* over_source) {
  if (dims.place != Place::kCross) return;
  problems.add(
      "",
      fmt::format(
          "{} needs queries and keys of the same sequence: use it in self_attention{}", stage.type,
          over_source != nullptr ? fmt::format("; over the source use {}", over_source) : ""));
}

void check_order(const KindSettings& kind, const AttentionDims& dims, Problems& problems) {
  if (dims.source.ordered) return;
  problems.add(
      "", fmt::format("{} needs positions, which the rows of model.join do not have", kind.type));
}

}  // namespace heed
