// Expected figures are by scipy 1.17: scipy.stats.ttest_ind(second, first, equal_var=False), and
// 2 * scipy.stats.t.sf(abs(t), degrees).
#include "metric/welch_test.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed {
namespace {

void expect_test(const std::vector<double>& first, const std::vector<double>& second, double t,
                 double degrees, double p) {
  const auto test = welch_test(first, second);
  ASSERT_TRUE(test);
  EXPECT_NEAR(test->t, t, 1e-12 * std::abs(t));
  EXPECT_NEAR(test->degrees, degrees, 1e-12 * degrees);
  EXPECT_NEAR(test->p, p, 1e-11 * p);
}

TEST(WelchTest, IsThatOfScipy) {
  expect_test({30.1, 30.5, 29.8, 30.9, 30.2}, {31.0, 30.7, 31.4, 31.2, 30.6}, 2.838265161840925,
              7.6322360953461965, 0.022945638706863645);
  expect_test({1, 2, 3, 4, 5.5}, {1.2, 2.2, 2.9, 4.1, 5.0, 9}, 0.7039332612507196,
              8.496440379080235, 0.5003093217460487);
  expect_test({20, 20.1, 20.2, 19.9, 20}, {28, 29, 28.5, 30, 27.1}, 17.382305307844707,
              4.088349459905392, 5.4954267906811125e-05);
}

TEST(WelchTest, OfConstantScoresIsNone) {
  EXPECT_FALSE(welch_test({3, 3}, {4, 4}));
  EXPECT_TRUE(welch_test({3, 3}, {4, 5})) << "one of them varies";
}

TEST(StudentDistribution, IsThatOfScipy) {
  const double rows[][3] = {{2, 3.7, 0.12181720190523398},        {0.01, 5, 0.9924080180425819},
                            {12.7062047, 1, 0.05000000014176587}, {-1.5, 1000, 0.13393003882208626},
                            {40, 8, 1.6785718879145792e-10},      {0, 4, 1}};
  for (const auto& [t, degrees, p] : rows)
    EXPECT_NEAR(student_two_sided(t, degrees), p, 1e-11 * p) << t << " " << degrees;
}

}  // namespace
}  // namespace heed
