#include "network/scoring.h"

#include "nn/torch.h"

#include <cmath>

#include "network/ensemble.h"
#include "search/not_a_number.h"

namespace heed {

std::vector<TargetScore> score(const std::vector<std::shared_ptr<Seq2Seq>>& models,
                               const SourceBatches& sources, const std::vector<Ids>& targets) {
  const c10::InferenceMode inference;
  if (targets.empty()) return {};
  Ensemble ensemble(models, sources, false);
  const TargetBatch batch = target_batch(targets, models.at(0)->device());
  const Tensor log_probs = ensemble.advance(batch.inputs);  // [R,T,V]
  const Tensor chosen = log_probs.gather(2, batch.outputs.unsqueeze(2))
                            .squeeze(2)
                            .to(torch::kCPU, torch::kDouble)
                            .contiguous();  // [R,T]
  std::vector<TargetScore> scores(targets.size());
  for (size_t r = 0; r < targets.size(); ++r) {
    const auto* row = chosen.const_data_ptr<double>() + static_cast<int64_t>(r) * chosen.size(1);
    scores[r].log_probabilities.assign(row, row + targets[r].size() + 1);
    for (const double value : scores[r].log_probabilities) scores[r].log_probability += value;
    if (std::isnan(scores[r].log_probability)) throw_not_a_number();
  }
  return scores;
}

}  // namespace heed
