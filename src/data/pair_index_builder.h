// Makes a PairIndex, pair by pair, in the memory of this process.
#pragma once

#include "data/pair_index.h"

namespace heed {

class PairIndexBuilder {
 public:
  // At most `capacity` pairs are going to be added. annotations: of each pair, 5 bytes more for each.
  // Throws Error(kData) if they are too many to be numbered in 32 bits.
  PairIndexBuilder(size_t sides, int64_t capacity, size_t annotations = 0);

  void begin_part(double weight);
  // line: of the corpus, from 0. Offsets below 2^40 and lengths below 2^16, one a side; the offsets
  // of the annotations stand behind those of the sides.
  void append(int64_t line, std::span<const uint64_t> offsets, std::span<const int64_t> lengths);
  int64_t size() const { return std::ssize(storage_->lines); }

  // Once; this has nothing afterwards.
  PairIndex finish();

 private:
  struct Offsets {
    std::vector<uint32_t> low;
    std::vector<uint8_t> high;
    void reserve(size_t capacity);
    void append(uint64_t offset);
    PairColumns::Offsets columns() const { return {low, high}; }
  };
  struct Side {
    Offsets offsets;
    std::vector<uint16_t> lengths;
  };
  struct Storage {
    std::vector<uint32_t> lines;
    std::vector<Side> sides;
    std::vector<Offsets> annotations;
  };
  std::shared_ptr<Storage> storage_;
  std::vector<IndexPart> parts_;
};

}  // namespace heed
