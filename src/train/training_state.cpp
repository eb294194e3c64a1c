#include "train/training_state.h"

#include "nn/torch.h"

#include "base/error.h"
#include "train/parameter_pattern.h"

namespace heed {

std::string freeze_key(size_t phase) {
  return phase == 0 ? "train.freeze" : fmt::format("train.phases[{}].train.freeze", phase - 1);
}

std::set<std::string> frozen_in(const TrainJob& job, const FlatParameters& parameters,
                                size_t phase) {
  return selected(job.learning_of(phase).freeze, parameters.names(), freeze_key(phase).c_str());
}

std::unique_ptr<Optimizer> build_optimizer(const TrainJob& job, FlatParameters& parameters,
                                           size_t phase) {
  return build(*job.learning_of(phase).optimizer, job.train.shard_optimizer
                                                      ? ParameterShard(parameters, *job.processes)
                                                      : ParameterShard(parameters));
}

}  // namespace heed
