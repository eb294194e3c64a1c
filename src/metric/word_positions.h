// Positions of the words of a sentence as bits, 64 positions a block, for dynamic programs that
// compute one block of cells at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heed {

// Positions of one word in one block.
struct PositionBits {
  size_t block;
  uint64_t bits;
};

class WordPositions {
 public:
  explicit WordPositions(const std::vector<uint32_t>& words);
  // Blocks in ascending order; empty for a word that is not in the sentence.
  const std::vector<PositionBits>& of(uint32_t word) const;
  size_t blocks() const { return blocks_; }

 private:
  size_t blocks_;
  std::unordered_map<uint32_t, std::vector<PositionBits>> positions_;
};

// Throws Error(kData) if two sentences of these lengths have more than `most` pairs of words, the
// limit for `measure` in reasonable time and memory.
void check_pairs(const char* measure, size_t words, size_t other_words, double most);

}  // namespace heed
