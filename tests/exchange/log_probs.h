#pragma once

#include "nn/torch.h"

#include "model/saved_model.h"

namespace heed {

// Id of a token as other toolkits spell it.
inline int32_t own_id(const Vocabulary& vocabulary, const std::string& token) {
  if (token == "</s>") return kEnd;
  return vocabulary.id(token);
}

// Log-probabilities of a target by an imported model, [T,V].
inline Tensor log_probs_of(const LoadedModel& model, const Ids& source, const Ids& target) {
  const torch::NoGradGuard no_grad;
  const SourceBatches sources = {{{"source", source_batch({source}, torch::kCPU)}}};
  State state = model.network->start(sources, Pass());
  std::vector<int64_t> inputs = {kBegin};
  inputs.insert(inputs.end(), target.begin(), target.end());
  const Step step = model.network->advance(torch::tensor(inputs).unsqueeze(0), state);
  return model.network->log_probs(step, state)[0];
}

}  // namespace heed
