#include "network/line_scores.h"

#include "network/network_threads.h"
#include "network/scoring.h"
#include "nn/torch_errors.h"

namespace heed {

std::vector<LineScore> score_lines(const NetworkModel& model,
                                   const std::vector<SourceLine>& sources,
                                   const std::vector<std::string>& targets,
                                   const LineScoreOptions& options,
                                   const std::vector<int64_t>& numbers) {
  const auto score_group = [&](const ScoredGroup& group) {
    return with_known_errors([&] {
      return score(model.networks, source_batches(model, group.lines, group.chosen), group.targets);
    });
  };
  return score_lines(model, sources, targets, options, numbers, score_group, NetworkThreads());
}

}  // namespace heed
