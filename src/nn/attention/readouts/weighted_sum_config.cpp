#include "nn/attention/readouts/weighted_sum_config.h"

#include "base/error.h"

namespace heed {

void WeightedSumConfig::fields(Fields& f) {
  f.field("project", project,
          "learn projections of the values and of the concatenated heads; default: true with "
          "several heads or in a Transformer layer");
}

int64_t WeightedSumConfig::context_width(const StageDims& dims) const {
  return dims.block > 0 ? dims.block : dims.source.value;
}

void WeightedSumConfig::check(const StageDims& dims, Problems& problems) const {
  if (project.value_or(dims.project) || dims.block == 0 || dims.source.value == dims.block) return;
  problems.add("project", fmt::format("values of width {} need a projection in a layer of width {}",
                                      dims.source.value, dims.block));
}

namespace kinds {
Kind<ReadOutConfig> weighted_sum() {
  return kind<WeightedSumConfig, ReadOutConfig>("weighted_sum", "Σ a v");
}
}  // namespace kinds

}  // namespace heed
