// The search beside the maximum of all products, in each set of kernels of this processor.
#include "inference/maximum_inner_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/each_set.h"
#include "kernels/kernels.h"

namespace heed {
namespace {

struct Problem {
  std::string name;
  int64_t outputs, inputs;
  std::vector<float> weights, bias;
  std::vector<float> rows;  // [kQueries, inputs]
};
constexpr int64_t kQueries = 20;

std::vector<Problem> problems() {
  Numbers numbers(3);
  std::vector<Problem> all;
  for (const auto& [outputs, inputs] :
       {std::pair{1, 1}, {31, 7}, {33, 8}, {64, 16}, {500, 33}, {1000, 130}}) {
    all.push_back({"random", outputs, inputs, numbers(outputs * inputs), numbers(outputs),
                   numbers(kQueries * inputs)});
    all.back().name += " " + std::to_string(outputs) + " x " + std::to_string(inputs);
  }
  Problem large = all.back();
  large.name = "one large element of a row, one of an output";
  for (int64_t r = 0; r < kQueries; ++r) large.rows[r * large.inputs + r] = 300;
  large.weights[17 * large.inputs + 5] = 50;
  large.bias.clear();
  all.push_back(large);
  // Too near for 8 bits.
  Problem near = all.back();
  near.name = "outputs that differ by a millionth";
  const std::vector<float> common = numbers(near.inputs);
  for (int64_t o = 0; o < near.outputs; ++o) {
    for (int64_t i = 0; i < near.inputs; ++i)
      near.weights[o * near.inputs + i] = common[i] + 1e-6F * numbers(1)[0];
  }
  near.rows = numbers(kQueries * near.inputs);
  all.push_back(near);
  Problem equal = near;
  equal.name = "outputs that are equal";
  for (int64_t i = 0; i < std::ssize(equal.weights); ++i)
    equal.weights[i] = common[i % near.inputs];
  all.push_back(equal);
  Problem zero = near;
  zero.name = "rows of zeros";
  std::ranges::fill(zero.rows, 0.0F);
  all.push_back(zero);
  return all;
}

// x - x' in 8 bits.
std::vector<float> rounding_of(const std::vector<float>& x) {
  float largest = 0;
  for (const float value : x) largest = std::max(largest, std::abs(value));
  const float step = largest / 127;
  std::vector<float> error;
  for (const float value : x) error.push_back(value - step * std::nearbyint(value / step));
  return error;
}

double dot(const std::vector<float>& x, const std::vector<float>& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

// 8 bits hold them as they are.
std::vector<float> signs(std::vector<float> x) {
  for (float& value : x) value = value < 0 ? -1.0F : 1.0F;
  return x;
}

// Output 0 is the best, by a tenth of what rounding takes from its score, before one that is a bias
// alone, in another panel.
Problem misled(const std::string& name, const std::vector<float>& x,
               const std::vector<float>& weights, double lost) {
  constexpr int64_t kOutputs = 70;
  const auto inputs = std::ssize(x);
  Problem problem{name, kOutputs, inputs, weights, std::vector<float>(kOutputs, -100.0F), {}};
  problem.weights.resize(static_cast<size_t>(kOutputs * inputs));
  problem.bias[0] = 0;
  problem.bias[kOutputs - 1] = static_cast<float>(dot(x, weights) - 0.1 * lost);
  for (int64_t row = 0; row < kQueries; ++row)
    problem.rows.insert(problem.rows.end(), x.begin(), x.end());
  return problem;
}

// Numbers that 8 bits hold as they are, whose sum is -35,354,768. Float32 loses some of each term from
// 2^24 on, and finds about -35,353,620; a bias alone lies between.
Problem misled_by_float32() {
  constexpr int64_t kInputs = 8192, kPositive = 3000, kOutputs = 70;
  Problem problem{"rounding of float32",
                  kOutputs,
                  kInputs,
                  std::vector<float>(kOutputs * kInputs),
                  std::vector<float>(kOutputs, -4e7F),
                  std::vector<float>(kQueries * kInputs, 127.0F)};
  problem.bias[0] = -35'354'000;
  problem.bias[kOutputs - 1] = 0;
  for (int64_t i = 0; i < kInputs; ++i)
    problem.weights[(kOutputs - 1) * kInputs + i] = i < kPositive ? 127.0F : -127.0F;
  return problem;
}

std::vector<Problem> misleading_problems() {
  Numbers numbers(4);
  constexpr int64_t kInputs = 64;
  const std::vector<float> x = numbers(kInputs), error = rounding_of(x);
  const std::vector<float> weights = numbers(kInputs), lost = rounding_of(weights);
  Problem tie = misled("equal outputs, the later of which is searched first", x, weights, 0);
  std::copy_n(tie.weights.begin(), kInputs, tie.weights.end() - kInputs);
  tie.bias.back() = 0;
  // Another output of the panel raises its bound by its weights, and its bias keeps it from winning.
  for (int64_t i = 0; i < kInputs; ++i) tie.weights[68 * kInputs + i] = 9 * weights[i] - 100;
  tie.bias[68] = -1e6F;
  const std::vector<float> by_error = signs(error), by_lost = signs(lost);
  return {
      misled("a row that rounding turns from its output", x, by_error, dot(error, by_error)),
      misled("an output that rounding turns from its row", by_lost, weights, dot(lost, by_lost)),
      tie, misled_by_float32()};
}

// Ties by the lower index; -1: all are banned.
int32_t maximum(std::vector<float> scores, const std::vector<Limits::Token>& banned) {
  int32_t best = -1;
  for (int32_t o = 0; o < std::ssize(scores); ++o) {
    if (std::ranges::count(banned, o, &Limits::Token::id) > 0) continue;
    if (best < 0 || scores[o] > scores[best]) best = o;
  }
  return best;
}

class Comparison {
 public:
  Comparison(const Problem& problem, const Kernels& set)
      : problem_(problem),
        weights_(set, Precision::kFloat, problem.weights.data(), problem.outputs, problem.inputs,
                 problem.bias),
        search_(weights_, set),
        exact_(static_cast<size_t>(kQueries * problem.outputs)),
        rounded_(exact_.size()) {
    weights_.product(problem.rows.data(), kQueries, exact_.data());
    search_.rounded().product(problem.rows.data(), kQueries, rounded_.data());
  }

  // Without the `banned` best outputs of each row; returns how many rows 8 bits alone get wrong.
  int64_t expect_same(size_t banned) {
    int64_t wrong = 0;
    for (int64_t row = 0; row < kQueries; ++row) {
      std::vector<Limits::Token> out;
      while (out.size() < banned) out.push_back({row, maximum(scores(exact_, row), out)});
      const int32_t expected = maximum(scores(exact_, row), out);
      std::vector<float> rounded = scores(rounded_, row);
      wrong += maximum(rounded, out) != expected ? 1 : 0;
      EXPECT_EQ(search_.find(problem_.rows.data() + row * problem_.inputs, rounded, out, room_),
                expected)
          << "row " << row;
    }
    return wrong;
  }

 private:
  std::vector<float> scores(const std::vector<float>& all, int64_t row) const {
    const auto begin = all.begin() + row * problem_.outputs;
    return {begin, begin + problem_.outputs};
  }
  const Problem& problem_;
  PackedMatrix weights_;
  MaximumInnerProduct search_;
  std::vector<float> exact_, rounded_;
  MaximumInnerProduct::Workspace room_;
};

TEST(MaximumInnerProduct, IsThatOfAllProducts) {
  for (const Kernels* set : all_kernels()) {
    int64_t wrong = 0;
    for (const Problem& problem : problems()) {
      SCOPED_TRACE(std::string(set->name) + ", " + problem.name);
      Comparison comparison(problem, *set);
      wrong += comparison.expect_same(0);
      wrong += comparison.expect_same(std::min<size_t>(5, problem.outputs - 1));
    }
    EXPECT_GT(wrong, kQueries) << "8 bits alone would do";
  }
}

TEST(MaximumInnerProduct, IsNotMisledByRounding) {
  for (const Kernels* set : all_kernels()) {
    for (const Problem& problem : misleading_problems()) {
      SCOPED_TRACE(std::string(set->name) + ", " + problem.name);
      Comparison(problem, *set).expect_same(0);
    }
  }
}

TEST(SearchPauses, GrowWhereTheBoundsExcludeTooLittle) {
  SearchPauses pauses;
  const auto steps_until_the_next = [&] {
    int64_t steps = 1;
    while (!pauses.is_over()) ++steps;
    return steps;
  };
  EXPECT_EQ(steps_until_the_next(), 1);
  pauses.note(31, 1000);
  EXPECT_EQ(steps_until_the_next(), 1);
  pauses.note(32, 1000);
  EXPECT_EQ(steps_until_the_next(), 16);
  EXPECT_EQ(steps_until_the_next(), 1);
  pauses.note(1000, 1000);
  EXPECT_EQ(steps_until_the_next(), 32);
}

TEST(MaximumInnerProduct, OfBannedOutputsIsNone) {
  const Problem problem = problems()[1];
  for (const Kernels* set : all_kernels()) {
    SCOPED_TRACE(set->name);
    Comparison comparison(problem, *set);
    comparison.expect_same(static_cast<size_t>(problem.outputs));
  }
}

}  // namespace
}  // namespace heed
