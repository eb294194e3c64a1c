// Translation probabilities of all pairs of words that occur together in a sentence pair, in both
// directions, t(target | source) and t(source | target), and those of the NULL word.
//
// A source word has a row, a hash table of its target words with open addressing. A pair takes 15
// bytes, 25 with its counts, and one look-up finds both directions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_map>
#include <vector>

#include "align/sentence_pairs.h"

namespace heed {

enum ModelDirection : size_t { kForward, kReverse };  // target given source, source given target
inline constexpr std::array kDirections{kForward, kReverse};

// Calls work(0) … work(count - 1) in several threads.
using Workers = std::function<void(size_t count, const std::function<void(size_t)>& work)>;

class WordPairTable {
 public:
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();
  // Probability of a pair that the table does not have, and the lowest of a pair that it has.
  static constexpr float kLeast = 1e-9F;

  // All pairs, with equal probabilities.
  WordPairTable(const SentencePairs& pairs, int32_t sources, int32_t targets,
                const Workers& workers);
  struct Entry {
    int32_t target;
    std::array<float, 2> probability;  // by direction
  };
  // The pairs of each source word; null: by direction and word.
  WordPairTable(const std::vector<std::vector<Entry>>& entries,
                std::array<std::vector<float>, 2> null);

  // Cell of a pair, or kNone. A word that is -1 is unknown.
  size_t find(int32_t source, int32_t target) const;
  float probability(ModelDirection direction, size_t cell) const {
    return cell == kNone ? kLeast : probabilities_[direction][cell];
  }
  // Probability of a target word (kForward) or a source word (kReverse) given NULL.
  float null(ModelDirection direction, int32_t word) const {
    return word < 0 ? kLeast : null_[direction][static_cast<size_t>(word)];
  }
  // Entries of a source word, by the number of the target word.
  std::vector<Entry> of(int32_t source) const;
  int32_t sources() const { return static_cast<int32_t>(null_[kReverse].size()); }
  int32_t targets() const { return static_cast<int32_t>(null_[kForward].size()); }
  int64_t size() const { return pairs_; }  // pairs
  size_t cells() const { return targets_.size(); }

 private:
  friend class WordPairCounts;
  void open_rows(const std::vector<size_t>& sizes);
  void insert(int32_t source, int32_t target);

  std::vector<size_t> rows_{};      // first cell of each row, and the end
  std::vector<int32_t> targets_{};  // by cell; -1: free
  std::array<std::vector<float>, 2> probabilities_{};
  std::array<std::vector<float>, 2> null_{};
  int64_t pairs_ = 0;
};

// Expected counts of the cells of a table, which become its probabilities.
class WordPairCounts {
 public:
  explicit WordPairCounts(const WordPairTable& table);

  // A shard is a range of cells to which one thread adds at a time. So the order of the additions does not
  // depend on the threads.
  static constexpr size_t kShards = 64;
  struct Count {
    uint32_t cell;  // in its shard
    std::array<float, 2> count;
  };
  size_t shard_of(size_t cell) const { return cell / shard_size_; }
  Count count_of(size_t cell, float forward, float reverse) const {
    return {static_cast<uint32_t>(cell % shard_size_), {forward, reverse}};
  }
  void add(size_t shard, const Count& count);
  void add_null(ModelDirection direction, int32_t word, double count) {
    null_[direction][static_cast<size_t>(word)] += count;
  }
  // Writes the probabilities by variational Bayes with a symmetric Dirichlet prior `alpha` (Johnson
  // 2007, "Why doesn't EM find good HMM POS-taggers?"), or with alpha 0 by maximum likelihood, and sets the counts to 0.
  void maximize(WordPairTable& table, double alpha, const Workers& workers);

 private:
  void collect();
  std::vector<double> totals(const WordPairTable& table, ModelDirection direction,
                             double alpha) const;

  size_t shard_size_;
  std::array<std::vector<float>, 2> counts_{};
  // Parts of large counts. A float would not see small additions to a large number.
  std::array<std::array<std::unordered_map<uint32_t, double>, kShards>, 2> large_{};
  std::array<std::vector<double>, 2> null_{};
};

}  // namespace heed
