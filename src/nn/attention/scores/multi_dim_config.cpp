#include "nn/attention/scores/multi_dim_config.h"

#include "config/sizes.h"

namespace heed {

void FullForm::fields(Fields& f) {
  f.field("hidden", hidden, kWidths, "width of the hidden layer");
}

void FullForm::check(const StageDims& dims, const Problems& problems) const {
  look_at_hidden(hidden, dims, problems);
}

namespace {

const Registry<MultiDimFormConfig>& multi_dim_forms() {
  static const Registry<MultiDimFormConfig> list = {
      kind<FullForm, MultiDimFormConfig>("full", "with a hidden layer"),
      kind<LightForm, MultiDimFormConfig>("light", "without it, as in DiSA blocks"),
  };
  return list;
}

}  // namespace

void MultiDimConfig::fields(Fields& f) {
  f.one_of("form", form, multi_dim_forms(), "with a hidden layer or without");
}

void MultiDimConfig::check(const StageDims& dims, Problems& problems) const {
  form->check(dims, ProblemsAt(problems, "form"));
}

namespace kinds {
Kind<ScorerConfig> multi_dim() {
  return kind<MultiDimConfig, ScorerConfig>(
      "multi_dim", "multi-dimensional: a score for each feature of the values (Shen 2018, DiSAN)");
}
}  // namespace kinds

}  // namespace heed
