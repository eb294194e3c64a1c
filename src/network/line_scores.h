// The probability of given translations of raw lines, all tokens of a target at once: `heed score`.
#pragma once

#include "network/network_model.h"
#include "translate/line_scores.h"

namespace heed {

// As of translate/line_scores.h, which need not have an engine.
std::vector<LineScore> score_lines(const NetworkModel& model,
                                   const std::vector<SourceLine>& sources,
                                   const std::vector<std::string>& targets,
                                   const LineScoreOptions& options = {},
                                   const std::vector<int64_t>& numbers = {});

}  // namespace heed
