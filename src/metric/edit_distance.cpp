#include "metric/edit_distance.h"

#include "metric/word_positions.h"

namespace heed {

namespace {

constexpr uint64_t kFirst = 1, kLast = uint64_t{1} << 63;

// 64 cells of a row, as differences to the cell before each: +1 in `more`, -1 in `less`.
struct Block {
  uint64_t more = ~uint64_t{0}, less = 0;

  // The same cells one row on. positions: where the row's word stands. `change` is that of the cell
  // before the block from row to row, and becomes that of the cell at `last` (Myers 1999, figure
  // 8).
  void next_row(uint64_t positions, int& change, uint64_t last) {
    const uint64_t vertical = positions | less;
    if (change < 0) positions |= kFirst;
    const uint64_t horizontal = (((positions & more) + more) ^ more) | positions;
    uint64_t up = less | ~(horizontal | more), down = more & horizontal;
    const int before = change;
    change = up & last ? 1 : down & last ? -1 : 0;
    up = up << 1 | (before > 0 ? kFirst : 0);
    down = down << 1 | (before < 0 ? kFirst : 0);
    more = down | ~(vertical | up);
    less = up & vertical;
  }
};

}  // namespace

size_t edit_distance(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  constexpr double kMostPairs = 1e11;
  check_pairs("word error rate", a.size(), b.size(), kMostPairs);
  if (b.empty()) return a.size();
  const WordPositions positions(b);
  const uint64_t last = kFirst << (b.size() - 1) % 64;
  std::vector<Block> blocks(positions.blocks());
  std::vector<uint64_t> bits(blocks.size());
  auto distance = static_cast<int64_t>(b.size());
  for (const uint32_t word : a) {
    for (const PositionBits& here : positions.of(word)) bits[here.block] = here.bits;
    int change = 1;
    for (size_t i = 0; i < blocks.size(); ++i)
      blocks[i].next_row(bits[i], change, i + 1 == blocks.size() ? last : kLast);
    distance += change;
    for (const PositionBits& here : positions.of(word)) bits[here.block] = 0;
  }
  return static_cast<size_t>(distance);
}

}  // namespace heed
