// Counts of word n-grams for metrics that match them.
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

// Maps words to numbers from 1; equal words have equal numbers for the lifetime of the object.
class WordIds {
 public:
  std::vector<uint32_t> of(const std::vector<std::string_view>& words);

 private:
  std::unordered_map<std::string, uint32_t> ids_;
};

using Ngram = std::array<uint32_t, kMaxNgram>;               // shorter ones are padded with zeros
using NgramCounts = std::vector<std::pair<Ngram, int64_t>>;  // sorted by n-gram

// Counts n-grams of order 1 <= n <= kMaxNgram.
NgramCounts count_ngrams(const std::vector<uint32_t>& words, size_t n);
// Count of an n-gram; 0 if it does not occur.
int64_t count_of(const NgramCounts& counts, const Ngram& ngram);

}  // namespace heed
