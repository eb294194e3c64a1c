// The kernels of training in each set, at odd sizes, beside formulas in double precision.
#include "kernels/training.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernels/each_set.h"
#include "kernels/kernels.h"

namespace heed {
namespace {

TEST_P(EachSet, RoundsAndSumsColumns) {
  for (const auto& [rows, width] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {3, 64}, {17, 70}, {50, 200}, {0, 5}}) {
    const auto x = numbers_(rows * width);
    std::vector<uint16_t> rounded(x.size() + 1, 77), expected(x.size() + 1, 77);
    set_.round_bf16(x.data(), 1, rows * width, rows * width, expected.data());
    std::vector<float> sums(static_cast<size_t>(width), 2.0F);
    set_.round_and_sum(x.data(), rows, width, rounded.data(), sums.data());
    EXPECT_EQ(rounded, expected);
    for (int64_t i = 0; i < width; ++i) {
      double sum = 2;
      for (int64_t r = 0; r < rows; ++r) sum += x[r * width + i];
      EXPECT_NEAR(sums[i], sum, 1e-5);
    }
  }
}

TEST_P(EachSet, CrossEntropyAndItsGradient) {
  for (const int64_t count : {1, 2, 7, 16, 33, 130, 1000}) {
    for (const float smoothing : {0.0F, 0.1F}) {
      const auto scores = numbers_(count, 3);
      const int64_t target = count / 3;
      double sum = 0, total = 0;
      for (const float score : scores) {
        sum += std::exp(static_cast<double>(score));
        total += score;
      }
      auto gradient = scores, overwritten = scores;
      std::vector<uint16_t> rounded(static_cast<size_t>(count) + 1, 77);
      const auto row = [&](std::vector<float>& in, uint16_t* out) {
        return set_.cross_entropy({.scores = in.data(),
                                   .count = count,
                                   .target = target,
                                   .smoothing = smoothing,
                                   .rounded = out});
      };
      const CrossEntropyRow own = row(gradient, nullptr);
      const CrossEntropyRow same = row(overwritten, rounded.data());
      auto without = scores;
      const CrossEntropyRow alone = set_.cross_entropy({.scores = without.data(),
                                                        .count = count,
                                                        .target = target,
                                                        .smoothing = smoothing,
                                                        .with_gradient = false});
      EXPECT_EQ(own.loss, alone.loss);
      EXPECT_EQ(own.mean, alone.mean);
      EXPECT_NEAR(own.loss, std::log(sum) - scores[target], 3e-6 * (1 + std::log(sum) + 9));
      EXPECT_NEAR(own.mean, std::log(sum) - total / static_cast<double>(count), 1e-5);
      EXPECT_EQ(own.loss, same.loss);
      EXPECT_EQ(own.mean, same.mean);
      EXPECT_EQ(rounded.back(), 77) << "written behind the end";
      for (int64_t v = 0; v < count; ++v) {
        const double expected = std::exp(scores[v]) / sum - smoothing / static_cast<double>(count) -
                                (v == target ? 1 - smoothing : 0);
        ASSERT_NEAR(gradient[v], expected, 2e-6) << v << " of " << count;
        ASSERT_NEAR(float_of_half(rounded[v]), expected, 2e-6 + std::fabs(expected) / 256);
      }
    }
  }
}

TEST_P(EachSet, CrossEntropyAddsABiasAndRoundsInPlace) {
  for (const int64_t count : {1, 7, 16, 33, 130}) {
    const auto scores = numbers_(count, 3), bias = numbers_(count, 3);
    auto sums = scores, biased = scores, in_place = scores;
    for (int64_t v = 0; v < count; ++v) sums[v] += bias[v];
    const CrossEntropyView view{
        .scores = sums.data(), .count = count, .target = count / 2, .smoothing = 0.1F};
    CrossEntropyView with_bias = view;
    with_bias.scores = biased.data();
    with_bias.bias = bias.data();
    const CrossEntropyRow expected = set_.cross_entropy(view), row = set_.cross_entropy(with_bias);
    EXPECT_EQ(row.loss, expected.loss);
    EXPECT_EQ(row.mean, expected.mean);
    EXPECT_EQ(row.is_first, expected.is_first);
    EXPECT_EQ(biased, sums);
    with_bias.scores = in_place.data();
    with_bias.rounded = reinterpret_cast<uint16_t*>(in_place.data());
    set_.cross_entropy(with_bias);
    std::vector<uint16_t> rounded(static_cast<size_t>(count));
    set_.round_bf16(sums.data(), 1, count, count, rounded.data());
    EXPECT_EQ(std::memcmp(rounded.data(), in_place.data(), 2 * rounded.size()), 0);
  }
}

TEST_P(EachSet, CrossEntropyTellsTheMostProbable) {
  for (const int64_t count : {3, 40}) {
    std::vector<float> scores(static_cast<size_t>(count), 0.5F);
    scores[1] = scores[2] = 2;
    const auto is_first = [&](int64_t target) {
      auto copy = scores;
      return set_
          .cross_entropy({.scores = copy.data(), .count = count, .target = target, .smoothing = 0})
          .is_first;
    };
    EXPECT_FALSE(is_first(0));
    EXPECT_TRUE(is_first(1));
    EXPECT_FALSE(is_first(2)) << "an equal one comes before it";
  }
}

TEST_P(EachSet, CrossEntropyOfWhatIsNotANumberIsNone) {
  for (const float odd :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const size_t at : {0, 20, 36}) {
      auto scores = numbers_(37);
      scores[at] = odd;
      const auto row = set_.cross_entropy(
          {.scores = scores.data(), .count = 37, .target = 5, .smoothing = 0.1F});
      EXPECT_FALSE(std::isfinite(row.loss)) << odd << " at " << at;
    }
  }
}

struct Sentence {
  int64_t heads, width, value_width, queries, keys;
  bool causal = false, masked = false, dropped = false;
};

const std::vector<Sentence> kSentences = {
    {1, 1, 1, 1, 1},
    {2, 32, 32, 13, 13, true},
    {1, 5, 3, 2, 18, false, true},
    {2, 16, 48, 7, 35, false, false, true},
    {3, 8, 8, 26, 26, true, false, true},
    {1, 33, 20, 4, 3, false, true, true},
    {2, 4, 4, 3, 0},
    {1, 6, 6, 9, 9, true, true},
};

// Inputs of a sentence, with rows wider than the heads, and the formula in double precision.
struct Case {
  Sentence size;
  int64_t query_stride, key_stride, value_stride, context_stride;
  std::vector<float> queries, keys, values, by_context;
  std::vector<uint64_t> dropout_keys;
  std::vector<char> readable;

  Case(const Sentence& sentence, Numbers& numbers) : size(sentence) {
    query_stride = size.heads * size.width + 3;
    key_stride = size.heads * size.width;
    value_stride = size.heads * size.value_width + 1;
    context_stride = size.heads * size.value_width + 2;
    queries = numbers(size.queries * query_stride, 0.7F);
    keys = numbers(size.keys * key_stride, 0.7F);
    values = numbers(size.keys * value_stride);
    by_context = numbers(size.queries * context_stride);
    for (int64_t i = 0; size.dropped && i < size.heads * size.queries; ++i)
      dropout_keys.push_back(i * 0x9e3779b97f4a7c15U + 1);
    for (int64_t s = 0; s < size.keys; ++s) {
      const bool is_gap = s % 4 == 1 || (size.causal && s == 0);  // then query 0 reads nothing
      readable.push_back(!is_gap || s == size.keys - 1);
    }
  }

  bool reads(int64_t t, int64_t s) const {
    return !(size.causal && s > t) && (!size.masked || readable[s]);
  }
  DropoutRows dropout() const {
    return size.dropped ? DropoutRows{dropout_keys.data(), 1U << 30, 1.5F} : DropoutRows{};
  }
  double factor(int64_t h, int64_t t, int64_t s) const {
    return dropout_factor(dropout(), h * size.queries + t, s);
  }
  static constexpr double kScale = 0.6;

  std::vector<double> weights(int64_t h, int64_t t) const {
    std::vector<double> row;
    double sum = 0;
    for (int64_t s = 0; s < size.keys; ++s) {
      double score = 0;
      for (int64_t d = 0; d < size.width; ++d) {
        score += static_cast<double>(queries[t * query_stride + h * size.width + d]) *
                 keys[s * key_stride + h * size.width + d];
      }
      row.push_back(reads(t, s) ? std::exp(kScale * score) : 0);
      sum += row.back();
    }
    for (double& weight : row) weight /= sum > 0 ? sum : 1;
    return row;
  }
  double context(int64_t h, int64_t t, int64_t v) const {
    const auto row = weights(h, t);
    double sum = 0;
    for (int64_t s = 0; s < size.keys; ++s)
      sum += row[s] * factor(h, t, s) * values[s * value_stride + h * size.value_width + v];
    return sum;
  }
  // Σ of the context times by_context, whose gradient is that of the inputs.
  double loss() const {
    double sum = 0;
    for (int64_t h = 0; h < size.heads; ++h) {
      for (int64_t t = 0; t < size.queries; ++t) {
        const auto row = weights(h, t);
        for (int64_t s = 0; s < size.keys; ++s) {
          double by_weight = 0;
          for (int64_t v = 0; v < size.value_width; ++v) {
            by_weight +=
                static_cast<double>(by_context[t * context_stride + h * size.value_width + v]) *
                values[s * value_stride + h * size.value_width + v];
          }
          sum += row[s] * factor(h, t, s) * by_weight;
        }
      }
    }
    return sum;
  }
};

class OneSentence {
 public:
  OneSentence(const Kernels& set, Case& inputs) : set_(set), inputs_(inputs) {
    const Sentence& size = inputs.size;
    stride_ = std::max<int64_t>(1, (size.keys + kSumLanes - 1) / kSumLanes) * kSumLanes;
    weights_.assign(static_cast<size_t>(size.heads * size.queries * stride_), 9.0F);
    context_.assign(static_cast<size_t>(size.queries * inputs.context_stride) + 1, 9.0F);
    work_.resize(static_cast<size_t>(work_size(view())));
  }
  SentenceAttention view() {
    const Sentence& size = inputs_.size;
    return {
        .heads = size.heads,
        .width = size.width,
        .value_width = size.value_width,
        .query_count = size.queries,
        .key_count = size.keys,
        .queries = inputs_.queries.data(),
        .keys = inputs_.keys.data(),
        .values = inputs_.values.data(),
        .query_stride = inputs_.query_stride,
        .key_stride = inputs_.key_stride,
        .value_stride = inputs_.value_stride,
        .scale = static_cast<float>(Case::kScale),
        .causal = size.causal,
        .readable = size.masked ? reinterpret_cast<const bool*>(inputs_.readable.data()) : nullptr,
        .dropout = inputs_.dropout(),
        .weights = weights_.data(),
        .weight_stride = stride_,
        .context = context_.data(),
        .context_stride = inputs_.context_stride,
        .work = work_.data()};
  }
  void attend() { set_.attend_sentence(view()); }
  float context(int64_t t, int64_t i) const { return context_[t * inputs_.context_stride + i]; }
  float weight(int64_t h, int64_t t, int64_t s) const {
    return weights_[(h * inputs_.size.queries + t) * stride_ + s];
  }
  int64_t stride() const { return stride_; }
  bool wrote_behind() const { return context_.back() != 9.0F; }

 private:
  const Kernels& set_;
  Case& inputs_;
  int64_t stride_;
  std::vector<float> weights_, context_, work_;
};

TEST_P(EachSet, AttendsWithAllQueriesOfASentence) {
  for (const Sentence& size : kSentences) {
    Case inputs(size, numbers_);
    OneSentence sentence(set_, inputs);
    sentence.attend();
    EXPECT_FALSE(sentence.wrote_behind());
    for (int64_t h = 0; h < size.heads; ++h) {
      for (int64_t t = 0; t < size.queries; ++t) {
        const auto weights = inputs.weights(h, t);
        for (int64_t s = 0; s < sentence.stride(); ++s) {
          if (s >= size.keys || !inputs.reads(t, s)) {
            ASSERT_EQ(sentence.weight(h, t, s), 0) << "of a key that is not read";
          } else {
            ASSERT_NEAR(sentence.weight(h, t, s), weights[s], 1e-6);
          }
        }
        for (int64_t v = 0; v < size.value_width; ++v)
          ASSERT_NEAR(sentence.context(t, h * size.value_width + v), inputs.context(h, t, v), 1e-5);
      }
    }
  }
}

// Against central differences of the formula in double precision.
TEST_P(EachSet, AttentionHasTheGradientOfItsFormula) {
  for (const Sentence& size : kSentences) {
    if (size.keys == 0) continue;
    Case inputs(size, numbers_);
    OneSentence sentence(set_, inputs);
    sentence.attend();
    std::vector<float> by_queries(inputs.queries.size(), 9.0F), by_keys(inputs.keys.size(), 9.0F),
        by_values(inputs.values.size(), 9.0F);
    set_.attend_sentence_backward(sentence.view(), {.context = inputs.by_context.data(),
                                                    .queries = by_queries.data(),
                                                    .keys = by_keys.data(),
                                                    .values = by_values.data()});
    const auto expect = [&](std::vector<float>& leaf, const std::vector<float>& gradient,
                            int64_t stride, int64_t used, const char* name) {
      for (size_t i = 0; i < leaf.size(); i += 1 + leaf.size() / 40) {
        if (static_cast<int64_t>(i) % stride >= used) {
          ASSERT_EQ(gradient[i], 9.0F) << "between the rows of the " << name;
          continue;
        }
        const float kept = leaf[i];
        const float up = kept + 0x1p-9F, down = kept - 0x1p-9F;
        leaf[i] = up;
        const double above = inputs.loss();
        leaf[i] = down;
        const double below = inputs.loss();
        leaf[i] = kept;
        ASSERT_NEAR(gradient[i], (above - below) / (static_cast<double>(up) - down),
                    1e-3 * (0.05 + std::fabs(gradient[i])))
            << name << " " << i;
      }
    };
    const int64_t used = size.heads * size.width;
    expect(inputs.queries, by_queries, inputs.query_stride, used, "queries");
    expect(inputs.keys, by_keys, inputs.key_stride, used, "keys");
    expect(inputs.values, by_values, inputs.value_stride, size.heads * size.value_width, "values");
  }
}

// vᵀ tanh(q + k) in double precision, and its gradient by the derivative of tanh.
TEST_P(EachSet, AdditiveScoresAndTheirGradient) {
  struct Size {
    int64_t queries, keys, width;
    bool own_keys;  // of each query
  };
  for (const Size& size : {Size{1, 1, 1, false}, Size{3, 5, 16, false}, Size{2, 7, 37, true},
                           Size{1, 20, 100, false}, Size{4, 2, 9, true}}) {
    const int64_t stride = size.width + 3, sets = size.own_keys ? size.queries : 1;
    auto queries = numbers_(size.queries * stride), keys = numbers_(sets * size.keys * stride, 2);
    const auto v = numbers_(size.width), by_scores = numbers_(size.queries * size.keys);
    queries[0] = 60;  // where tanh is 1
    keys[0] = -200;
    const AdditiveScores view{.width = size.width,
                              .query_count = size.queries,
                              .key_count = size.keys,
                              .queries = queries.data(),
                              .keys = keys.data(),
                              .query_stride = stride,
                              .key_stride = stride,
                              .keys_of_query = size.own_keys ? size.keys * stride : 0,
                              .v = v.data()};
    std::vector<float> scores(static_cast<size_t>(size.queries * size.keys)),
        by_queries(static_cast<size_t>(size.queries * size.width), 1.0F),
        by_keys(static_cast<size_t>(sets * size.keys * size.width), 1.0F),
        by_v(static_cast<size_t>(size.width), 1.0F);
    set_.additive_scores(view, scores.data());
    set_.additive_scores_backward(view,
                                  {.scores = by_scores.data(),
                                   .queries = by_queries.data(),
                                   .keys = by_keys.data(),
                                   .v = by_v.data(),
                                   .keys_of_query = size.own_keys ? size.keys * size.width : 0});
    std::vector<double> query_sums(by_queries.size(), 1.0), key_sums(by_keys.size(), 1.0),
        v_sums(by_v.size(), 1.0);
    for (int64_t t = 0; t < size.queries; ++t) {
      for (int64_t s = 0; s < size.keys; ++s) {
        const int64_t key = (size.own_keys ? t * size.keys : 0) + s, pair = t * size.keys + s;
        double score = 0;
        for (int64_t d = 0; d < size.width; ++d) {
          const double y =
              std::tanh(static_cast<double>(queries[t * stride + d]) + keys[key * stride + d]);
          score += v[d] * y;
          const double by_sum = by_scores[pair] * v[d] * (1 - y * y);
          query_sums[t * size.width + d] += by_sum;
          key_sums[key * size.width + d] += by_sum;
          v_sums[d] += by_scores[pair] * y;
        }
        EXPECT_NEAR(scores[pair], score, 1e-5);
      }
    }
    const auto expect = [](const std::vector<float>& actual, const std::vector<double>& expected) {
      for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-5);
    };
    expect(by_queries, query_sums);
    expect(by_keys, key_sums);
    expect(by_v, v_sums);
  }
}

}  // namespace
}  // namespace heed
