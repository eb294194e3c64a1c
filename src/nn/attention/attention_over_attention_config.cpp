#include "nn/attention/attention_over_attention_config.h"

#include <utility>

#include "base/error.h"
#include "nn/attention/multi_source_config.h"

namespace heed {

void AttentionOverAttentionConfig::fields(Fields& f) {
  f.field("document", document, "source with the document");
  f.field("query", query, "source with the query");
}

void AttentionOverAttentionConfig::check(const AttentionDims& dims, Problems& problems) const {
  bool known = true;
  for (const auto& [key, name] : {std::pair{"document", document}, {"query", query}}) {
    if (dims.sources.contains(name)) continue;
    problems.add(key, no_such_source(dims, name));
    known = false;
  }
  if (!known) return;
  const int64_t width = dims.sources.at(document).key, other = dims.sources.at(query).key;
  if (width != other) {
    problems.add("", fmt::format("needs encoders of equal width, but {} has width {} and {} has {}",
                                 document, width, query, other));
  }
  if (dims.block > 0 && dims.block != dims.sources.at(document).value)
    problems.add(
        "", fmt::format("gives context vectors of width {} in a layer of width {}: make them equal",
                        dims.sources.at(document).value, dims.block));
}

int64_t AttentionOverAttentionConfig::context_width(const AttentionDims& dims) const {
  const auto found = dims.sources.find(document);
  return found == dims.sources.end() ? dims.source.value : found->second.value;
}

namespace kinds {
Kind<AttentionConfig> attention_over_attention() {
  return kind<AttentionOverAttentionConfig, AttentionConfig>(
      "attention_over_attention", "attention-over-attention of a document and a query (Cui 2017)");
}
}  // namespace kinds

}  // namespace heed
