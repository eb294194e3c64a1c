// Offsets and lengths of the pairs of all corpora. Only this index of the pairs stays in memory.
//
// For each source and target side of a pair it holds the offset in the text (5 bytes) and the
// length in pieces (2), and for each pair the line number (4): 18 bytes for a source and a target.
// The order of an epoch adds 4 (epoch_plan.h). The columns are in memory of this process, or in a
// file that several processes share (index_file.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heed {

using PairId = uint32_t;  // over all corpora: position in the index

// Pairs of one corpus, which are consecutive.
struct IndexPart {
  PairId first = 0;
  PairId count = 0;
  double weight = 1;  // number of uses of each pair in an epoch
};

// Numbers of all pairs, in columns.
struct PairColumns {
  // Offsets of 40 bits.
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
  // owner: keeps the columns in memory.
  PairIndex(PairColumns columns, std::vector<IndexPart> parts, std::shared_ptr<const void> owner);

  // Sets new weights, one for each part.
  void reweigh(const std::vector<double>& weights);

  size_t sides() const { return columns_.sides.size(); }
  int64_t size() const { return std::ssize(columns_.lines); }
  const std::vector<IndexPart>& parts() const { return parts_; }
  // Number of the part that this pair belongs to.
  size_t part_of(PairId pair) const;

  int64_t line(PairId pair) const { return columns_.lines[pair]; }
  uint64_t offset(PairId pair, size_t side) const { return columns_.sides[side].offsets.get(pair); }
  uint64_t annotation(PairId pair, size_t number) const {
    return columns_.annotations[number].get(pair);
  }
  int64_t length(PairId pair, size_t side) const { return columns_.sides[side].lengths[pair]; }
  // Length of the longest side with kEnd: the length of the pair's row in a batch.
  int64_t row_length(PairId pair) const;

  const PairColumns& columns() const { return columns_; }
  size_t bytes() const;  // of the columns

 private:
  PairColumns columns_;
  std::vector<IndexPart> parts_;
  std::shared_ptr<const void> owner_;
};

// Calls see(column) for each column, in the order of the columns in a file.
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
