// Probabilities of given targets (forced decoding).
#pragma once

#include <memory>
#include <vector>

#include "model/seq2seq.h"
#include "translate/target_score.h"

namespace heed {

// targets: one for each sentence of the batch, without kBegin and kEnd. An ensemble takes the mean
// of the probabilities. Error(kModel) if a model gives probabilities that are not numbers.
std::vector<TargetScore> score(const std::vector<std::shared_ptr<Seq2Seq>>& models,
                               const SourceBatches& sources, const std::vector<Ids>& targets);

}  // namespace heed
