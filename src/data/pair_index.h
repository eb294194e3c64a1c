// Where the pairs of all corpora lie and how long they are: what is kept of them in memory.
//
// For each pair, and for each source and target side of it, the offset in the text (5 bytes) and
// the length in pieces (2), and the number of the line (4): 18 bytes for a source and a target. An
// epoch's order adds 4 (epoch_plan.h).
#pragma once

#include <cstdint>
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

class PairIndex {
 public:
  // At most `capacity` pairs are going to be added. annotations: of each pair, 5 bytes more for each.
  // Throws Error(kData) if they are too many to be numbered in 32 bits.
  PairIndex(size_t sides, int64_t capacity, size_t annotations = 0);

  void begin_part(double weight);
  // line: of the corpus, from 0. Offsets below 2^40 and lengths below 2^16, one a side; the offsets
  // of the annotations stand behind those of the sides.
  void append(int64_t line, std::span<const uint64_t> offsets, std::span<const int64_t> lengths);

  // New weights, one a part.
  void reweigh(const std::vector<double>& weights);

  size_t sides() const { return sides_.size(); }
  int64_t size() const { return static_cast<int64_t>(lines_.size()); }
  const std::vector<IndexPart>& parts() const { return parts_; }
  // The number of the part that this pair belongs to.
  size_t part_of(PairId pair) const;

  int64_t line(PairId pair) const { return lines_[pair]; }
  uint64_t offset(PairId pair, size_t side) const { return sides_[side].offsets.get(pair); }
  uint64_t annotation(PairId pair, size_t number) const { return annotations_[number].get(pair); }
  int64_t length(PairId pair, size_t side) const { return sides_[side].lengths[pair]; }
  // Of the longest side, kEnd included: what a row of a batch takes.
  int64_t row_length(PairId pair) const;

  // What the containers hold in memory.
  size_t bytes() const;

 private:
  // Offsets of 40 bits.
  struct Offsets {
    std::vector<uint32_t> low;
    std::vector<uint8_t> high;
    uint64_t get(PairId pair) const { return uint64_t{high[pair]} << 32 | low[pair]; }
    void reserve(size_t capacity);
    void append(uint64_t offset);
    size_t bytes() const;
  };
  struct Side {
    Offsets offsets;
    std::vector<uint16_t> lengths;
  };
  std::vector<Side> sides_;
  std::vector<Offsets> annotations_;
  std::vector<uint32_t> lines_;
  std::vector<IndexPart> parts_;
};

}  // namespace heed
