#include "network/ensemble.h"

#include "nn/torch.h"

#include <cmath>

#include "base/error.h"

namespace heed {

Ensemble::Ensemble(const std::vector<std::shared_ptr<Seq2Seq>>& models,
                   const SourceBatches& sources, bool keep_weights)
    : models_(models) {
  HEED_CHECK(!models.empty());
  Pass pass;
  pass.keep_weights = keep_weights;
  for (const auto& model : models) states_.push_back(model->start(sources, pass));
}

Tensor Ensemble::advance(const Tensor& tokens) {
  weights_.clear();
  std::vector<Tensor> log_probs;  // [R,T,V] each
  for (size_t i = 0; i < models_.size(); ++i) {
    const Step step = models_[i]->advance(tokens, states_[i]);
    log_probs.push_back(models_[i]->log_probs(step, states_[i]));
    const Attended* attended = alignment_of(step);
    if (!attended || !attended->weights.defined()) continue;
    weights_.push_back(alignment_weights(step).mean(1));
    attention_source_ = attended->source;
  }
  if (log_probs.size() == 1) return log_probs[0];
  const double count = static_cast<double>(log_probs.size());
  return torch::logsumexp(torch::stack(log_probs), 0).sub_(std::log(count));  // [R,T,V]
}

Tensor Ensemble::attention() const {
  if (weights_.empty()) return {};
  return weights_.size() == 1 ? weights_[0] : torch::stack(weights_).mean(0);
}

void Ensemble::gather(const Tensor& rows, int64_t hypotheses) {
  for (State& state : states_) state.gather(rows, hypotheses);
}

void Ensemble::join(Ensemble more) {
  for (size_t i = 0; i < states_.size(); ++i) states_[i].join(std::move(more.states_.at(i)));
}

}  // namespace heed
