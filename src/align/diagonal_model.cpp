#include "align/diagonal_model.h"

#include <cmath>

namespace heed {

namespace {

// -|(i + 1)/I - (j + 1)/J|
double feature(size_t i, size_t j, size_t positions, size_t words) {
  return -std::abs(static_cast<double>(i + 1) / static_cast<double>(positions) -
                   static_cast<double>(j + 1) / static_cast<double>(words));
}

// exp(tension · feature) of all positions for word j.
void fill_weights(size_t j, size_t words, double tension, std::vector<double>& weights) {
  const size_t positions = weights.size();
  const double step = std::exp(-tension / static_cast<double>(positions));
  // The last position that is not behind the diagonal, plus one.
  const size_t split = (j + 1) * positions / words;
  double weight = split == 0 ? 0 : std::exp(tension * feature(split - 1, j, positions, words));
  for (size_t i = split; i-- > 0; weight *= step) weights[i] = weight;
  weight = split == positions ? 0 : std::exp(tension * feature(split, j, positions, words));
  for (size_t i = split; i < positions; ++i, weight *= step) weights[i] = weight;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

double DiagonalModel::posteriors(const PositionMatrix& emissions, PositionMatrix& posteriors,
                                 PositionCounts& counts) const {
  const size_t words = emissions.words, positions = emissions.positions - 1;
  posteriors.resize(words, positions + 1);
  std::vector<double> weights(positions);
  double log_likelihood = 0;
  for (size_t j = 0; j < words; ++j) {
    fill_weights(j, words, tension_, weights);
    const double scale = (1 - null_) / sum_of(weights);
    const float* emission = emissions.row(j);
    double sum = null_ * emission[0];
    for (size_t i = 0; i < positions; ++i) {
      weights[i] *= scale * emission[i + 1];
      sum += weights[i];
    }
    float* posterior = posteriors.row(j);
    posterior[0] = static_cast<float>(null_ * emission[0] / sum);
    for (size_t i = 0; i < positions; ++i) posterior[i + 1] = static_cast<float>(weights[i] / sum);
    log_likelihood += std::log(sum);
  }
  return log_likelihood;
}

}  // namespace heed
