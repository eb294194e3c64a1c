#include "train/training_memory.h"

#include "base/error.h"
#include "model/model_size.h"
#include "run/memory_bound.h"

namespace heed {

namespace {

// Mean number of values that the optimizer keeps for each parameter.
double kept_by(const OptimizerConfig& optimizer, const ModelSize& size) {
  double kept = 0;
  for (const std::vector<int64_t>& shape : size.shapes) kept += optimizer.numbers_kept(shape);
  return size.parameters > 0 ? kept / size.parameters : 0;
}

// The optimizer of the phase that keeps the most values.
const OptimizerConfig& largest_optimizer(const RunConfig& config, const ModelSize& size) {
  const OptimizerConfig* largest = config.train.optimizer.get();
  for (const RunPhase& phase : config.phases) {
    const OptimizerConfig& own = *phase.learning.optimizer;
    if (kept_by(own, size) > kept_by(*largest, size)) largest = &own;
  }
  return *largest;
}

}  // namespace

void check_training_memory(const RunConfig& config, const VocabularySizes& sizes) {
  if (fits_surely(config, sizes)) return;
  const TrainConfig& train = config.train;
  const int64_t gradients = gradients_kept(train);
  const ModelSize size = size_of_model(config.model, sizes);
  const OptimizerConfig& optimizer = largest_optimizer(config, size);
  const double kept = kept_by(optimizer, size);
  if (train.lora) return check_memory(size, 2, "to be adapted by train.lora", ErrorKind::kUsage);
  const std::string use = fmt::format(
      "to be trained (parameters, {} gradient{}, {:.3g} numbers of {} for each{})", gradients,
      gradients == 1 ? "" : "s", kept, optimizer.type, train.average ? ", their average" : "");
  check_memory(size, 1 + static_cast<double>(gradients) + kept + (train.average ? 1 : 0), use,
               ErrorKind::kUsage);
}

}  // namespace heed
