#include "model/joiners/summary_co_attention_config.h"

#include "config/sizes.h"

namespace heed {

void SummariesConfig::check(const AllSourceDims& sources, Problems& problems) const {
  if (sources.size() == 2) return;
  problems.add("", fmt::format("two sources guide each other, and there are {}", sources.size()));
}

AllSourceDims SummariesConfig::dims(const AllSourceDims& sources) const {
  int64_t width = 0;
  for (const auto& [name, dims] : sources) width += dims.source.value;
  AllSourceDims joined;
  for (const auto& [name, dims] : sources) {
    SourceDims& own = joined[name];
    own.source = {.key = dims.source.key, .value = dims.source.value, .ordered = false};
    own.final_width = width;
    own.of_text = false;
  }
  return joined;
}

void SummaryCoAttentionConfig::fields(Fields& f) {
  f.field("hidden", hidden, kWidths, "width of the hidden layer");
  f.field("dropout", dropout, kDropout, "dropout probability of the hidden layer");
  f.field("first", first, "the source Q; none: the first in alphabetical order");
  f.may_change(ChangeAt::kPhase, {"dropout"});
}

void SummaryCoAttentionConfig::check(const AllSourceDims& sources, Problems& problems) const {
  SummariesConfig::check(sources, problems);
  if (sources.size() == 2 && first && !sources.contains(*first)) {
    problems.add("first", fmt::format("there is no source '{}', expected {} or {}", *first,
                                      sources.begin()->first, sources.rbegin()->first));
  }
}

std::pair<std::string, std::string> SummaryCoAttentionConfig::order(
    const AllSourceDims& sources) const {
  const std::string &a = sources.begin()->first, &b = sources.rbegin()->first;
  return first == b ? std::pair(b, a) : std::pair(a, b);
}

namespace kinds {
Kind<JoinerConfig> alternating_co_attention() {
  return kind<SummaryCoAttentionConfig, JoinerConfig>(
      "alternating_co_attention",
      "the summary of one source guides the attention over the other, and back (Lu 2016)");
}
Kind<JoinerConfig> parallel_co_attention() {
  return kind<SummaryCoAttentionConfig, JoinerConfig>(
      "parallel_co_attention",
      "each source becomes a summary, weighed by its affinity to the other (Lu 2016)");
}
Kind<JoinerConfig> attentive_pooling() {
  return kind<AttentivePoolingConfig, JoinerConfig>(
      "attentive_pooling",
      "each source becomes a summary, weighed by the greatest affinity of each position to the "
      "other (dos Santos 2016)");
}
}  // namespace kinds

}  // namespace heed
