#include "metric/welch_test.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace heed {

namespace {

struct Sample {
  double mean = 0;
  double squared_error = 0;  // of the mean: variance (with n - 1) / n
  double degrees = 0;        // n - 1
};

Sample sample_of(const std::vector<double>& values) {
  HEED_CHECK(values.size() >= 2);
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, squares / (count - 1) / count, count - 1};
}

// Continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated from the front by
// the method of Lentz. It converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr int kMost = 100'000;
  constexpr double kTiny = 1e-300, kExact = std::numeric_limits<double>::epsilon();
  const auto not_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double front = 1, back = 1 / not_zero(1 - (a + b) * x / (a + 1)), fraction = back;
  for (int m = 1; m <= kMost; ++m) {
    const double n = m;
    const double even = n * (b - n) * x / ((a + 2 * n - 1) * (a + 2 * n));
    const double odd = -(a + n) * (a + b + n) * x / ((a + 2 * n) * (a + 2 * n + 1));
    double change = 1;
    for (const double step : {even, odd}) {
      back = 1 / not_zero(1 + step * back);
      front = not_zero(1 + step / front);
      change = front * back;
      fraction *= change;
    }
    if (std::abs(change - 1) <= kExact) break;
  }
  return fraction;
}

// Regularized incomplete beta function I_x(a, b) (DLMF 8.17.2). complement: 1 - x, so that an x near
// 1 is exact.
double regularized_beta(double x, double complement, double a, double b) {
  if (x <= 0) return 0;
  if (complement <= 0) return 1;
  const double log_factor = std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) +
                            b * std::log(complement);
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_factor) * beta_fraction(x, a, b) / a;
  return 1 - std::exp(log_factor) * beta_fraction(complement, b, a) / b;
}

}  // namespace

double student_two_sided(double t, double degrees) {
  const double square = t * t;
  return regularized_beta(degrees / (degrees + square), square / (degrees + square), degrees / 2,
                          0.5);
}

std::optional<WelchTest> welch_test(const std::vector<double>& first,
                                    const std::vector<double>& second) {
  const Sample one = sample_of(first), other = sample_of(second);
  const double squared_error = one.squared_error + other.squared_error;
  if (squared_error <= 0) return std::nullopt;
  WelchTest test{.t = (other.mean - one.mean) / std::sqrt(squared_error)};
  test.degrees = squared_error * squared_error /
                 (one.squared_error * one.squared_error / one.degrees +
                  other.squared_error * other.squared_error / other.degrees);
  test.p = student_two_sided(test.t, test.degrees);
  return test;
}

}  // namespace heed
