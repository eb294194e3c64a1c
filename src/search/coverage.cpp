#include "search/coverage.h"

#include <algorithm>
#include <cmath>

namespace heed {

namespace {

constexpr double kLeast = 1e-6;

}  // namespace

void Coverage::add(std::span<const double> weights) {
  if (weights.empty()) return;
  read_.resize(weights.size() - 1);
  for (size_t i = 0; i < read_.size(); ++i) read_[i] += weights[i];
}

double Coverage::value() const {
  double sum = 0;
  for (const double read : read_) sum += std::log(std::clamp(read, kLeast, 1.0));
  return sum;
}

}  // namespace heed
