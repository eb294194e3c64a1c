// Cross-entropy of a token, in three passes over its row of scores, which stays in the cache:
// maximum, exponentials and sums, gradient. Included after vector_loops.h.
#pragma once

namespace heed {
namespace {

inline bool is_first_greatest(const float* x, int64_t index, float greatest_value) {
  if (!(x[index] >= greatest_value)) return false;
  for (int64_t i = 0; i < index; ++i) {
    if (x[i] >= greatest_value) return false;
  }
  return true;
}

// Turns exponentials into the gradient: scale · x - ε/V, and 1 - ε less at the target.
inline void cross_entropy_gradient(const CrossEntropyView& view, float scale) {
  float* x = view.scores;
  const float uniform = view.smoothing / static_cast<float>(view.count);
  const float by_target = x[view.target] * scale - uniform + view.smoothing - 1;
  if (view.rounded == nullptr) {
    along(
        view.count, [&](int64_t i) { store(x + i, load<Floats>(x + i) * scale - uniform); },
        [&](int64_t i) { x[i] = x[i] * scale - uniform; });
    x[view.target] = by_target;
  } else {
    along(
        view.count,
        [&](int64_t i) { store_bf16(view.rounded + i, load<Floats>(x + i) * scale - uniform); },
        [&](int64_t i) { store(view.rounded + i, bf16_of(x[i] * scale - uniform)); });
    store(view.rounded + view.target, bf16_of(by_target));
  }
}

// Computes x += bias and returns the maximum of the sums.
inline float add_bias(const float* bias, int64_t count, float* x) {
  Floats most = all(-__builtin_inff());
  float last = -__builtin_inff();
  along(
      count,
      [&](int64_t i) {
        const Floats sum = load<Floats>(x + i) + load<Floats>(bias + i);
        store(x + i, sum);
        most = greater(sum, most);
      },
      [&](int64_t i) {
        x[i] += bias[i];
        last = x[i] > last ? x[i] : last;
      });
  const float of_vectors = greatest_of(most);
  return of_vectors > last ? of_vectors : last;
}

CrossEntropyRow cross_entropy(const CrossEntropyView& view) {
  float* x = view.scores;
  const int64_t count = view.count;
  const float most = view.bias == nullptr ? greatest(x, count) : add_bias(view.bias, count, x);
  const float target_score = x[view.target];
  const bool is_first = is_first_greatest(x, view.target, most);
  Floats scores = {}, exponentials = {};
  float last_scores = 0, last_exponentials = 0;
  along(
      count,
      [&](int64_t i) {
        const Floats above = load<Floats>(x + i) - most, e = exp_of(above);
        scores += above;
        exponentials += e;
        store(x + i, e);
      },
      [&](int64_t i) {
        last_scores += x[i] - most;
        x[i] = exp_of_one(x[i] - most);
        last_exponentials += x[i];
      });
  const float sum = sum_of(exponentials) + last_exponentials;
  const float log_sum = __builtin_logf(sum), size = static_cast<float>(count);
  if (view.with_gradient) cross_entropy_gradient(view, 1 / sum);
  return {.loss = log_sum - (target_score - most),
          .mean = log_sum - (sum_of(scores) + last_scores) / size,
          .is_first = is_first};
}

}  // namespace
}  // namespace heed
