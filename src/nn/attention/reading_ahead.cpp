#include "nn/attention/reading_ahead.h"

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/heads.h"

namespace heed {

Tensor taken(const Tensor& x, const Tensor& positions) {
  const int64_t hypotheses = positions.size(0) / x.size(0);
  const Tensor inside =
      heads_by_sentence(positions.clamp(0, x.size(2) - 1), hypotheses);  // [N,H,B·P]
  const Tensor of_sentence = x.expand({-1, positions.size(1), -1, -1})
                                 .gather(2, inside.unsqueeze(3).expand({-1, -1, -1, x.size(3)}));
  return heads_by_hypothesis(of_sentence, hypotheses);
}

Tensor KeysAhead::inside(const Tensor& positions) const { return positions.clamp(0, count() - 1); }

Tensor KeysAhead::open(const Tensor& positions) const {
  const Tensor readable = taken(mask_, positions).squeeze(3);
  return readable & (positions >= 0) & (positions < count());
}

Tensor KeysAhead::scores(const Tensor& positions) const {
  At some = at_;
  some.keys = taken(at_.keys, positions);
  return scorer_.score(some).squeeze(2);
}

Tensor KeysAhead::second_scores(const Tensor& positions) const {
  HEED_CHECK(second_ != nullptr, "no second scores");
  At some = at_;
  some.queries = at_.second_queries;
  some.keys = taken(at_.second_keys, positions);
  return second_->score(some).squeeze(2);
}

Tensor KeysAhead::spread(const SparseWeights& sparse) const {
  const auto& positions = sparse.positions;
  return sparse.weights.new_zeros({positions.size(0), positions.size(1), count()})
      .scatter_add(2, inside(positions), sparse.weights)
      .unsqueeze(2);
}

}  // namespace heed
