// The tables of mechanisms, made from the list in mechanisms.def.
#include <tuple>

#include "nn/attention/stages.h"

namespace heed {

namespace kinds {

#define KIND(Config, mechanism) Kind<Config> mechanism();
#include "nn/attention/mechanisms.def"
#undef KIND

}  // namespace kinds

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

}  // namespace heed
