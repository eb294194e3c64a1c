#include "model/joiners/attention_flow_config.h"

#include "nn/needs_spec.h"

namespace heed {

namespace {

void check_modeling(const EncoderConfig& modeling, int64_t input, Problems& problems) {
  const Needs needs = needs_of(modeling);
  if (needs.marker || modeling.shared_with() || !modeling.reads())
    return problems.add(
        "", fmt::format("{} cannot be a layer over G: use rnn or another encoder", modeling.type));
  if (needs.tag) problems.add("", "tags are not available here: use task_specific in the decoder");
  modeling.check(input, problems);
}

}  // namespace

void AttentionFlowConfig::fields(Fields& f) {
  f.field("context", context,
          "the source that reads the other, the query; none: the first in alphabetical order");
  f.one_of(
      "modeling", modeling, encoders(),
      "modeling layer: an encoder over G, whose states M are concatenated with G; none: G alone",
      true);
}

std::pair<std::string, std::string> AttentionFlowConfig::names(const AllSourceDims& sources) const {
  const std::string &a = sources.begin()->first, &b = sources.rbegin()->first;
  return context == b ? std::pair(b, a) : std::pair(a, b);
}

void AttentionFlowConfig::check(const AllSourceDims& sources, Problems& problems) const {
  if (sources.size() != 2)
    return problems.add(
        "", fmt::format("needs a context and a query, and there are {} sources", sources.size()));
  const auto& [a, first] = *sources.begin();
  const auto& [b, second] = *sources.rbegin();
  if (context && !sources.contains(*context))
    problems.add("context",
                 fmt::format("there is no source '{}', expected {} or {}", *context, a, b));
  const int64_t width = first.source.key;
  if (width != first.source.value || width != second.source.key || width != second.source.value)
    return problems.add(
        "", fmt::format("needs encoders of equal width, but {} has width {} and {} has {}", a,
                        first.source.key, b, second.source.key));
  ProblemsAt at(problems, "modeling");
  if (modeling) check_modeling(*modeling, 4 * width, at);
}

AllSourceDims AttentionFlowConfig::dims(const AllSourceDims& sources) const {
  AllSourceDims joined = sources;
  SourceDims& read = joined[names(sources).first];
  const int64_t width = 4 * read.source.key;  // of G
  const SourceDims layer = modeling ? modeling->dims(width) : SourceDims();
  read.source.key = width + layer.source.key;
  read.source.value = width + layer.source.value;
  read.source.chunk = 0;
  read.cell = layer.cell;
  read.layers = layer.layers;
  read.final_width = modeling ? layer.final_width : width;
  read.backward_width = 0;
  return joined;
}

namespace kinds {
Kind<JoinerConfig> attention_flow() {
  return kind<AttentionFlowConfig, JoinerConfig>(
      "attention_flow",
      "the context reads the query and the query the context; the query remains (BiDAF, Seo 2017)");
}
}  // namespace kinds

}  // namespace heed
