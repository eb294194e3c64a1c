// The probability of given translations of raw lines.
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
  // The target; the last of score's log-probabilities is kEnd's.
  std::vector<std::string> pieces;
  WarningList warnings{};  // of doubtful and long lines (line_checks.h)
};

struct LineScoreOptions {
  int64_t batch = 64;  // sentences
  int64_t workers = 1;
  LineWarnings* warnings = nullptr;  // receives those of all lines too
  // Called before each batch, from several threads; what it throws ends the call.
  std::function<void()> before_batch{};
};

// Lines of about one length that are scored together, by their places among all.
struct ScoredGroup {
  const std::vector<EncodedLine>& lines;
  const std::vector<size_t>& chosen;
  const std::vector<Ids>& targets;  // of the chosen ones, in their order
};
// Called from several threads.
using GroupScorer = std::function<std::vector<TargetScore>(const ScoredGroup& group)>;

// Of targets[i], as a translation of sources[i]; an empty target is scored too, as one that ends at
// once. numbers: of each source line in its file, for messages; none: 1, 2, …; equal ones behind each
// other are one source line. Error(kData) with the line's number if a line is malformed UTF-8: its
// probability would be that of another text.
std::vector<LineScore> score_lines(const TextModel& model, const std::vector<SourceLine>& sources,
                                   const std::vector<std::string>& targets,
                                   const LineScoreOptions& options,
                                   const std::vector<int64_t>& numbers, const GroupScorer& score,
                                   const DecodingThreads& threads);

// By the model's engine, which is free of libtorch if the model is.
std::vector<LineScore> score_lines(const TextModel& model, const std::vector<SourceLine>& sources,
                                   const std::vector<std::string>& targets,
                                   const LineScoreOptions& options = {});

}  // namespace heed
