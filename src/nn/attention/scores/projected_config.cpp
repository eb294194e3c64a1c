#include "nn/attention/scores/projected_config.h"

#include "config/idle.h"
#include "config/sizes.h"

namespace heed {

void ProjectedConfig::fields(Fields& f) {
  f.field("project", project,
          "learn projections of queries and keys; default: true with several heads or in a "
          "Transformer layer");
  f.field("width", width, kWidthsOrNone,
          "width of the projections of all heads together; 0: the width of the query");
  if (project == false) idle(f, "width", "with `project: false`");
}

int64_t ProjectedConfig::width_of_heads(const StageDims& dims) const {
  return project.value_or(dims.project) && width > 0 ? width : dims.query;
}

void ProjectedConfig::check(const StageDims& dims, Problems& problems) const {
  if (project.value_or(dims.project) || dims.query == dims.source.key) return;
  problems.add("", fmt::format("{} needs equal widths, but the query has width {} and the keys {}: "
                               "make them equal, set project: true, or use general or additive",
                               type, dims.query, dims.source.key));
}

}  // namespace heed
