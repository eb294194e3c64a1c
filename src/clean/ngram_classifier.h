// Naive Bayes over character n-grams (orders 1 to 4, hashed): the class of texts that a line is from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "clean/corpus_pair.h"

namespace heed {

// Only the beginning of a longer line is read, both when it is added and when it is scored.
inline constexpr size_t kMostClassified = 300;  // characters

class NgramClassifier {
 public:
  explicit NgramClassifier(size_t classes);
  void add(size_t which, const SideLine& line);

  struct Scores {
    std::vector<double> log_likelihoods;  // by class
    double letters;                       // about as many as the line has
  };
  // left_out: class that the line was added to, which is scored as if it had not been.
  Scores scores(const SideLine& line, std::optional<size_t> left_out) const;

 private:
  struct Counted {
    uint32_t ngram;
    uint32_t count;
  };
  static std::vector<Counted> ngrams(const SideLine& line);

  size_t classes_;
  std::vector<uint32_t> counts_;  // of an n-gram, by class
  std::vector<double> totals_;
};

}  // namespace heed
