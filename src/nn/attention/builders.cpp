#include "nn/attention/builders.h"

#include <tuple>

#include "nn/torch.h"

namespace heed {

namespace {

using Tables = std::tuple<BuilderTable<AttentionConfig>, BuilderTable<ScorerConfig>,
                          BuilderTable<TermConfig>, BuilderTable<NormalizerConfig>,
                          BuilderTable<ReadOutConfig>, BuilderTable<HeadCombinationConfig>>;

Tables make_tables() {
  Tables tables;
#define KIND(Config, mechanism) \
  std::get<BuilderTable<Config>>(tables)[kinds::mechanism().name] = builders::mechanism;
#include "nn/attention/mechanisms.def"
#undef KIND
  return tables;
}

Tables& tables() {
  static Tables tables = make_tables();
  return tables;
}

}  // namespace

template <class Config>
BuilderTable<Config>& mechanism_builders() {
  return std::get<BuilderTable<Config>>(tables());
}
template BuilderTable<AttentionConfig>& mechanism_builders<AttentionConfig>();
template BuilderTable<ScorerConfig>& mechanism_builders<ScorerConfig>();
template BuilderTable<TermConfig>& mechanism_builders<TermConfig>();
template BuilderTable<NormalizerConfig>& mechanism_builders<NormalizerConfig>();
template BuilderTable<ReadOutConfig>& mechanism_builders<ReadOutConfig>();
template BuilderTable<HeadCombinationConfig>& mechanism_builders<HeadCombinationConfig>();

std::shared_ptr<Attention> build(const AttentionConfig& config, const AttentionDims& dims) {
  return builder_of(mechanism_builders<AttentionConfig>(), config)(config, dims);
}
std::shared_ptr<Scorer> build(const ScorerConfig& config, const StageDims& dims) {
  return builder_of(mechanism_builders<ScorerConfig>(), config)(config, dims);
}
std::shared_ptr<Term> build(const TermConfig& config, const StageDims& dims) {
  return builder_of(mechanism_builders<TermConfig>(), config)(config, dims);
}
std::shared_ptr<Normalizer> build(const NormalizerConfig& config, const StageDims& dims) {
  return builder_of(mechanism_builders<NormalizerConfig>(), config)(config, dims);
}
std::shared_ptr<ReadOut> build(const ReadOutConfig& config, const StageDims& dims) {
  return builder_of(mechanism_builders<ReadOutConfig>(), config)(config, dims);
}
std::shared_ptr<HeadCombination> build(const HeadCombinationConfig& config, int64_t heads,
                                       int64_t width) {
  return builder_of(mechanism_builders<HeadCombinationConfig>(), config)(config, heads, width);
}

}  // namespace heed
