#include "nn/attention/scores/second_scores.h"

#include "nn/torch.h"

#include "nn/attention/heads.h"
#include "nn/gradient_sum.h"

namespace heed {

void SecondScores::start(const Source& source, const StateView& own) const {
  own.put(keys_, with_gradient_sum(scorer_->prepare_keys(source.keys, source.positions)));
}

void SecondScores::append(const Tensor& keys, const Tensor& positions, const StateView& own) const {
  own.append(past_keys_, scorer_->prepare_keys(keys, positions));
}

Tensor SecondScores::prepare_queries(const Tensor& x, const Tensor& positions) const {
  return scorer_->prepare_queries(x, positions);
}

At SecondScores::inputs(const At& at) const {
  const StateView& own = at.normalizer_state;
  At second = at;
  second.queries = at.normalizer_queries;
  second.keys = own.has(keys_) ? own.get(keys_) : own.get(past_keys_);
  if (own.has(kept_)) {
    second.history.kept = queries_of_hypotheses(with_new_keys(own.get(kept_), second.keys.size(2)),
                                                at.queries.size(2));
  }
  return second;
}

Tensor SecondScores::scores(const At& at) const { return scorer_->score(inputs(at)); }

Tensor SecondScores::scores_of(const Tensor& positions, const At& at) const {
  At some = inputs(at);
  some.keys = taken(some.keys, positions);
  return scorer_->score(some).squeeze(2);
}

void SecondScores::remember(const At& at, const Tensor& weights) const {
  const Tensor kept = scorer_->remember(inputs(at), weights);
  if (kept.defined()) carry(at, kept_, kept);
}

}  // namespace heed
