#include "nn/attention/attention.h"

#include <functional>

#include "nn/torch.h"

#include "base/error.h"
#include "nn/attention/heads.h"

namespace heed {

namespace {

Tensor join(const std::vector<Attended>& queries,
            const std::function<const Tensor&(const Attended&)>& part, int64_t dim) {
  if (!part(queries.front()).defined()) return {};
  std::vector<Tensor> tensors;
  for (const Attended& query : queries) tensors.push_back(part(query));
  return torch::cat(tensors, dim);
}

// Over a growing past, the weights of early queries are padded with zeros for later keys.
// [R,H,T,S]
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

void Attention::start(const Sources&, StateView) {
  throw InternalError("an attention over the past alone");
}

Attended Attention::attend(const Tensor&, const Tensor&, StateView) {
  throw InternalError("an attention over the past alone");
}

Attended Attention::attend_past(const Tensor&, const Tensor&, const Tensor&, const Tensor&,
                                StateView) {
  throw InternalError("an attention over a source alone");
}

Attended Attention::attend_to(const Tensor&, const Tensor& query, const Tensor& positions,
                              double dropout, StateView state) {
  Attended attended = attend(query, positions, state);
  attended.context = heed::dropout(attended.context, dropout, state.pass());
  return attended;
}

namespace {

// Changes all tensors of a result and its parts: weights, and those with queries as second
// dimension.
template <class Queries, class Weights>
void change(Attended& attended, const Queries& of_queries, const Weights& of_weights) {
  if (attended.context.defined()) attended.context = of_queries(attended.context);
  if (attended.weights.defined()) attended.weights = of_weights(attended.weights);
  for (SideLoss& loss : attended.losses) {
    loss.value = of_queries(loss.value);
    if (loss.counted.defined()) loss.counted = of_queries(loss.counted);
  }
  for (Attended& part : attended.parts) change(part, of_queries, of_weights);
}

}  // namespace

Attended by_sentence(Attended attended, int64_t hypotheses) {
  if (hypotheses == 1) return attended;
  change(
      attended, [=](const Tensor& x) { return by_sentence(x, hypotheses); },
      [=](const Tensor& x) { return heads_by_sentence(x, hypotheses); });
  return attended;
}

Attended by_hypothesis(Attended attended, int64_t hypotheses) {
  if (hypotheses == 1) return attended;
  change(
      attended, [=](const Tensor& x) { return by_hypothesis(x, hypotheses); },
      [=](const Tensor& x) { return heads_by_hypothesis(x, hypotheses); });
  return attended;
}

Attended attend_by_hypothesis(Attention& attention, const Tensor& query, const Tensor& positions,
                              StateView state) {
  const int64_t hypotheses = state.hypotheses();
  return by_hypothesis(
      attention.attend(by_sentence(query, hypotheses), by_sentence(positions, hypotheses), state),
      hypotheses);
}

Attended attend_to_by_hypothesis(Attention& attention, const Tensor& x, const Tensor& query,
                                 const Tensor& positions, double dropout, StateView state) {
  const int64_t hypotheses = state.hypotheses();
  const Tensor asked = by_sentence(query, hypotheses);
  return by_hypothesis(
      attention.attend_to(x.is_same(query) ? asked : by_sentence(x, hypotheses), asked,
                          by_sentence(positions, hypotheses), dropout, state),
      hypotheses);
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
