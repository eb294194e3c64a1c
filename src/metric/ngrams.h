// Counts of word n-grams, for metrics that match them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heed {

inline constexpr size_t kMaxNgram = 4;

// Gives equal words equal numbers, from 1, as long as it lives.
class WordIds {
 public:
  std::vector<uint32_t> of(const std::vector<std::string_view>& words);

 private:
  std::unordered_map<std::string, uint32_t> ids_;
};

using Ngram = std::array<uint32_t, kMaxNgram>;               // zeros behind shorter ones
using NgramCounts = std::vector<std::pair<Ngram, int64_t>>;  // sorted by n-gram

// Of order 1 <= n <= kMaxNgram.
NgramCounts count_ngrams(const std::vector<uint32_t>& words, size_t n);
// How often it was counted; 0 if never.
int64_t count_of(const NgramCounts& counts, const Ngram& ngram);

}  // namespace heed
