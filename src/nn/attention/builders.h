// The modules of all attentions and their stages, built from their settings (mechanisms.def).
#pragma once

#include <memory>

#include "nn/attention/stages.h"
#include "nn/builder.h"

namespace heed {

template <>
struct Builder<AttentionConfig> {
  using Function = std::shared_ptr<Attention>(const AttentionConfig& config,
                                              const AttentionDims& dims);
};
template <>
struct Builder<ScorerConfig> {
  using Function = std::shared_ptr<Scorer>(const ScorerConfig& config, const StageDims& dims);
};
template <>
struct Builder<TermConfig> {
  using Function = std::shared_ptr<Term>(const TermConfig& config, const StageDims& dims);
};
template <>
struct Builder<NormalizerConfig> {
  using Function = std::shared_ptr<Normalizer>(const NormalizerConfig& config,
                                               const StageDims& dims);
};
template <>
struct Builder<ReadOutConfig> {
  using Function = std::shared_ptr<ReadOut>(const ReadOutConfig& config, const StageDims& dims);
};
// Combines heads of this width; nullptr: they are concatenated, with the read-out's own projection.
template <>
struct Builder<HeadCombinationConfig> {
  using Function = std::shared_ptr<HeadCombination>(const HeadCombinationConfig& config,
                                                    int64_t heads, int64_t width);
};

namespace builders {
#define KIND(Config, mechanism) Builder<Config>::Function mechanism;
#include "nn/attention/mechanisms.def"
#undef KIND
}  // namespace builders

// The table of each base class; tests add their own builders.
template <class Config>
BuilderTable<Config>& mechanism_builders();

std::shared_ptr<Attention> build(const AttentionConfig& config, const AttentionDims& dims);
std::shared_ptr<Scorer> build(const ScorerConfig& config, const StageDims& dims);
std::shared_ptr<Term> build(const TermConfig& config, const StageDims& dims);
std::shared_ptr<Normalizer> build(const NormalizerConfig& config, const StageDims& dims);
std::shared_ptr<ReadOut> build(const ReadOutConfig& config, const StageDims& dims);
std::shared_ptr<HeadCombination> build(const HeadCombinationConfig& config, int64_t heads,
                                       int64_t width);

}  // namespace heed
