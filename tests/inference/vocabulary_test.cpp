// Most probable tokens of the output layer, including layers that use MaximumInnerProduct or
// ScreenedLogits.
#include "inference/vocabulary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "kernels/each_set.h"

namespace heed {
namespace {

constexpr int64_t kTokens = 1500;  // enough for MaximumInnerProduct::suits()
constexpr int64_t kRows = 100;     // more than a block of rows
constexpr int64_t kEmbedding = 24, kHidden = 40;

// Output layer over hidden states whose width may differ from that of the embedding.
class Layer {
 public:
  Layer(int64_t hidden, Precision precision, const Kernels& set, int64_t tokens = kTokens,
        int64_t embedding = kEmbedding) {
    Numbers numbers(5);
    std::map<std::string, Array> parameters;
    parameters["target.embedding"] = {{tokens, embedding}, numbers(tokens * embedding)};
    parameters["output.bias"] = {{tokens}, numbers(tokens, 0.1F)};
    parameters["output.to_embedding.weight"] = {{embedding, hidden}, numbers(embedding * hidden)};
    const Weights weights = [&](const std::string& name) { return parameters[name]; };
    const VocabularyShape shape{.embedding = embedding,
                                .source_is_tied = true,
                                .output_is_tied = true,
                                .output = {.hidden = hidden}};
    const Packer packer(weights, precision, set);
    layer_ = std::make_unique<OutputLayer>(shape, Embeddings(shape, packer), packer, set);
    hidden_ = numbers(kRows * hidden);
  }

  std::vector<int32_t> first(const StepRows& step) {
    return layer_->best(hidden_.data(), 1, step, {}, room_).id;
  }
  TopK best(int64_t count, const StepRows& step, const Distributions& distributions = {}) {
    return layer_->best(hidden_.data(), count, step, distributions, room_);
  }
  std::vector<int32_t> most_probable(const StepRows& step) {
    return layer_->most_probable(hidden_.data(), step, room_);
  }
  std::vector<float>& hidden() { return hidden_; }

 private:
  std::unique_ptr<OutputLayer> layer_;
  std::vector<float> hidden_;
  OutputLayer::Workspace room_;
};

template <class Test>
void in_each_way(const Test& test) {
  for (const Kernels* set : all_kernels()) {
    for (const Precision precision : {Precision::kFloat, Precision::kBFloat16, Precision::kInt8}) {
      for (const int64_t hidden : {kEmbedding, kHidden}) {
        SCOPED_TRACE(std::string(set->name) + ", precision " +
                     std::to_string(static_cast<int>(precision)) + ", width " +
                     std::to_string(hidden));
        Layer layer(hidden, precision, *set);
        test(layer);
      }
    }
  }
}

TEST(OutputLayer, TheMostProbableTokenIsTheFirstOfTheBest) {
  in_each_way([](Layer& layer) {
    Limits limits;
    const std::vector<int32_t> free = layer.first({kRows, limits, {}});
    EXPECT_EQ(layer.most_probable({kRows, limits, {}}), free);
    for (int64_t row = 0; row < kRows; row += 2) limits.banned.push_back({row, free[row]});
    limits.forced = {{3, 77}, {4, free[4]}};
    const std::vector<int32_t> limited = layer.first({kRows, limits, {}});
    EXPECT_NE(limited, free);
    EXPECT_EQ(limited[3], 77);
    EXPECT_EQ(layer.most_probable({kRows, limits, {}}), limited);
  });
}

// A vocabulary that all kernels screen (ScreenedLogits), except those without vector instructions.
constexpr int64_t kMany = 70'001, kWidth64 = 64, kFew = 5, kBest = 6;
Layer large_layer(const Kernels& set) {
  return Layer(kWidth64, Precision::kFloat, set, kMany, kWidth64);
}

TEST(OutputLayer, TheBestOfManyTokensAreThoseOfAllProducts) {
  const std::vector<const Kernels*> sets = all_kernels();
  Layer plain = large_layer(*sets.front());
  Limits limits;
  const TopK free = plain.best(kBest, {kFew, limits, {}});
  limits.banned = {{1, free.id[kBest]}, {1, free.id[kBest + 2]}, {3, free.id[3 * kBest]}};
  limits.forced = {{2, 70'000}};
  const TopK expected = plain.best(kBest, {kFew, limits, {}});
  EXPECT_EQ(expected.id[kBest], free.id[kBest + 1]);
  for (const Kernels* set : std::span(sets).subspan(1)) {
    SCOPED_TRACE(set->name);
    Layer layer = large_layer(*set);
    const TopK found = layer.best(kBest, {kFew, limits, {}});
    EXPECT_EQ(found.id, expected.id);
    for (size_t i = 0; i < found.id.size(); ++i) {
      if (expected.id[i] < 0) {
        EXPECT_EQ(found.log_probability[i], expected.log_probability[i]);
      } else {
        EXPECT_NEAR(found.log_probability[i], expected.log_probability[i], 5e-5);
      }
    }
  }
}

// Distributions that are shown and scores of forced tokens use products in float32 alone.
TEST(OutputLayer, ManyTokensAreScreenedInSearchAlone) {
  const std::vector<const Kernels*> sets = all_kernels();
  for (const Kernels* set : std::span(sets).subspan(1)) {
    SCOPED_TRACE(set->name);
    Layer layer = large_layer(*set);
    Limits limits;
    const TopK screened = layer.best(kBest, {kFew, limits, {}});
    std::vector<float> shown;
    const Distributions last{{kFew - 1}, [&](int64_t row, std::span<const float> distribution) {
                               EXPECT_EQ(row, kFew - 1);
                               shown.assign(distribution.begin(), distribution.end());
                             }};
    const int32_t first = screened.id[(kFew - 1) * kBest];
    const TopK exact = layer.best(kBest, {kFew, limits, {}}, last);
    EXPECT_EQ(screened.id, exact.id);
    EXPECT_NE(screened.log_probability, exact.log_probability);
    ASSERT_EQ(std::ssize(shown), kMany);
    EXPECT_EQ(static_cast<double>(shown[first]), exact.log_probability[(kFew - 1) * kBest]);
    limits.banned = {{kFew - 1, first}};
    layer.best(kBest, {kFew, limits, {}}, last);
    EXPECT_EQ(shown[first], -std::numeric_limits<float>::infinity());
    limits = {};
    for (int64_t row = 0; row < kFew; ++row)
      limits.forced.push_back({row, exact.id[row * kBest + 1]});
    const TopK forced = layer.best(1, {kFew, limits, {}});
    for (int64_t row = 0; row < kFew; ++row)
      EXPECT_EQ(forced.log_probability[row], exact.log_probability[row * kBest + 1]);
  }
}

TEST(OutputLayer, TheBestTokensWantNumbers) {
  for (const Kernels* set : all_kernels()) {
    Layer layer = large_layer(*set);
    for (const float odd : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      layer.hidden()[2 * kWidth64 + 3] = odd;
      const Limits limits;
      EXPECT_ERROR(layer.best(kBest, {kFew, limits, {}}), ErrorKind::kModel, "not numbers");
    }
  }
  in_each_way([](Layer& layer) {
    const Limits limits;
    layer.hidden()[7 * kEmbedding] = std::nanf("");
    EXPECT_ERROR(layer.first({kRows, limits, {}}), ErrorKind::kModel, "not numbers");
  });
}

TEST(OutputLayer, TheMostProbableTokenIsACandidate) {
  in_each_way([](Layer& layer) {
    Limits limits;
    limits.forced = {{1, 5}, {2, 6}};  // 6 is not a candidate
    const std::vector<Candidates> candidates = {
        std::make_shared<const Ids>(Ids{3, 5, 70, 900, 1499}),
        std::make_shared<const Ids>(Ids{3, 4, 8, 1001})};
    const std::vector<int32_t> first = layer.first({kRows, limits, candidates});
    EXPECT_EQ(first[2], -1);
    EXPECT_EQ(layer.most_probable({kRows, limits, candidates}), first);
  });
}

TEST(OutputLayer, TheMostProbableTokenWantsNumbers) {
  in_each_way([](Layer& layer) {
    const Limits limits;
    layer.hidden()[7 * kEmbedding] = std::nanf("");
    EXPECT_ERROR(layer.most_probable({kRows, limits, {}}), ErrorKind::kModel, "not numbers");
  });
}

}  // namespace
}  // namespace heed
