#include "align/jump_model.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace heed {

namespace {

constexpr float kUniform = 0.1F;

// c(d) for jumps between the positions of a sentence, and sums of them.
class Jumps {
 public:
  Jumps(const std::vector<float>& weights, size_t positions)
      : positions_(positions), weights_(2 * positions + 1), scales_(positions + 1) {
    const auto longest = static_cast<int64_t>(JumpModel::kLongest);
    for (size_t at = 0; at < weights_.size(); ++at) {
      const int64_t jump = static_cast<int64_t>(at) - static_cast<int64_t>(positions);
      weights_[at] = weights[static_cast<size_t>(std::clamp(jump, -longest, longest) + longest)];
    }
    for (size_t from = 0; from <= positions; ++from) {
      double sum = 0;
      for (size_t i = 0; i < positions; ++i) sum += to(from)[i];
      scales_[from] = static_cast<float>((1 - kUniform) / sum);
    }
  }
  // Weights of the jumps from state `from` to words 0, 1, …; state 0 is before the sentence, state
  // i + 1 is word i.
  const float* to(size_t from) const { return weights_.data() + positions_ + 1 - from; }
  size_t offset(size_t from) const { return positions_ + 1 - from; }
  float scale(size_t from) const { return scales_[from]; }

 private:
  size_t positions_;
  std::vector<float> weights_;  // from jump -positions
  std::vector<float> scales_;
};

}  // namespace

JumpModel::JumpModel(double null) : null_(null), weights_(kJumps) {
  for (size_t at = 0; at < weights_.size(); ++at) {
    const double distance = std::abs(static_cast<double>(at) - static_cast<double>(kLongest) - 1);
    weights_[at] = static_cast<float>(std::exp(-distance) + 1e-3);
  }
}

JumpModel::JumpModel(double null, std::vector<float> weights)
    : null_(null), weights_(std::move(weights)) {}

double JumpModel::posteriors(const PositionMatrix& emissions, PositionMatrix& posteriors,
                             PositionCounts& counts) const {
  const size_t words = emissions.words, positions = emissions.positions - 1;
  const size_t states = positions + 1;
  const auto null = static_cast<float>(null_);
  const float moves = 1 - null, uniform = kUniform / static_cast<float>(positions);
  const Jumps jumps(weights_, positions);
  posteriors.resize(words, states);

  // Forward: before[j] has the probabilities of the states before word j, given the words so far.
  std::vector<float> before((words + 1) * states), scales(words);
  before[0] = 1;
  for (size_t j = 0; j < words; ++j) {
    const float* from = before.data() + j * states;
    float* next = before.data() + (j + 1) * states;
    float sum = 0;
    for (size_t k = 0; k < states; ++k) sum += from[k];
    for (size_t i = 0; i < positions; ++i) next[i + 1] = sum * uniform;
    for (size_t k = 0; k < states; ++k) {
      const float factor = from[k] * jumps.scale(k);
      const float* weight = jumps.to(k);
      for (size_t i = 0; i < positions; ++i) next[i + 1] += factor * weight[i];
    }
    const float* emission = emissions.row(j);
    double total = 0;
    next[0] = null * emission[0] * from[0];
    for (size_t i = 1; i < states; ++i)
      next[i] = moves * emission[i] * next[i] + null * emission[0] * from[i];
    for (size_t i = 0; i < states; ++i) total += next[i];
    scales[j] = static_cast<float>(1 / total);
    for (size_t i = 0; i < states; ++i) next[i] *= scales[j];
  }

  // Backward: after[i] has the likelihood of the words behind word j after state i, so scaled that
  // the posteriors of a word sum to 1.
  std::vector<float> after(states, 1), earlier(states), real(positions), found(2 * positions + 1);
  for (size_t j = words; j-- > 0;) {
    const float* from = before.data() + j * states;
    const float* emission = emissions.row(j);
    float* posterior = posteriors.row(j);
    float total_real = 0;
    for (size_t i = 0; i < positions; ++i) {
      real[i] = moves * scales[j] * emission[i + 1] * after[i + 1];
      total_real += real[i];
    }
    const float null_factor = null * scales[j] * emission[0];
    posterior[0] = 0;
    for (size_t k = 0; k < states; ++k) {
      posterior[0] += from[k] * null_factor * after[k];
      earlier[k] = null_factor * after[k];
    }
    for (size_t i = 0; i < positions; ++i) posterior[i + 1] = 0;
    float from_sum = 0;
    for (size_t k = 0; k < states; ++k) {
      const float scale = jumps.scale(k), factor = from[k] * scale;
      const float* weight = jumps.to(k);
      float* count = found.data() + jumps.offset(k);
      float sum = 0;
      for (size_t i = 0; i < positions; ++i) {
        const float jump = weight[i] * real[i];
        sum += jump;
        posterior[i + 1] += factor * jump;
        count[i] += factor * jump;
      }
      earlier[k] += scale * sum + uniform * total_real;
      from_sum += from[k];
    }
    for (size_t i = 0; i < positions; ++i) posterior[i + 1] += from_sum * uniform * real[i];
    after.swap(earlier);
  }

  const auto longest = static_cast<int64_t>(kLongest);
  for (size_t at = 0; at < found.size(); ++at) {
    const int64_t jump = static_cast<int64_t>(at) - static_cast<int64_t>(positions);
    counts[static_cast<size_t>(std::clamp(jump, -longest, longest) + longest)] += found[at];
  }
  double log_likelihood = 0;
  for (const float scale : scales) log_likelihood -= std::log(static_cast<double>(scale));
  return log_likelihood;
}

std::vector<double> JumpModel::parameters() const {
  std::vector<double> parameters{null_};
  parameters.insert(parameters.end(), weights_.begin(), weights_.end());
  return parameters;
}

void JumpModel::maximize(const PositionCounts& counts) {
  double total = 0;
  for (const double count : counts) total += count;
  // Half a jump of each length that does not occur.
  for (size_t at = 0; at < weights_.size(); ++at)
    weights_[at] = static_cast<float>((counts[at] + 0.5) / (total + 0.5 * std::ssize(counts)));
}

}  // namespace heed
