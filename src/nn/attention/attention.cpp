#include "nn/attention/attention.h"

#include <functional>

#include "nn/torch.h"

namespace heed {

namespace {

Tensor join(const std::vector<Attended>& queries,
            const std::function<const Tensor&(const Attended&)>& part, int64_t side) {
  if (!part(queries.front()).defined()) return {};
  std::vector<Tensor> tensors;
  for (const Attended& query : queries) tensors.push_back(part(query));
  return torch::cat(tensors, side);
}

// Over a past that grows, what an early query attended has zeros for what came later.  [R,H,T,S]
Tensor join_weights(const std::vector<Attended>& queries) {
  if (!queries.front().weights.defined()) return {};
  const int64_t keys = queries.back().weights.size(3);
  std::vector<Tensor> weights;
  for (const Attended& query : queries)
    weights.push_back(torch::constant_pad_nd(query.weights, {0, keys - query.weights.size(3)}));
  return torch::cat(weights, 2);
}

}  // namespace

void name_source(Attended& attended, const std::string& name) {
  attended.source = name;
  for (Attended& part : attended.parts) name_source(part, name);
}

Attended Attention::attend_to(const Tensor&, const Tensor& query, const Tensor& positions,
                              double dropout, StateView state) {
  Attended attended = attend(query, positions, state);
  attended.context = heed::dropout(attended.context, dropout, state.pass());
  return attended;
}

Attended join_queries(const std::vector<Attended>& queries) {
  Attended joined = queries.front();
  if (queries.size() == 1) return joined;
  joined.context = join(
      queries, [](const Attended& a) -> const Tensor& { return a.context; }, 1);  // [R,T,V]
  joined.weights = join_weights(queries);
  for (size_t i = 0; i < joined.losses.size(); ++i) {
    joined.losses[i].value = join(
        queries, [i](const Attended& a) -> const Tensor& { return a.losses[i].value; }, 1);
  }
  for (size_t i = 0; i < joined.parts.size(); ++i) {
    std::vector<Attended> parts;
    for (const Attended& query : queries) parts.push_back(query.parts[i]);
    joined.parts[i] = join_queries(parts);
  }
  return joined;
}

}  // namespace heed
