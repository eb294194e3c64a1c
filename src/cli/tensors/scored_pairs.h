// Source lines and targets that `heed score` computes the probabilities of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/source_reader.h"
#include "network/line_scores.h"

namespace heed {

// targets[i] is a translation of sources[i].
struct ScoredPairs {
  std::vector<SourceLine> sources;
  std::vector<std::string> targets;
  std::vector<int64_t> numbers{};  // as of score_lines()
};

// The source lines that the options name, or so many without a source for a language model.
// Error(kUsage) for sources that do not fit the model; Error(kData) for another number than `lines`,
// which ends in `counterpart`: what has that number.
std::vector<SourceLine> read_sources(const NetworkModel& model, const ScoreOptions& options,
                                     int64_t lines, const std::string& counterpart);

// Calls `take` with the scores of the pairs, in their order, some thousands at a time, then logs the
// warnings about them.
void score_pairs(const NetworkModel& model, const ScoredPairs& pairs,
                 const DecodingOptions& decoding,
                 const std::function<void(const std::vector<LineScore>&)>& take);

}  // namespace heed
