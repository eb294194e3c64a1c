#include "nn/attention/rereading_config.h"

#include "base/error.h"
#include "nn/attention/staged_config.h"

namespace heed {

RereadingConfig::RereadingConfig() : attention(std::make_shared<StagedConfig>()) {}

void RereadingConfig::fields(Fields& f) {
  static const Words<Update> words = {{"add", Update::kAdd}, {"gru", Update::kGru}};
  f.one_of("attention", attention, attentions(), "attention of each hop");
  f.choice("update", update, words,
           "next query: sum of query and context vector, or a GRU of both");
  f.field("shared", shared, "share the parameters of all hops");
}

void RereadingConfig::check(const AttentionDims& dims, Problems& problems) const {
  ProblemsAt inner(problems, "attention");
  attention->check(dims, inner);
  const int64_t width = attention->context_width(dims);
  if (width == dims.query) return;
  problems.add(
      "", fmt::format(
              "{} adds the context vector, of width {}, to the query, of width {}: make them equal",
              type, width, dims.query));
}

}  // namespace heed
