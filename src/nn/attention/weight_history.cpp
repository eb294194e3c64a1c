#include "nn/attention/weight_history.h"

#include "nn/torch.h"

#include "nn/attention/heads.h"

namespace heed {

namespace {

// Takes the t-th queries of all hypotheses, from queries along `dim`, one hypothesis after the
// other.
Tensor queries_at(const Tensor& x, int64_t dim, int64_t hypotheses, int64_t t) {
  return x.unflatten(dim, {hypotheses, -1}).select(dim + 1, t);
}

At at_query(const At& all, int64_t hypotheses, int64_t t) {
  At at = all;
  at.query = queries_at(all.query, 1, hypotheses, t);
  at.queries = queries_at(all.queries, 2, hypotheses, t);
  if (all.normalizer_queries.defined())
    at.normalizer_queries = queries_at(all.normalizer_queries, 2, hypotheses, t);
  at.positions = queries_at(all.positions, 1, hypotheses, t);
  if (all.reach.size(1) != 1) at.reach = queries_at(all.reach, 1, hypotheses, t);
  return at;
}

// Joins steps with one query of each hypothesis to queries in that order.
Attended join_steps(const std::vector<Attended>& steps, int64_t hypotheses) {
  Attended joined = join_queries(steps);
  if (hypotheses == 1 || steps.size() == 1) return joined;
  const auto hypotheses_first = [hypotheses](const Tensor& x, int64_t dim) {
    return x.unflatten(dim, {-1, hypotheses}).transpose(dim, dim + 1).flatten(dim, dim + 1);
  };
  joined.context = hypotheses_first(joined.context, 1);
  joined.weights = hypotheses_first(joined.weights, 2);
  for (SideLoss& loss : joined.losses) loss.value = hypotheses_first(loss.value, 1);
  return joined;
}

}  // namespace

History WeightHistory::load(const KeysAndValues& memory, const StateView& state) const {
  const int64_t keys = memory.keys.size(2);
  if (!state.has(previous_)) {
    const Tensor none = torch::zeros({memory.keys.size(0), heads_, memory.hypotheses, keys},
                                     memory.keys.options().requires_grad(false));
    return {.previous = none, .total = none, .kept = {}};
  }
  const auto of = [&](CarrySlot slot) {
    return queries_of_hypotheses(with_new_keys(state.get(slot), keys), memory.hypotheses);
  };
  return {.previous = of(previous_),
          .total = of(total_),
          .kept = state.has(kept_) ? of(kept_) : Tensor()};
}

void WeightHistory::store(const History& history, const StateView& state) const {
  state.put(previous_, hypotheses_of_queries(history.previous));
  state.put(total_, hypotheses_of_queries(history.total));
  if (history.kept.defined()) state.put(kept_, hypotheses_of_queries(history.kept));
}

Attended WeightHistory::attend(const Stages& stages, const At& at, const KeysAndValues& memory,
                               StateView state) const {
  const int64_t hypotheses = memory.hypotheses;
  History history = load(memory, state);
  std::vector<Attended> steps;
  for (int64_t t = 0; t < at.query.size(1) / hypotheses; ++t) {
    At one = at_query(at, hypotheses, t);
    one.history = history;
    steps.push_back(plain_attention(stages, one, memory));
    const Tensor& weights = steps.back().weights;
    history = {.previous = weights,
               .total = history.total + weights,
               .kept = stages.scorer->remember(one, weights)};
    stages.normalizer->remember(one, weights);
  }
  store(history, state);
  return join_steps(steps, hypotheses);
}

}  // namespace heed
