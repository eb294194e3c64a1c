#include "align/word_pair_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed {

namespace {

constexpr size_t kRowsAtOnce = 256;

// A row of n pairs has n/4 free cells.
size_t cells_of(size_t pairs) { return pairs + pairs / 4 + 1; }

size_t first_slot(int32_t target, size_t cells) {
  const uint64_t hash = static_cast<uint32_t>(target) * uint64_t{0x9e3779b97f4a7c15U};
  return static_cast<size_t>(((hash >> 32) * cells) >> 32);
}

// The sentence pairs that have each source word.
class Occurrences {
 public:
  Occurrences(const SentencePairs& pairs, int32_t sources)
      : pairs_(pairs), ends_(static_cast<size_t>(sources) + 1) {
    for_each([&](size_t word, size_t) { ++ends_[word + 1]; });
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    list_.resize(ends_.back());
    std::vector<size_t> next(ends_.begin(), ends_.end() - 1);
    for_each([&](size_t word, size_t pair) { list_[next[word]++] = static_cast<uint32_t>(pair); });
  }

  // Calls take(target) once for each target word that occurs together with a source word. seen: of
  // target words, all of them below `mark`.
  template <class Take>
  void targets_of(size_t source, std::vector<uint32_t>& seen, uint32_t mark, Take take) const {
    for (size_t i = ends_[source]; i < ends_[source + 1]; ++i) {
      for (const int32_t target : pairs_.target(list_[i])) {
        uint32_t& at = seen[static_cast<size_t>(target)];
        if (at != mark) take(target);
        at = mark;
      }
    }
  }

 private:
  template <class Take>
  void for_each(Take take) const {
    for (size_t pair = 0; pair < pairs_.size(); ++pair) {
      for (const int32_t word : pairs_.source(pair)) take(static_cast<size_t>(word), pair);
    }
  }

  const SentencePairs& pairs_;
  std::vector<size_t> ends_;
  std::vector<uint32_t> list_{};
};

double digamma(double x) {
  double below = 0;
  for (; x < 7; ++x) below += 1 / x;
  const double square = 1 / (x * x);
  return std::log(x) - 0.5 / x -
         square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square / 240))) - below;
}

float share_of(double count, double total, double alpha) {
  if (!(total > 0)) return WordPairTable::kLeast;
  const double share =
      alpha > 0 ? std::exp(digamma(count + alpha) - digamma(total)) : count / total;
  return std::max(static_cast<float>(share), WordPairTable::kLeast);
}

}  // namespace

WordPairTable::WordPairTable(const SentencePairs& pairs, int32_t sources, int32_t targets,
                             const Workers& workers) {
  null_ = {std::vector<float>(static_cast<size_t>(targets), 1),
           std::vector<float>(static_cast<size_t>(sources), 1)};
  const Occurrences occurrences(pairs, sources);
  const auto rows = static_cast<size_t>(sources);
  const auto for_rows = [&](const auto& take) {
    workers((rows + kRowsAtOnce - 1) / kRowsAtOnce, [&](size_t block) {
      std::vector<uint32_t> seen(static_cast<size_t>(targets));
      const size_t begin = block * kRowsAtOnce, end = std::min(rows, begin + kRowsAtOnce);
      for (size_t row = begin; row < end; ++row) {
        const auto mark = static_cast<uint32_t>(row - begin + 1);
        occurrences.targets_of(row, seen, mark, [&](int32_t target) { take(row, target); });
      }
    });
  };
  std::vector<size_t> sizes(rows);
  for_rows([&](size_t row, int32_t) { ++sizes[row]; });
  open_rows(sizes);
  for_rows([&](size_t row, int32_t target) { insert(static_cast<int32_t>(row), target); });
  for (auto& probabilities : probabilities_) std::ranges::fill(probabilities, 1.0F);
}

WordPairTable::WordPairTable(const std::vector<std::vector<Entry>>& entries,
                             std::array<std::vector<float>, 2> null)
    : null_(std::move(null)) {
  std::vector<size_t> sizes;
  for (const auto& row : entries) sizes.push_back(row.size());
  open_rows(sizes);
  for (size_t row = 0; row < entries.size(); ++row) {
    const auto source = static_cast<int32_t>(row);
    for (const Entry& entry : entries[row]) {
      insert(source, entry.target);
      const size_t cell = find(source, entry.target);
      for (const ModelDirection d : kDirections) probabilities_[d][cell] = entry.probability[d];
    }
  }
}

void WordPairTable::open_rows(const std::vector<size_t>& sizes) {
  rows_ = {0};
  for (const size_t size : sizes) rows_.push_back(rows_.back() + cells_of(size));
  pairs_ = static_cast<int64_t>(std::reduce(sizes.begin(), sizes.end()));
  targets_.assign(rows_.back(), -1);
  for (auto& probabilities : probabilities_) probabilities.assign(rows_.back(), kLeast);
}

void WordPairTable::insert(int32_t source, int32_t target) {
  const size_t begin = rows_[static_cast<size_t>(source)],
               cells = rows_[static_cast<size_t>(source) + 1] - begin;
  size_t slot = first_slot(target, cells);
  while (targets_[begin + slot] >= 0) slot = slot + 1 == cells ? 0 : slot + 1;
  targets_[begin + slot] = target;
}

size_t WordPairTable::find(int32_t source, int32_t target) const {
  if (source < 0 || target < 0) return kNone;
  const size_t begin = rows_[static_cast<size_t>(source)],
               cells = rows_[static_cast<size_t>(source) + 1] - begin;
  for (size_t slot = first_slot(target, cells);; slot = slot + 1 == cells ? 0 : slot + 1) {
    const int32_t at = targets_[begin + slot];
    if (at == target) return begin + slot;
    if (at < 0) return kNone;
  }
}

std::vector<WordPairTable::Entry> WordPairTable::of(int32_t source) const {
  std::vector<Entry> entries;
  const auto row = static_cast<size_t>(source);
  for (size_t cell = rows_[row]; cell < rows_[row + 1]; ++cell) {
    if (targets_[cell] >= 0)
      entries.push_back(
          {targets_[cell], {probabilities_[kForward][cell], probabilities_[kReverse][cell]}});
  }
  std::ranges::sort(entries, {}, &Entry::target);
  return entries;
}

WordPairCounts::WordPairCounts(const WordPairTable& table)
    : shard_size_(table.cells() / kShards + 1) {
  for (const ModelDirection d : kDirections) {
    counts_[d].assign(table.cells(), 0);
    null_[d].assign(table.null_[d].size(), 0);
  }
}

void WordPairCounts::add(size_t shard, const Count& count) {
  constexpr float kLarge = 256;
  for (const ModelDirection d : kDirections) {
    float& sum = counts_[d][shard * shard_size_ + count.cell];
    sum += count.count[d];
    if (sum < kLarge) continue;
    large_[d][shard][count.cell] += sum;
    sum = 0;
  }
}

void WordPairCounts::collect() {
  for (const ModelDirection d : kDirections) {
    for (size_t shard = 0; shard < kShards; ++shard) {
      for (const auto& [cell, part] : large_[d][shard]) {
        float& sum = counts_[d][shard * shard_size_ + cell];
        sum = static_cast<float>(part + sum);
      }
      large_[d][shard].clear();
    }
  }
}

std::vector<double> WordPairCounts::totals(const WordPairTable& table, ModelDirection direction,
                                           double alpha) const {
  std::vector<double> totals(
      static_cast<size_t>(direction == kForward ? table.sources() : table.targets()));
  for (size_t row = 0; row + 1 < table.rows_.size(); ++row) {
    for (size_t cell = table.rows_[row]; cell < table.rows_[row + 1]; ++cell) {
      const int32_t target = table.targets_[cell];
      if (target < 0) continue;
      totals[direction == kForward ? row : static_cast<size_t>(target)] +=
          counts_[direction][cell] + alpha;
    }
  }
  return totals;
}

void WordPairCounts::maximize(WordPairTable& table, double alpha, const Workers& workers) {
  collect();
  const std::array totals_of{totals(table, kForward, alpha), totals(table, kReverse, alpha)};
  const size_t rows = table.rows_.size() - 1;
  workers((rows + kRowsAtOnce - 1) / kRowsAtOnce, [&](size_t block) {
    const size_t begin = block * kRowsAtOnce, end = std::min(rows, begin + kRowsAtOnce);
    for (size_t row = begin; row < end; ++row) {
      for (size_t cell = table.rows_[row]; cell < table.rows_[row + 1]; ++cell) {
        const int32_t target = table.targets_[cell];
        if (target < 0) continue;
        for (const ModelDirection d : kDirections) {
          const double total = totals_of[d][d == kForward ? row : static_cast<size_t>(target)];
          table.probabilities_[d][cell] = share_of(counts_[d][cell], total, alpha);
          counts_[d][cell] = 0;
        }
      }
    }
  });
  for (const ModelDirection d : kDirections) {
    const double total = std::accumulate(null_[d].begin(), null_[d].end(), 0.0) +
                         alpha * static_cast<double>(null_[d].size());
    for (size_t word = 0; word < null_[d].size(); ++word) {
      table.null_[d][word] = share_of(null_[d][word], total, alpha);
      null_[d][word] = 0;
    }
  }
}

}  // namespace heed
