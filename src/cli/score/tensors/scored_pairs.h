// Source lines and targets whose probabilities `heed score` computes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/score/options.h"
#include "cli/source_reader.h"
#include "network/line_scores.h"

namespace heed {

// targets[i] is a translation of sources[i].
struct ScoredPairs {
  std::vector<SourceLine> sources;
  std::vector<std::string> targets;
  std::vector<int64_t> numbers{};  // as for score_lines()
};

// The source lines that the options name; for a language model, `lines` lines without a source.
// Throws Error(kUsage) for sources that do not fit the model, Error(kData) if their number is not
// `lines`. counterpart: end of that message, which names what has `lines` lines.
std::vector<SourceLine> read_sources(const NetworkModel& model, const ScoreOptions& options,
                                     int64_t lines, const std::string& counterpart);

// Calls `take` with the scores of the pairs, in order and a few thousand at a time, then logs the
// warnings about them.
void score_pairs(const NetworkModel& model, const ScoredPairs& pairs,
                 const DecodingOptions& decoding,
                 const std::function<void(const std::vector<LineScore>&)>& take);

}  // namespace heed
