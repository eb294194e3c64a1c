#include "train/train_job.h"

#include "nn/torch.h"

namespace heed {

const LearningConfig& TrainJob::learning_of(size_t phase) const {
  return phase == 0 ? train : phases[phase - 1].learning;
}

BatchStream& TrainJob::batches_of(size_t phase) const {
  return phase == 0 ? *batches : *phases[phase - 1].batches;
}

Parallelism TrainJob::parallelism() const {
  return {.workers = *train.workers, .processes = *processes};
}

NetworkModel TrainJob::model_of(std::shared_ptr<Seq2Seq> network) const {
  return network_model(
      {{{.folder = folder.folder(), .config = model, .codecs = codecs}, std::move(network)}});
}

}  // namespace heed
