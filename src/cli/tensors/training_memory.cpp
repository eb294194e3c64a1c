#include "cli/tensors/training_memory.h"

#include "base/error.h"
#include "model/model_size.h"
#include "text/vocabulary.h"

namespace heed {

void check_training_memory(const RunConfig& config, const VocabularySizes& sizes) {
  const TrainConfig& train = config.train;
  const int64_t workers = train.workers.value_or(1);
  // A worker of several has a gradient of its own, beside their sum.
  const int64_t gradients = workers > 1 ? workers + 1 : 1;
  const int64_t kept = train.optimizer->numbers_kept();
  const std::string use =
      fmt::format("to be trained (parameters, {} gradient{}, {} numbers of {} for each)", gradients,
                  gradients == 1 ? "" : "s", kept, train.optimizer->type);
  check_memory(size_of_model(config.model, sizes), static_cast<double>(1 + gradients + kept), use,
               ErrorKind::kUsage);
}

void check_training_memory(const RunConfig& config) {
  VocabularySizes sizes;
  for (const std::string& source : config.data.sources()) {
    sizes.sources[source] = kSpecials;
    sizes.owners[source] = owner_of(config.text, source);
  }
  sizes.target = kSpecials;
  sizes.tags = static_cast<int64_t>(config.data.tags().size());
  for (const auto& [name, unused] : config.model.embedding.source_factors)
    sizes.factors[name] = kSpecials;
  check_training_memory(config, sizes);
}

}  // namespace heed
