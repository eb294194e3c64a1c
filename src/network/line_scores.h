// Probabilities of given translations of raw lines, all tokens of a target at once: `heed score`.
#pragma once

#include "network/network_model.h"
#include "translate/line_scores.h"

namespace heed {

// Same as score_lines() of translate/line_scores.h, but computed by the networks, without an
// engine. numbers: line numbers of the sources.
std::vector<LineScore> score_lines(const NetworkModel& model,
                                   const std::vector<SourceLine>& sources,
                                   const std::vector<std::string>& targets,
                                   const LineScoreOptions& options = {},
                                   const std::vector<int64_t>& numbers = {});

}  // namespace heed
