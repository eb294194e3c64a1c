#include "nn/attention/multi_source_config.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "nn/attention/staged_config.h"

namespace heed {

AttentionDims dims_of_source(const AttentionDims& dims, const std::string& name) {
  const auto source = name.empty() ? dims.sources.begin() : dims.sources.find(name);
  AttentionDims own = dims;
  own.sources.clear();
  if (source == dims.sources.end()) return own;
  own.source = source->second;
  return own;
}

AttentionDims dims_of_width(const AttentionDims& dims, int64_t width) {
  AttentionDims own = dims;
  own.source = {.key = width, .value = width, .ordered = false};
  own.sources.clear();
  return own;
}

std::vector<std::string> names_of(const AttentionDims& dims) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : dims.sources) names.push_back(name);
  return names;
}

std::string no_such_source(const AttentionDims& dims, const std::string& name) {
  const std::vector<std::string> names = names_of(dims);
  if (names.empty()) return fmt::format("needs several sources, one of them named '{}'", name);
  return fmt::format("'{}' is not one of {}{}", name, fmt::join(names, ", "),
                     did_you_mean(name, names));
}

namespace {

using CombineMethod = SourceCombinationConfig::CombineMethod;

template <CombineMethod which>
struct PlainCombination final : SourceCombinationConfig {
  PlainCombination() : SourceCombinationConfig(which) {}
};

const Registry<SourceCombinationConfig>& combinations() {
  static const Registry<SourceCombinationConfig> list = {
      kind<PlainCombination<CombineMethod::kConcat>, SourceCombinationConfig>(
          "concat", "concatenation of the context vectors (Zoph 2016)"),
      kind<PlainCombination<CombineMethod::kParallel>, SourceCombinationConfig>(
          "parallel", "sum of the context vectors (Libovický 2018)"),
      kind<SerialCombination, SourceCombinationConfig>(
          "serial", "sources one after the other (Libovický 2018)"),
      kind<PlainCombination<CombineMethod::kFlat>, SourceCombinationConfig>(
          "flat", "one distribution over the positions of all (Libovický 2017)"),
      kind<PlainCombination<CombineMethod::kHierarchical>, SourceCombinationConfig>(
          "hierarchical", "attention over the context vectors (Libovický 2017)"),
  };
  return list;
}

}  // namespace

void SerialCombination::fields(Fields& f) {
  f.list("order", order, "the sources, the first to be read first; none: by name");
  f.field("sublayers", sublayers,
          "in a Transformer each attention is a sublayer with its own residual connection "
          "(Libovický 2018); false: the next query is norm(query + context)");
}

void SerialCombination::check(const AttentionDims& dims, Problems& problems) const {
  std::vector<std::string> given = order;
  std::ranges::sort(given);
  if (given.empty() || given == names_of(dims)) return;
  problems.add("order", fmt::format("found {}, expected each of {} once", fmt::join(order, ", "),
                                    fmt::join(names_of(dims), ", ")));
}

MultiSourceConfig::MultiSourceConfig()
    : combine(fresh_kind(combinations(), "concat")), attention(std::make_shared<StagedConfig>()) {}

void MultiSourceConfig::fields(Fields& f) {
  f.one_of("combine", combine, combinations(), "combination of the context vectors");
  f.one_of("attention", attention, attentions(),
           "attention over each source; flat: over all of them");
}

void MultiSourceConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.sources.size() < 2) {
    problems.add("", "needs several sources, and there is one: use its inner `attention:`");
    return;
  }
  ProblemsAt inner(problems, "attention");
  if (combine->method == CombineMethod::kFlat) {
    if (!attention->has_one_distribution())
      inner.add("", fmt::format("flat needs one distribution over all sources, which {} does not "
                                "have: use staged, or another `combine`",
                                attention->type));
    return attention->check(dims_of_width(dims, dims.query), inner);
  }
  if (const auto* serial = dynamic_cast<const SerialCombination*>(combine.get())) {
    ProblemsAt at_combine(problems, "combine");
    serial->check(dims, at_combine);
  }
  int64_t first_width = 0;
  for (const auto& [name, unused] : dims.sources) {
    const AttentionDims own = dims_of_source(dims, name);
    attention->check(own, inner);
    const int64_t width = attention->context_width(own);
    if (first_width == 0) first_width = width;
    if (combine->method == CombineMethod::kParallel && width != first_width) {
      problems.add("combine",
                   fmt::format("parallel adds context vectors, but {} has width {} and {} has {}: "
                               "make the encoders equally wide, or use concat",
                               dims.sources.begin()->first, first_width, name, width));
    }
  }
}

int64_t MultiSourceConfig::context_width(const AttentionDims& dims) const {
  if (dims.block > 0) return dims.block;
  int64_t sum = 0;
  switch (combine->method) {
    case CombineMethod::kConcat:
      for (const auto& [name, unused] : dims.sources)
        sum += attention->context_width(dims_of_source(dims, name));
      return sum;
    case CombineMethod::kParallel:
      return attention->context_width(dims_of_source(dims, ""));
    case CombineMethod::kFlat:
      return attention->context_width(dims_of_width(dims, dims.query));
    case CombineMethod::kSerial:
    case CombineMethod::kHierarchical:
      break;
  }
  return dims.query;
}

namespace kinds {
Kind<AttentionConfig> multi_source() {
  return kind<MultiSourceConfig, AttentionConfig>(
      "multi_source", "attention over several sources (Zoph 2016, Libovický 2017)");
}
}  // namespace kinds

}  // namespace heed
