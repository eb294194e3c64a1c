#include "nn/attention/stages.h"

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/heads.h"

namespace heed {

SparseWeights Normalizer::read(const ScoredKeys&, const At&) {
  HEED_CHECK(false, "a normalizer that looks at all keys");
}

Tensor distances(const At& at) {
  return at.key_positions.unsqueeze(1) - at.positions.unsqueeze(2);  // [R,T,S]
}

Tensor key_positions_as(const At& at, torch::ScalarType type) {
  return at.key_positions.to(type).unsqueeze(1).unsqueeze(1);
}

Tensor carried(const At& at, CarrySlot entry) {
  if (!at.normalizer_state.has(entry)) return {};
  return queries_of_hypotheses(at.normalizer_state.get(entry), at.queries.size(2));
}

void carry(const At& at, CarrySlot entry, const Tensor& x) {
  at.normalizer_state.put(entry, hypotheses_of_queries(x));
}

Tensor taken(const Tensor& x, const Tensor& positions) {
  const int64_t hypotheses = positions.size(0) / x.size(0);
  const Tensor inside =
      heads_by_sentence(positions.clamp(0, x.size(2) - 1), hypotheses);   // [N,H,B·P]
  const Tensor grouped = heads_by_group(inside, x.size(1)).unsqueeze(3);  // [N,G,H/G·B·P,1]
  const Tensor of_groups = x.gather(2, grouped.expand({-1, -1, -1, x.size(3)}));
  return heads_by_hypothesis(heads_of_groups(of_groups, positions.size(1)), hypotheses);
}

}  // namespace heed
