// Forced decoding: the probabilities of given targets by any engine of search, token by token.
#pragma once

#include <vector>

#include "search/engine.h"
#include "translate/target_score.h"

namespace heed {

// targets[i]: of sentence i, without kBegin and kEnd. Error(kModel) if a probability is not a number.
std::vector<TargetScore> forced_scores(const Engine& engine,
                                       const std::vector<const Example*>& sentences,
                                       const std::vector<Ids>& targets);

}  // namespace heed
