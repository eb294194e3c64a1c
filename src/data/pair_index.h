// Where the pairs of all corpora lie and how long they are: what is kept of them in memory.
//
// For each pair, and for each source and target side of it, the offset in the text (5 bytes) and
// the length in pieces (2), and the number of the line (4): 18 bytes for a source and a target. An
// epoch's order adds 4 (epoch_plan.h). The columns lie in memory of this process, or in a file that
// several processes share (index_file.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heed {

using PairId = uint32_t;  // over all corpora: position in the index

// The pairs of one corpus, one after the other.
struct IndexPart {
  PairId first = 0;
  PairId count = 0;
  double weight = 1;  // how often each pair comes in an epoch
};

// The numbers of all pairs, a column each.
struct PairColumns {
  // Of 40 bits.
  struct Offsets {
    std::span<const uint32_t> low{};
    std::span<const uint8_t> high{};
    uint64_t get(PairId pair) const { return uint64_t{high[pair]} << 32 | low[pair]; }
  };
  struct Side {
    Offsets offsets{};
    std::span<const uint16_t> lengths{};
  };
  std::span<const uint32_t> lines{};
  std::vector<Side> sides{};
  std::vector<Offsets> annotations{};
};

class PairIndex {
 public:
  // owner: what keeps the columns in memory.
  PairIndex(PairColumns columns, std::vector<IndexPart> parts, std::shared_ptr<const void> owner);

  // New weights, one a part.
  void reweigh(const std::vector<double>& weights);

  size_t sides() const { return columns_.sides.size(); }
  int64_t size() const { return std::ssize(columns_.lines); }
  const std::vector<IndexPart>& parts() const { return parts_; }
  // The number of the part that this pair belongs to.
  size_t part_of(PairId pair) const;

  int64_t line(PairId pair) const { return columns_.lines[pair]; }
  uint64_t offset(PairId pair, size_t side) const { return columns_.sides[side].offsets.get(pair); }
  uint64_t annotation(PairId pair, size_t number) const {
    return columns_.annotations[number].get(pair);
  }
  int64_t length(PairId pair, size_t side) const { return columns_.sides[side].lengths[pair]; }
  // Of the longest side, kEnd included: what a row of a batch takes.
  int64_t row_length(PairId pair) const;

  const PairColumns& columns() const { return columns_; }
  size_t bytes() const;  // of the columns

 private:
  PairColumns columns_;
  std::vector<IndexPart> parts_;
  std::shared_ptr<const void> owner_;
};

// Calls see(column) for each column, in the order in which they stand in a file.
template <class Columns, class See>
void for_each_column(Columns& columns, See see) {
  const auto see_offsets = [&see](auto& offsets) {
    see(offsets.low);
    see(offsets.high);
  };
  see(columns.lines);
  for (auto& side : columns.sides) {
    see_offsets(side.offsets);
    see(side.lengths);
  }
  for (auto& offsets : columns.annotations) see_offsets(offsets);
}

}  // namespace heed
