// Builds a PairIndex in the memory of this process, pair by pair.
#pragma once

#include "data/pair_index.h"

namespace heed {

class PairIndexBuilder {
 public:
  // At most `capacity` pairs may be added. annotations: number of annotations of each pair, 5 bytes
  // each. Throws Error(kData) if the pairs are too many to be numbered in 32 bits.
  PairIndexBuilder(size_t sides, int64_t capacity, size_t annotations = 0);

  void begin_part(double weight);
  // line: line in the corpus, from 0. Offsets are below 2^40 and lengths below 2^16, one for each
  // side. The offsets of the annotations follow those of the sides.
  void append(int64_t line, std::span<const uint64_t> offsets, std::span<const int64_t> lengths);
  int64_t size() const { return std::ssize(storage_->lines); }

  // May be called once; the builder is empty afterwards.
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
