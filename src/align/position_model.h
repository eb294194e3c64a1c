// Probabilities of the positions that the words of a sentence are aligned with.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heed {

// A number for each word j of the observed sentence and each position of the other, of which 0 is NULL
// and i + 1 is word i.
struct PositionMatrix {
  void resize(size_t new_words, size_t new_positions) {
    words = new_words;
    positions = new_positions;
    values.resize(words * positions);
  }
  float* row(size_t word) { return values.data() + word * positions; }
  const float* row(size_t word) const { return values.data() + word * positions; }
  size_t words = 0, positions = 0;
  std::vector<float> values{};
};

// Sums over sentence pairs from which a model learns: expected counts by the number of a parameter.
using PositionCounts = std::vector<double>;

class PositionModel {
 public:
  virtual ~PositionModel() = default;
  // emissions: t(word j | position). Writes the posterior probabilities of the positions of each
  // word and adds to `counts`, which is of counts_size(). Returns the log-likelihood.
  virtual double posteriors(const PositionMatrix& emissions, PositionMatrix& posteriors,
                            PositionCounts& counts) const = 0;
  virtual size_t counts_size() const = 0;
  // Sets the parameters by the counts of all sentence pairs.
  virtual void maximize(const PositionCounts& counts) = 0;
  // For files: make_position_model(name(), parameters()) is the same model.
  virtual std::string name() const = 0;
  virtual std::vector<double> parameters() const = 0;
};

// nullptr: there is no such model, or it has another number of parameters.
std::unique_ptr<PositionModel> make_position_model(const std::string& name,
                                                   const std::vector<double>& parameters);
// The lowest and highest value of a parameter, by its number, with which probabilities stay finite.
std::pair<double, double> parameter_range(const std::string& name, size_t index);

}  // namespace heed
