// `heed score --nbest`: an n-best list with the score of a model as a further feature, re-ranked.
#pragma once

#include "cli/options.h"
#include "cli/score/options.h"
#include "network/network_model.h"

namespace heed {

// Writes the list to options.output: each line with `NAME= SCORE` behind its features, the lines of
// a sentence by this score, or with weights by the weighted sum of all features, which then is their
// total score. Error(kData) as in translate/nbest_file.h, and for another number of source lines.
void rerank(const ScoreOptions& options, const RerankingOptions& reranking,
            const NetworkModel& model);

}  // namespace heed
