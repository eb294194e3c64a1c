#include "run/memory_bound.h"

#include <algorithm>

#include "base/memory.h"
#include "model/size_bound_spec.h"

namespace heed {

int64_t gradients_kept(const TrainConfig& train) {
  // Each of several workers has a gradient, and the sum of all is kept as well.
  const int64_t workers = train.workers.value_or(1);
  return workers > 1 ? workers + 1 : 1;
}

VocabularySizes smallest_vocabularies(const RunConfig& config) {
  VocabularySizes sizes;
  for (const std::string& source : config.data.sources()) {
    sizes.sources[source] = kSpecials;
    sizes.owners[source] = owner_of(config.text, source);
  }
  sizes.target = kSpecials;
  sizes.tags = static_cast<int64_t>(config.data.tags().size());
  for (const auto& [name, unused] : config.model.embedding.source_factors)
    sizes.factors[name] = kSpecials;
  return sizes;
}

bool fits_surely(const RunConfig& config, const VocabularySizes& sizes) {
  const std::vector<int64_t> smallest_matrix = {1, 1};  // for which an optimizer keeps the most
  double kept = config.train.optimizer->numbers_kept(smallest_matrix);
  for (const RunPhase& phase : config.phases)
    kept = std::max(kept, phase.learning.optimizer->numbers_kept(smallest_matrix));
  const double copies =
      1 + static_cast<double>(gradients_kept(config.train)) + kept + (config.train.average ? 1 : 0);
  const SizeBound bound = size_bound(config.model, sizes);
  return bound.tensors <= static_cast<double>(kMostTensors) &&
         copies * bound.bytes() <= machine_memory();
}

}  // namespace heed
