// Logits of beam search compared with all products in float32, for each set of kernels of this
// processor.
#include "inference/screened_logits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kernels/each_set.h"
#include "kernels/kernels.h"

namespace heed {
namespace {

constexpr int64_t kWords = 1000, kWordWidth = 65, kHypotheses = 12;

// Rows, and an output layer whose logits differ by a few units, as in a trained model.
struct WordVectors {
  std::string name;
  std::vector<float> weights, bias, rows;

  WordVectors(std::string its_name, Numbers& numbers)
      : name(std::move(its_name)),
        weights(numbers(kWords * kWordWidth)),
        bias(numbers(kWords)),
        rows(numbers(kHypotheses * kWordWidth, 0.4F)) {}
};

std::vector<WordVectors> vocabularies() {
  Numbers numbers(11);
  std::vector<WordVectors> all;
  all.emplace_back("random", numbers);
  WordVectors& near = all.emplace_back("outputs nearer than a step of 16 bits", numbers);
  for (int64_t o = 1; o < kWords; ++o) {
    for (int64_t i = 0; i < kWordWidth; ++i)
      near.weights[o * kWordWidth + i] = near.weights[i] + 1e-5F * near.weights[o * kWordWidth + i];
  }
  near.bias.clear();
  WordVectors& large = all.emplace_back("one large element of a row, one of an output", numbers);
  for (int64_t r = 0; r < kHypotheses; ++r) large.rows[r * kWordWidth + r] = 300;
  large.weights[17 * kWordWidth + 5] = 50;
  WordVectors& masked = all.emplace_back("outputs that a bias excludes", numbers);
  masked.bias[20] = -1e9F;
  masked.bias[70] = -std::numeric_limits<float>::infinity();
  WordVectors& long_one = all.emplace_back("an output that is long", numbers);
  for (int64_t i = 0; i < kWordWidth; ++i) long_one.weights[500 * kWordWidth + i] *= 1000;
  WordVectors& equal = all.emplace_back("equal outputs", numbers);
  for (size_t i = 0; i < equal.weights.size(); ++i) equal.weights[i] = 0.5F;
  equal.bias.clear();
  WordVectors& zero = all.emplace_back("rows of zeros", numbers);
  std::ranges::fill(zero.rows, 0.0F);
  return all;
}

// Indices of the k largest logits; of equal ones, the lower index.
std::vector<int32_t> ranked(const std::vector<float>& logits, int64_t k) {
  std::vector<int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int32_t a, int32_t b) { return logits[a] > logits[b]; });
  order.resize(static_cast<size_t>(k));
  return order;
}

double exact_log_sum(const std::vector<float>& logits) {
  const double most = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - most);
  return most + std::log(sum);
}

// A row refined from products in 16 bits, compared with all products in float32.
class RefinedRows {
 public:
  RefinedRows(const WordVectors& vocabulary, const Kernels& set)
      : vocabulary_(vocabulary),
        weights_(set, Precision::kFloat, vocabulary.weights.data(), kWords, kWordWidth,
                 vocabulary.bias),
        screened_(weights_, set),
        exact_(kHypotheses * kWords),
        rounded_(kHypotheses * kWords) {
    weights_.product(vocabulary.rows.data(), kHypotheses, exact_.data());
    screened_.rounded().product(vocabulary.rows.data(), kHypotheses, rounded_.data());
  }

  std::vector<float> exact(int64_t row) const { return of(exact_, row); }
  std::vector<float> rounded(int64_t row) const { return of(rounded_, row); }
  std::vector<float> refined(int64_t row, int64_t count, int32_t wanted) {
    std::vector<float> logits = rounded(row);
    screened_.refine(vocabulary_.rows.data() + row * kWordWidth, logits, count, wanted, likely_,
                     room_);
    return logits;
  }
  const LikelyOutputs& likely() const { return likely_; }

 private:
  static std::vector<float> of(const std::vector<float>& all, int64_t row) {
    return {all.begin() + row * kWords, all.begin() + (row + 1) * kWords};
  }
  const WordVectors& vocabulary_;
  PackedMatrix weights_;
  ScreenedLogits screened_;
  std::vector<float> exact_, rounded_;
  LikelyOutputs likely_;
  ScreenedLogits::Workspace room_;
};

template <class Test>
void in_each_set(const Test& test) {
  for (const WordVectors& vocabulary : vocabularies()) {
    for (const Kernels* set : all_kernels()) {
      SCOPED_TRACE(std::string(set->name) + ", " + vocabulary.name);
      RefinedRows rows(vocabulary, *set);
      for (int64_t row = 0; row < kHypotheses; ++row) test(rows, row);
    }
  }
}

TEST(ScreenedLogits, TheLargestAreThoseOfAllProductsBitForBit) {
  int64_t wrong = 0;  // rows whose largest logits are wrong in 16 bits alone
  in_each_set([&](RefinedRows& rows, int64_t row) {
    for (const int64_t count : {int64_t{1}, int64_t{5}, int64_t{40}, kWords}) {
      const std::vector<int32_t> expected = ranked(rows.exact(row), count);
      const std::vector<float> logits = rows.refined(row, count, -1);
      EXPECT_EQ(ranked(logits, count), expected);
      for (const int32_t output : expected) {
        EXPECT_EQ(logits[output], rows.exact(row)[output]);
        EXPECT_TRUE(std::ranges::binary_search(rows.likely().outputs(), output));
      }
      wrong += ranked(rows.rounded(row), count) != expected ? 1 : 0;
    }
  });
  EXPECT_GT(wrong, kHypotheses) << "16 bits alone would do";
}

TEST(ScreenedLogits, TheLikelyOutputsHaveTheirLogits) {
  in_each_set([](RefinedRows& rows, int64_t row) {
    constexpr int32_t kWanted = 999;
    const std::vector<float> logits = rows.refined(row, 3, kWanted), exact = rows.exact(row);
    EXPECT_EQ(logits[kWanted], exact[kWanted]);
    const auto& outputs = rows.likely().outputs();
    ASSERT_EQ(std::ssize(outputs), std::ssize(rows.likely().logits()));
    EXPECT_TRUE(std::ranges::is_sorted(outputs));
    for (size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_EQ(rows.likely().logits()[i], exact[outputs[i]]);
      EXPECT_EQ(logits[outputs[i]], exact[outputs[i]]);
    }
  });
}

// The bound of a single score would allow √I |x| |w| / 46,000, 2e-3 and more.
TEST(ScreenedLogits, TheSumOverTheVocabularyIsNearlyThatOfAllProducts) {
  double most = 0;
  in_each_set([&](RefinedRows& rows, int64_t row) {
    const std::vector<float> exact = rows.exact(row);
    const double size = 1 + std::abs(*std::ranges::max_element(exact));
    const double off =
        std::abs(exact_log_sum(rows.refined(row, 10, -1)) - exact_log_sum(exact)) / size;
    EXPECT_LT(off, 3e-5);
    most = std::max(most, off);
  });
  EXPECT_GT(most, 1e-7) << "nothing was rounded";
}

TEST(ScreenedLogits, FewPanelsAreMultipliedInFloat32) {
  for (const WordVectors& vocabulary : vocabularies()) {
    if (vocabulary.name != "random" && vocabulary.name != "outputs that a bias excludes" &&
        vocabulary.name != "an output that is long")
      continue;
    for (const Kernels* set : all_kernels()) {
      SCOPED_TRACE(std::string(set->name) + ", " + vocabulary.name);
      RefinedRows rows(vocabulary, *set);
      for (int64_t row = 0; row < kHypotheses; ++row) {
        rows.refined(row, 5, -1);
        EXPECT_LE(std::ssize(rows.likely().panels()), 9);
      }
    }
  }
}

}  // namespace
}  // namespace heed
