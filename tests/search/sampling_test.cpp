#include "search/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

namespace heed {
namespace {

std::vector<float> logs(const std::vector<double>& probabilities) {
  std::vector<float> result;
  for (const double p : probabilities) result.push_back(static_cast<float>(std::log(p)));
  return result;
}

// Share of each token in 10,000 draws by equally spaced numbers.
std::map<int32_t, double> shares(const std::vector<double>& probabilities,
                                 const SamplingOptions& config) {
  constexpr int kDraws = 10'000;
  std::map<int32_t, double> shares;
  const auto log_probabilities = logs(probabilities);
  for (int i = 0; i < kDraws; ++i) {
    const DrawnToken token = draw_token(log_probabilities, config, (i + 0.5) / kDraws);
    EXPECT_EQ(token.log_probability, static_cast<double>(log_probabilities[token.id]));
    shares[token.id] += 1.0 / kDraws;
  }
  return shares;
}

void expect_shares(const std::map<int32_t, double>& found,
                   const std::map<int32_t, double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [id, share] : expected) EXPECT_NEAR(found.at(id), share, 2e-4) << id;
}

const std::vector<double> kProbabilities = {0.1, 0.4, 0, 0.2, 0.3};

TEST(DrawToken, GivesEachTokenItsShare) {
  expect_shares(shares(kProbabilities, {}), {{0, 0.1}, {1, 0.4}, {3, 0.2}, {4, 0.3}});
}

TEST(DrawToken, TakesRootsByTheTemperature) {
  expect_shares(shares(kProbabilities, {.temperature = 0.5}),
                {{0, 0.01 / 0.3}, {1, 0.16 / 0.3}, {3, 0.04 / 0.3}, {4, 0.09 / 0.3}});
  expect_shares(shares(kProbabilities, {.temperature = 1e-3}), {{1, 1}});
}

TEST(DrawToken, KeepsTheMostProbable) {
  expect_shares(shares(kProbabilities, {.top_k = 2}), {{1, 0.4 / 0.7}, {4, 0.3 / 0.7}});
  expect_shares(shares(kProbabilities, {.top_k = 9}), {{0, 0.1}, {1, 0.4}, {3, 0.2}, {4, 0.3}});
  // The first of equal tokens is kept.
  expect_shares(shares({0.25, 0.25, 0.25, 0.25}, {.top_k = 1}), {{0, 1}});
}

TEST(DrawToken, KeepsTheNucleus) {
  expect_shares(shares(kProbabilities, {.top_p = 0.65}), {{1, 0.4 / 0.7}, {4, 0.3 / 0.7}});
  expect_shares(shares(kProbabilities, {.top_p = 0.75}),
                {{1, 0.4 / 0.9}, {3, 0.2 / 0.9}, {4, 0.3 / 0.9}});
  expect_shares(shares(kProbabilities, {.top_p = 1e-9}), {{1, 1}});
  // The nucleus is taken from the three tokens that top_k keeps.
  expect_shares(shares(kProbabilities, {.top_k = 3, .top_p = 0.75}),
                {{1, 0.4 / 0.7}, {4, 0.3 / 0.7}});
}

}  // namespace
}  // namespace heed
