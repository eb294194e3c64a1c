// Word alignment of sentence pairs in both directions by expectation maximization: first with
// positions near the diagonal, then with a hidden Markov model of the positions.
//
// Sums have an order that does not depend on the number of threads, and nothing is drawn. So the same text gives the same
// alignment.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "align/links.h"
#include "align/position_model.h"
#include "align/word_pair_table.h"

namespace heed {

struct AlignerOptions {
  int64_t diagonal_iterations = 4;
  int64_t jump_iterations = 5;  // 0: the diagonal model alone
  double null = 0.08;           // probability of NULL in the diagonal model
  double jump_null = 0.2;       // and in the hidden Markov model
  double tension = 2;           // of the diagonal model
  double alpha = 0.01;          // of the Dirichlet prior; 0: none
  bool agreement = true;

  // Only the diagonal model.
  static AlignerOptions diagonal() { return {.jump_iterations = 0, .tension = 3}; }
};

// Called during the training.
struct TrainingWatch {
  std::function<void(int64_t)> pairs;               // so many more pairs of an iteration are done
  std::function<void(const std::string&)> message;  // after each iteration
};

struct AlignedPair {
  std::array<Links, 2> links{};            // by direction, in the order of the observed words
  std::array<double, 2> log_likelihood{};  // of the observed words
};

class WordAligner {
 public:
  static constexpr size_t kLongest = 1000;  // words; a longer sentence gets no links

  // Trains on the pairs.
  WordAligner(const SentencePairs& pairs, int32_t sources, int32_t targets,
              const AlignerOptions& options, const Workers& workers, const TrainingWatch& watch);
  // A trained model.
  WordAligner(WordPairTable table, std::array<std::unique_ptr<PositionModel>, 2> models)
      : table_(std::move(table)), models_(std::move(models)) {}

  // A word may be -1, unknown. From any thread.
  AlignedPair align(SentencePairs::Words source, SentencePairs::Words target) const;

  const WordPairTable& table() const { return table_; }
  const PositionModel& model(ModelDirection direction) const { return *models_[direction]; }

 private:
  struct Expectation;
  void iterate(const SentencePairs& pairs, WordPairCounts& counts, const Workers& workers,
               bool agree, const TrainingWatch& watch);

  WordPairTable table_;
  std::array<std::unique_ptr<PositionModel>, 2> models_;  // by direction
  std::array<double, 2> log_likelihood_{};                // of the last iteration
  double alpha_ = 0;
};

}  // namespace heed
