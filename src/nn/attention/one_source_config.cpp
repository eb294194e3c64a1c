#include "nn/attention/one_source_config.h"

#include "nn/attention/multi_source_config.h"
#include "nn/attention/staged_config.h"

namespace heed {

OneSourceConfig::OneSourceConfig() : attention(std::make_shared<StagedConfig>()) {}

void OneSourceConfig::fields(Fields& f) {
  f.field("source", name, "name of the source; empty: the first in alphabetical order");
  f.one_of("attention", attention, attentions(), "attention over this source");
}

void OneSourceConfig::check(const AttentionDims& dims, Problems& problems) const {
  if (dims.sources.empty()) {
    problems.add("", "needs several sources, and there is one: use its inner `attention:`");
  } else if (!name.empty() && !dims.sources.contains(name)) {
    problems.add("source", no_such_source(dims, name));
  } else {
    ProblemsAt inner(problems, "attention");
    attention->check(own_dims(dims), inner);
  }
}

AttentionDims OneSourceConfig::own_dims(const AttentionDims& dims) const {
  return dims_of_source(dims, name);
}

int64_t OneSourceConfig::context_width(const AttentionDims& dims) const {
  return attention->context_width(own_dims(dims));
}

int64_t OneSourceConfig::weight_heads(const AttentionDims& dims) const {
  return attention->weight_heads(own_dims(dims));
}

bool OneSourceConfig::weights_have_gradient() const { return attention->weights_have_gradient(); }

namespace kinds {
Kind<AttentionConfig> one_source() {
  return kind<OneSourceConfig, AttentionConfig>("one_source",
                                                "attention over one of several sources");
}
}  // namespace kinds

}  // namespace heed
