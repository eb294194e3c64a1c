// The probabilities of given translations of raw lines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "search/engine.h"
#include "translate/line_warning.h"
#include "translate/target_score.h"
#include "translate/text_model.h"

namespace heed {

struct LineScore {
  TargetScore score;
  // Pieces of the target; the last of score's log-probabilities is that of kEnd.
  std::vector<std::string> pieces;
  WarningList warnings{};  // of doubtful and long lines (line_checks.h)
};

struct LineScoreOptions {
  int64_t batch = 64;  // sentences
  int64_t workers = 1;
  LineWarnings* warnings = nullptr;  // receives the warnings of all lines as well
  // Called before each batch, from several threads; an exception ends the call.
  std::function<void()> before_batch{};
};

// Lines of similar length that are scored together, by their indices among all lines.
struct ScoredGroup {
  const std::vector<EncodedLine>& lines;
  const std::vector<size_t>& chosen;
  const std::vector<Ids>& targets;  // of the chosen lines, in their order
};
// Called from several threads.
using GroupScorer = std::function<std::vector<TargetScore>(const ScoredGroup& group)>;

// Scores targets[i] as a translation of sources[i]. An empty target gets the score of ending at
// once. numbers: line number of each source in its file, for messages; empty: 1, 2, …; consecutive
// equal numbers are one source line. Throws Error(kData) with the line number for malformed UTF-8,
// because the probability would be that of another text.
std::vector<LineScore> score_lines(const TextModel& model, const std::vector<SourceLine>& sources,
                                   const std::vector<std::string>& targets,
                                   const LineScoreOptions& options,
                                   const std::vector<int64_t>& numbers, const GroupScorer& score,
                                   const DecodingThreads& threads);

// Scores with the model's engine, which is free of libtorch if the model is.
std::vector<LineScore> score_lines(const TextModel& model, const std::vector<SourceLine>& sources,
                                   const std::vector<std::string>& targets,
                                   const LineScoreOptions& options = {});

}  // namespace heed
