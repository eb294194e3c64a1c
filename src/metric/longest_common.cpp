#include "metric/longest_common.h"

#include <algorithm>
#include <bit>

#include "metric/word_positions.h"

namespace heed {

namespace {

// Differences between neighbours of a row of lengths: bit j is 0 where the length grows with word j
// of b. A row takes the place of the one above it (Hyyrö 2004): V ← (V + (V & M)) | (V & ~M), M the
// positions of the row's word.
class Lengths {
 public:
  explicit Lengths(size_t blocks) : bits_(blocks, ~uint64_t{0}) {}

  void next_row(const std::vector<PositionBits>& positions) {
    size_t next = 0;
    bool carry = false;
    for (const PositionBits& here : positions) {
      if (carry) carry = pass_on(next, here.block);
      uint64_t& v = bits_[here.block];
      uint64_t sum = 0;
      const bool overflow = __builtin_add_overflow(v, v & here.bits, &sum);
      carry = __builtin_add_overflow(sum, uint64_t{carry}, &sum) || overflow;
      v = sum | (v & ~here.bits);
      next = here.block + 1;
    }
    if (carry) pass_on(next, bits_.size());
  }

  size_t longest() const {
    size_t zeros = 0;
    for (const uint64_t v : bits_) zeros += static_cast<size_t>(std::popcount(~v));
    return zeros;
  }

 private:
  // Adds a carry to the blocks from `next` on that have no positions; whether it reaches `end`.
  bool pass_on(size_t next, size_t end) {
    for (; next < end; ++next) {
      const uint64_t sum = bits_[next] + 1;
      bits_[next] |= sum;
      if (sum != 0) return false;
    }
    return true;
  }

  std::vector<uint64_t> bits_;
};

}  // namespace

size_t longest_common_length(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  constexpr double kMostPairs = 1e11;
  check_pairs("ROUGE-L", a.size(), b.size(), kMostPairs);
  const WordPositions positions(b);
  Lengths lengths(positions.blocks());
  for (const uint32_t word : a) lengths.next_row(positions.of(word));
  return lengths.longest();
}

std::vector<size_t> longest_common_positions(const std::vector<uint32_t>& a,
                                             const std::vector<uint32_t>& b) {
  constexpr double kMostPairs = 2e9;  // a bit each
  check_pairs("ROUGE-Lsum", a.size(), b.size(), kMostPairs);
  const size_t width = b.size() + 1;
  std::vector<bool> drop_b((a.size() + 1) * width);
  std::vector<uint32_t> above(width), row(width);
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = a[i - 1] == b[j - 1] ? above[j - 1] + 1 : std::max(above[j], row[j - 1]);
      drop_b[i * width + j] = row[j - 1] > above[j];
    }
    std::swap(above, row);
  }
  std::vector<size_t> positions;
  for (size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    if (a[i - 1] == b[j - 1]) {
      positions.push_back(--i);
      --j;
    } else if (drop_b[i * width + j]) {
      --j;
    } else {
      --i;
    }
  }
  std::reverse(positions.begin(), positions.end());
  return positions;
}

}  // namespace heed
