#include "nn/attention/readouts/weighted_sum_config.h"

#include "base/error.h"
#include "config/idle.h"
#include "config/sizes.h"

namespace heed {

namespace {

struct PlainSumConfig final : WeightedSumConfig {
  int64_t width = 0;  // of the projected values of all heads together; 0: of the context vector
  void fields(Fields& f) override {
    WeightedSumConfig::fields(f);
    f.field("width", width, kWidthsOrNone,
            "width of the projected values of all heads together; 0: the width of the context "
            "vector");
    if (project == false) idle(f, "width", "with `project: false`");
  }
  int64_t width_of_heads(const StageDims& dims) const override {
    return project.value_or(dims.project) && width > 0 ? width : context_width(dims);
  }
  void check(const StageDims& dims, Problems& problems) const override {
    WeightedSumConfig::check(dims, problems);
    if (width > 0 && dims.combination != nullptr && dims.combination->type != "concat")
      problems.add("width", fmt::format("heads with a width of their own are concatenated, but "
                                        "head_combination is {}",
                                        dims.combination->type));
  }
};

}  // namespace

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
  return kind<PlainSumConfig, ReadOutConfig>("weighted_sum", "Σ a v");
}
}  // namespace kinds

}  // namespace heed
