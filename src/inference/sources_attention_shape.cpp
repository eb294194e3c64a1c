#include "inference/sources_attention_shape.h"

#include <algorithm>
#include <iterator>

#include "nn/attention/attention_over_attention_config.h"
#include "nn/attention/multi_source_config.h"
#include "nn/attention/one_source_config.h"

namespace heed {

namespace {

using Combination = SourcesAttentionShape::Combination;

std::optional<Combination> combination(const MultiSourceConfig& config) {
  using Method = SourceCombinationConfig::CombineMethod;
  switch (config.combine->method) {
    case Method::kConcat:
      return Combination::kConcatenate;
    case Method::kParallel:
      return Combination::kAdd;
    case Method::kHierarchical:
      return Combination::kHierarchical;
    case Method::kSerial:
    case Method::kFlat:
      break;
  }
  return std::nullopt;
}

// The source and its attention; nullopt if StateAttention does not support it.
std::optional<SourcesAttentionShape::Part> part_of(const AllSourceDims& sources,
                                                   AllSourceDims::const_iterator source,
                                                   const std::string& name,
                                                   const AttentionConfig& config, int64_t query) {
  const auto shape = state_attention_shape(config, query, source->second.source);
  if (!shape) return std::nullopt;
  return SourcesAttentionShape::Part{
      .source = static_cast<size_t>(std::distance(sources.begin(), source)),
      .name = source->first,
      .attention = name,
      .shape = *shape};
}

std::optional<SourcesAttentionShape> of_one(const AllSourceDims& sources,
                                            AllSourceDims::const_iterator source,
                                            const std::string& name, const AttentionConfig& config,
                                            int64_t query) {
  auto part = part_of(sources, source, name, config, query);
  if (!part) return std::nullopt;
  const int64_t context = part->shape.context();
  return SourcesAttentionShape{.parts = {std::move(*part)}, .query = query, .context = context};
}

std::optional<SourcesAttentionShape> of_several(const AllSourceDims& sources,
                                                const MultiSourceConfig& config, int64_t query) {
  const auto combine = combination(config);
  if (!combine || !config.attention->reads()) return std::nullopt;
  SourcesAttentionShape shape{.combine = *combine, .query = query};
  for (auto source = sources.begin(); source != sources.end(); ++source) {
    auto part =
        part_of(sources, source, names::source_attention(source->first), *config.attention, query);
    if (!part) return std::nullopt;
    shape.context += part->shape.context();
    shape.parts.push_back(std::move(*part));
  }
  if (*combine == Combination::kAdd) shape.context = shape.parts.front().shape.context();
  if (*combine == Combination::kHierarchical) shape.context = query;
  return shape;
}

SourcesAttentionShape over_attention(const AllSourceDims& sources,
                                     const AttentionOverAttentionConfig& config, int64_t query) {
  SourcesAttentionShape shape{.combine = Combination::kOverAttention, .query = query};
  for (const std::string& name : {config.document, config.query}) {
    const auto source = sources.find(name);
    shape.parts.push_back(
        {.source = static_cast<size_t>(std::distance(sources.begin(), source)), .name = name});
  }
  shape.context = sources.at(config.document).source.value;
  return shape;
}

}  // namespace

std::optional<SourcesAttentionShape> sources_attention_shape(const AttentionConfig& config,
                                                             int64_t query,
                                                             const AllSourceDims& sources) {
  if (!config.reads()) return SourcesAttentionShape{.query = query};
  if (const auto* one = dynamic_cast<const OneSourceConfig*>(&config)) {
    const auto source = one->name.empty() ? sources.begin() : sources.find(one->name);
    return of_one(sources, source, names::kOneSourceAttention, *one->attention, query);
  }
  if (const auto* several = dynamic_cast<const MultiSourceConfig*>(&config))
    return of_several(sources, *several, query);
  if (const auto* over = dynamic_cast<const AttentionOverAttentionConfig*>(&config))
    return over_attention(sources, *over, query);
  if (sources.size() > 1) return std::nullopt;
  return of_one(sources, sources.begin(), names::kDecoderAttention, config, query);
}

int64_t SourcesAttentionShape::source_numbers() const {
  int64_t most = combine == Combination::kOverAttention ? context : 0;
  for (const SourcesAttentionShape::Part& part : parts)
    most = std::max(most, part.shape.source_numbers());
  return most;
}

int64_t SourcesAttentionShape::widest() const {
  int64_t most = query;
  for (const SourcesAttentionShape::Part& part : parts)
    most = std::max({most, part.shape.key, part.shape.value});
  return most;
}

void add_parameters(ParameterShapes& shapes, const SourcesAttentionShape& shape) {
  for (const SourcesAttentionShape::Part& part : shape.parts) {
    add_parameters(shapes, part.attention, part.shape);
    if (shape.combine != Combination::kHierarchical) continue;
    const int64_t width = part.shape.context();
    shapes.add(names::weight(names::source_keys(part.name)), {shape.query, width});
    shapes.add(names::weight(names::source_values(part.name)), {shape.query, width});
  }
  if (shape.combine != Combination::kHierarchical) return;
  shapes.linear(names::kSourcesQuery, shape.query, shape.query);
  shapes.add(names::weight(names::kSourcesEnergy), {1, shape.query});
}

}  // namespace heed
