// Probabilities of given targets (forced decoding).
#pragma once

#include <memory>
#include <vector>

#include "model/seq2seq.h"

namespace heed {

struct TargetScore {
  double log_probability = 0;             // of the target and kEnd, nats
  std::vector<double> log_probabilities;  // of each of its tokens and of kEnd
};

// targets: one for each sentence of the batch, without kBegin and kEnd. An ensemble takes the mean
// of the probabilities. Error(kModel) if a model gives probabilities that are not numbers.
std::vector<TargetScore> score(const std::vector<std::shared_ptr<Seq2Seq>>& models,
                               const SourceBatches& sources, const std::vector<Ids>& targets);

}  // namespace heed
