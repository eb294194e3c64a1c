#include "nn/attention/scores/projected.h"

#include <cmath>

#include "nn/torch.h"

#include "config/idle.h"
#include "config/sizes.h"
#include "nn/attention/heads.h"
#include "nn/gradient_sum.h"

namespace heed {

ProjectedScorer::ProjectedScorer(const ProjectedConfig& config, const StageDims& dims)
    : heads_(dims.heads) {
  if (!config.project.value_or(dims.project)) return;
  const int64_t width = config.width_of_heads(dims);
  query_ = Linear(*this, "query", dims.query, width);
  key_ = Linear(*this, "key", dims.source.key, width);
}

Tensor ProjectedScorer::prepare_queries(const Tensor& x, const Tensor&) {
  return split_heads(query_ ? query_(x) : x, heads_);
}

Tensor ProjectedScorer::prepare_keys(const Tensor& x, const Tensor&) {
  return split_heads(key_ ? key_(x) : x, heads_);
}

Tensor scaled_product(const Tensor& queries, const Tensor& keys) {
  const double root = std::sqrt(static_cast<double>(queries.size(3)));
  return step_product_transposed(queries / root, keys);
}

void ProjectedConfig::fields(Fields& f) const {
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
