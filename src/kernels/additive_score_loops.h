// Additive scores of a head and their gradient, in one pass over queries and keys each. Included
// after vector_loops.h.
#pragma once

namespace heed {
namespace {

inline Floats tanh_of(Floats x) { return 1.0F - 2.0F / (exp_of(x + x) + 1.0F); }
inline float tanh_of_one(float x) { return tanh_of(all(x))[0]; }

// Calls pair(t, s, query, key) for all queries and keys.
template <class Pair>
inline void for_each_pair(const AdditiveScores& view, const Pair& pair) {
  for (int64_t t = 0; t < view.query_count; ++t) {
    for (int64_t s = 0; s < view.key_count; ++s) {
      pair(t, s, view.queries + t * view.query_stride,
           view.keys + t * view.keys_of_query + s * view.key_stride);
    }
  }
}

void additive_scores(const AdditiveScores& view, float* scores) {
  const float* v = view.v;
  for_each_pair(view, [&](int64_t t, int64_t s, const float* query, const float* key) {
    scores[t * view.key_count + s] = sum_along(
        view.width,
        [&](Floats sum, int64_t d) {
          return fused(load<Floats>(v + d),
                       tanh_of(load<Floats>(query + d) + load<Floats>(key + d)), sum);
        },
        [&](float sum, int64_t d) { return fused(v[d], tanh_of_one(query[d] + key[d]), sum); });
  });
}

void additive_scores_backward(const AdditiveScores& view, const AdditiveScoresGradient& gradient) {
  const float* v = view.v;
  for_each_pair(view, [&](int64_t t, int64_t s, const float* query, const float* key) {
    const float by_score = gradient.scores[t * view.key_count + s];
    float* by_query = gradient.queries + t * view.width;
    float* by_key = gradient.keys + t * gradient.keys_of_query + s * view.width;
    along(
        view.width,
        [&](int64_t d) {
          const Floats y = tanh_of(load<Floats>(query + d) + load<Floats>(key + d));
          const Floats by_sum = load<Floats>(v + d) * (1.0F - y * y) * by_score;
          store(by_query + d, load<Floats>(by_query + d) + by_sum);
          store(by_key + d, load<Floats>(by_key + d) + by_sum);
          store(gradient.v + d, load<Floats>(gradient.v + d) + y * by_score);
        },
        [&](int64_t d) {
          const float y = tanh_of_one(query[d] + key[d]);
          const float by_sum = v[d] * (1 - y * y) * by_score;
          by_query[d] += by_sum;
          by_key[d] += by_sum;
          gradient.v[d] += y * by_score;
        });
  });
}

}  // namespace
}  // namespace heed
