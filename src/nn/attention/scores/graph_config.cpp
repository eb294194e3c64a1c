#include "nn/attention/scores/graph_config.h"

#include "config/idle.h"
#include "config/sizes.h"

namespace heed {

void GraphConfig::fields(Fields& f) {
  f.field("project", project,
          "learn W; false: queries and keys are W h already, as in the encoder graph, whose values "
          "have the same W");
  f.field("width", width, kWidthsOrNone, "of W h, all heads together; 0: the width of the query");
  if (!project) idle(f, "width", "with `project: false`");
  f.field("slope", slope, kZeroOrMore, "negative slope of the LeakyReLU");
}

void GraphConfig::check(const StageDims& dims, Problems& problems) const {
  check_one_sequence(*this, dims, problems);
  if (dims.place != Place::kCross && dims.query != dims.source.key)
    problems.add("",
                 fmt::format("graph has one matrix for queries and keys, but their widths are {} "
                             "and {}: use another score",
                             dims.query, dims.source.key));
}

namespace kinds {
Kind<ScorerConfig> graph() {
  return kind<GraphConfig, ScorerConfig>(
      "graph", "LeakyReLU(aᵀ [W h_i; W h_j]) of graph attention (Veličković 2018)");
}
}  // namespace kinds

}  // namespace heed
