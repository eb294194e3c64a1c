#include "model/decoder_config.h"

#include "base/error.h"

namespace heed {

AttentionDims cross_dims(const DecoderDims& dims, int64_t query, int64_t block) {
  const SourceDims first = dims.sources.empty() ? SourceDims() : dims.sources.begin()->second;
  AttentionDims cross{.place = Place::kCross,
                      .query = query,
                      .source = first.source,
                      .block = block,
                      .tags = dims.tags};
  if (dims.sources.size() < 2) return cross;
  for (const auto& [name, source] : dims.sources) cross.sources[name] = source.source;
  return cross;
}

SourceAttention source_attention_of(const AttentionConfig& attention, const AttentionDims& dims) {
  // In a block, `none` has a context vector of zeros.
  const int64_t context = attention.reads() ? attention.context_width(dims) : 0;
  return {attention.weight_heads(dims), context, attention.source(),
          attention.weights_have_gradient()};
}

void DecoderConfig::check_unread(Problems& problems) const {
  problems.add("", fmt::format("{} reads the last state of the source, which wait_k has not read: "
                               "use rnn or transformer",
                               type));
}

void check_unread(const AttentionConfig& attention, Problems& problems) {
  if (attention.hides_unread()) return;
  problems.add("",
               "reads source tokens that wait_k has not read: give each attention over the source "
               "the term wait_k, without gaussian or a predictive window");
}

void check_cross(const AttentionConfig& attention, const AttentionDims& dims, Problems& problems) {
  if (!attention.needs_source()) return attention.check(dims, problems);
  if (dims.source.key == 0) {
    problems.add("", "needs a source, and there is none: write `attention: none`");
    return;
  }
  if (dims.sources.size() < 2 || attention.reads_several()) return attention.check(dims, problems);
  std::vector<std::string> names;
  for (const auto& [name, unused] : dims.sources) names.push_back(name);
  problems.add(
      "", fmt::format("{} attends to one source, but there are {}: write {{type: multi_source, "
                      "attention: …}} or {{type: one_source, source: {}, attention: …}}",
                      attention.type, fmt::join(names, ", "), names.front()));
}

}  // namespace heed
