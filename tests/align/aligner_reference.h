// Expectation maximization of the aligner by the sum over all alignments of a sentence pair, one after
// another.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

namespace heed::reference {

// emissions[j][i]: t(word j | position i), position 0 is NULL.
using Matrix = std::vector<std::vector<double>>;

struct Sums {
  double likelihood = 0;
  Matrix posteriors{};
  std::map<int, double> jumps{};  // expected number by length
};

// Calls take(alignment) for every alignment of `words` words with the positions 0 … positions - 1.
inline void for_all_alignments(size_t words, size_t positions,
                               const std::function<void(const std::vector<size_t>&)>& take) {
  std::vector<size_t> alignment(words, 0);
  while (true) {
    take(alignment);
    size_t at = 0;
    while (at < words && ++alignment[at] == positions) alignment[at++] = 0;
    if (at == words) return;
  }
}

// -|(i + 1)/I - (j + 1)/J| for position i + 1.
inline double feature(size_t position, size_t j, size_t positions, size_t words) {
  return -std::fabs(double(position) / double(positions) - double(j + 1) / double(words));
}

inline double diagonal_prior(size_t position, size_t j, size_t positions, size_t words, double null,
                             double tension) {
  if (position == 0) return null;
  double sum = 0;
  for (size_t i = 1; i <= positions; ++i)
    sum += std::exp(tension * feature(i, j, positions, words));
  return (1 - null) * std::exp(tension * feature(position, j, positions, words)) / sum;
}

inline Sums diagonal_sums(const Matrix& emissions, double null, double tension) {
  const size_t words = emissions.size(), states = emissions[0].size();
  Sums sums;
  sums.posteriors.assign(words, std::vector<double>(states, 0));
  for_all_alignments(words, states, [&](const std::vector<size_t>& a) {
    double p = 1;
    for (size_t j = 0; j < words; ++j)
      p *= emissions[j][a[j]] * diagonal_prior(a[j], j, states - 1, words, null, tension);
    sums.likelihood += p;
    for (size_t j = 0; j < words; ++j) sums.posteriors[j][a[j]] += p;
  });
  for (auto& row : sums.posteriors)
    for (double& p : row) p /= sums.likelihood;
  return sums;
}

// weight: c(jump). Of a jump, the part (1 - uniform) is counted.
inline Sums jump_sums(const Matrix& emissions, double null, double uniform,
                      const std::function<double(int)>& weight) {
  const size_t words = emissions.size(), states = emissions[0].size();
  const int positions = int(states) - 1;
  Sums sums;
  sums.posteriors.assign(words, std::vector<double>(states, 0));
  for_all_alignments(words, states, [&](const std::vector<size_t>& a) {
    double p = 1;
    int last = -1;
    std::map<int, double> jumps;
    for (size_t j = 0; j < words; ++j) {
      p *= emissions[j][a[j]];
      if (a[j] == 0) {
        p *= null;
        continue;
      }
      const int to = int(a[j]) - 1;
      double sum = 0;
      for (int i = 0; i < positions; ++i) sum += weight(i - last);
      const double by_weight = (1 - uniform) * weight(to - last) / sum,
                   jump = by_weight + uniform / positions;
      p *= (1 - null) * jump;
      jumps[to - last] += by_weight / jump;
      last = to;
    }
    sums.likelihood += p;
    for (size_t j = 0; j < words; ++j) sums.posteriors[j][a[j]] += p;
    for (const auto& [length, count] : jumps) sums.jumps[length] += p * count;
  });
  for (auto& row : sums.posteriors)
    for (double& p : row) p /= sums.likelihood;
  for (auto& [length, count] : sums.jumps) count /= sums.likelihood;
  return sums;
}

// Derivative of std::lgamma by central differences of two step sizes (Richardson).
inline double digamma(double x) {
  const auto slope = [x](double h) { return (std::lgamma(x + h) - std::lgamma(x - h)) / (2 * h); };
  const double h = 1e-3 * x;
  return (4 * slope(h / 2) - slope(h)) / 3;
}

}  // namespace heed::reference
