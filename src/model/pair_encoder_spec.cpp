#include "model/pair_encoder_spec.h"

#include <algorithm>

#include "base/error.h"
#include "data/edges.h"
#include "data/tags.h"
#include "model/model_spec.h"
#include "nn/needs_spec.h"

namespace heed {

namespace {

std::optional<size_t> copied_source(size_t aligned, bool copies) {
  return copies ? std::optional(aligned) : std::nullopt;
}

}  // namespace

std::vector<SourceFactor> source_factors(const SavedModelConfig& config, const Codecs& codecs) {
  std::vector<SourceFactor> factors;
  for (const auto& [name, factor] : config.model.embedding.source_factors) {
    const auto source =
        std::ranges::find(config.sources, factor.source.value_or(config.sources[0]));
    factors.push_back({name, static_cast<size_t>(source - config.sources.begin()), codecs.at(name),
                       factor.whole_line});
  }
  return factors;
}

std::vector<SourceEntries> source_entries(const SavedModelConfig& config, const Codecs& codecs) {
  const ModelPlan plan = plan_of(config.model);
  const auto source = [&](const std::string& name) {
    const auto found = std::ranges::find(plan.sources, name, &SourcePlan::name);
    HEED_CHECK(found != plan.sources.end(), "no source {}", name);
    return EntrySource{name, static_cast<size_t>(found - plan.sources.begin()),
                       found->dims.of_text ? std::nullopt : codecs.at(name)->marker()};
  };
  std::vector<SourceEntries> entries;
  for (const auto& [keys, values] : plan.needs.entries)
    entries.push_back({source(keys), source(values)});
  return entries;
}

std::vector<std::string> inputs_of(const SavedModelConfig& config) {
  std::vector<std::string> inputs = config.sources;
  if (needs_of(config.model).edges) inputs.push_back(kEdgesInput);
  for (const auto& [name, unused] : config.model.embedding.source_factors) inputs.push_back(name);
  if (!config.tags.empty()) inputs.push_back(kTagInput);
  return inputs;
}

PairEncoder pair_encoder(const SavedModelConfig& config, const Codecs& codecs) {
  const size_t attended = plan_of(config.model).attended;
  PairEncoder encoder = pair_encoder(
      config.sources, codecs, copied_source(attended, config.model.output->copies()), config.tags);
  encoder.aligned = attended;
  if (config.sources.size() > 1) encoder.aligned_name = config.sources[attended];
  encoder.factors = source_factors(config, codecs);
  encoder.entries = source_entries(config, codecs);
  encoder.writes = config.model.output->writes();
  return encoder;
}

}  // namespace heed
