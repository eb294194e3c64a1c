// Welch's t-test: do the means of two samples differ, whose variances may be different?
#pragma once

#include <optional>
#include <vector>

namespace heed {

struct WelchTest {
  double t = 0;        // of the second sample minus the first one
  double degrees = 0;  // of freedom, by Welch and Satterthwaite
  double p = 0;        // two-sided
};

// Welch 1947, "The generalization of 'Student's' problem when several different population variances
// are involved"; as scipy.stats.ttest_ind(first, second, equal_var=False), with the opposite sign of
// t. nullopt if both samples are constant, which says nothing about the spread. Each sample has two
// values at least.
std::optional<WelchTest> welch_test(const std::vector<double>& first,
                                    const std::vector<double>& second);

// Probability that a value of Student's t distribution is at least as far from 0 as t.
double student_two_sided(double t, double degrees);

}  // namespace heed
