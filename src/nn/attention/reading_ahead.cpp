#include "nn/attention/reading_ahead.h"

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/heads.h"

namespace heed {

Tensor taken(const Tensor& x, const Tensor& places) {
  const int64_t hypotheses = places.size(0) / x.size(0);
  const Tensor inside = heads_by_sentence(places.clamp(0, x.size(2) - 1), hypotheses);  // [N,H,B·P]
  const Tensor of_sentence = x.expand({-1, places.size(1), -1, -1})
                                 .gather(2, inside.unsqueeze(3).expand({-1, -1, -1, x.size(3)}));
  return heads_by_hypothesis(of_sentence, hypotheses);
}

Tensor KeysAhead::inside(const Tensor& places) const { return places.clamp(0, count() - 1); }

Tensor KeysAhead::open(const Tensor& places) const {
  const Tensor readable = taken(mask_, places).squeeze(3);
  return readable & (places >= 0) & (places < count());
}

Tensor KeysAhead::scores(const Tensor& places) const {
  At some = at_;
  some.keys = taken(at_.keys, places);
  return scorer_.score(some).squeeze(2);
}

Tensor KeysAhead::second_scores(const Tensor& places) const {
  HEED_CHECK(second_ != nullptr, "no second scores");
  At some = at_;
  some.queries = at_.second_queries;
  some.keys = taken(at_.second_keys, places);
  return second_->score(some).squeeze(2);
}

Tensor KeysAhead::spread(const Reading& reading) const {
  const auto& places = reading.places;
  return reading.weights.new_zeros({places.size(0), places.size(1), count()})
      .scatter_add(2, inside(places), reading.weights)
      .unsqueeze(2);
}

}  // namespace heed
