#include "nn/attention/readouts/differential_config.h"

#include <cmath>

#include "base/error.h"

namespace heed {

void DifferentialConfig::fields(Fields& f) {
  WeightedSumConfig::fields(f);
  f.field("lambda_init", lambda_init, kFraction,
          "λ_init, the value of λ without what is learned; default: 0.8 - 0.6 exp(-0.3 l) in layer "
          "l of a Transformer, counted from 0, and 0.2 elsewhere");
}

void DifferentialConfig::check(const StageDims& dims, Problems& problems) const {
  WeightedSumConfig::check(dims, problems);
  if (dims.heads % 2 != 0)
    problems.add("", fmt::format("differential needs an even number of heads, two for each "
                                 "difference, but there are {}",
                                 dims.heads));
}

double DifferentialConfig::first_lambda(const StageDims& dims) const {
  return lambda_init.value_or(0.8 - 0.6 * std::exp(-0.3 * static_cast<double>(dims.layer)));
}

namespace kinds {
Kind<ReadOutConfig> differential() {
  return kind<DifferentialConfig, ReadOutConfig>(
      "differential",
      "Σ (a - λ a') v of the weights of two heads, normalized for each pair (Ye 2025)");
}
}  // namespace kinds

}  // namespace heed
