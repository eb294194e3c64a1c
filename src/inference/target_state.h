// State of the target prefixes that a Transformer decodes: keys and values of layers with attention,
// and the vectors that other layers carry from token to token.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "inference/target_memory.h"
#include "kernels/aligned.h"

namespace heed {

// A vector of each row for each layer; width 0: the layer needs no vector.
class CarriedVectors {
 public:
  explicit CarriedVectors(const std::vector<int64_t>& widths)
      : widths_(widths), vectors_(widths.size()) {}
  float* of(int64_t layer) { return vectors_[layer].data(); }  // [R,width]

  // With zeros.
  void add_rows(int64_t rows) {
    each([rows](AlignedFloats& own, int64_t width) {
      own.resize(own.size() + static_cast<size_t>(rows * width), 0.0F);
    });
  }
  void gather(const std::vector<int64_t>& rows) {
    each([&rows](AlignedFloats& own, int64_t width) {
      AlignedFloats gathered(static_cast<size_t>(std::ssize(rows) * width));
      for (int64_t r = 0; r < std::ssize(rows); ++r)
        std::copy_n(own.data() + rows[r] * width, width, gathered.data() + r * width);
      own = std::move(gathered);
    });
  }
  void join(const CarriedVectors& more) {
    for (size_t layer = 0; layer < vectors_.size(); ++layer)
      vectors_[layer].insert(vectors_[layer].end(), more.vectors_[layer].begin(),
                             more.vectors_[layer].end());
  }

 private:
  template <class Change>
  void each(const Change& change) {
    for (size_t layer = 0; layer < widths_.size(); ++layer) {
      if (widths_[layer] > 0) change(vectors_[layer], widths_[layer]);
    }
  }

  std::vector<int64_t> widths_;
  std::vector<AlignedFloats> vectors_;
};

class TargetState {
 public:
  // Widths of each layer.
  TargetState(const std::vector<MemoryWidths>& memory, const std::vector<int64_t>& carried,
              const NumberArray& empty)
      : memory(memory, empty),
        carried(carried),
        has_memory_(std::ranges::any_of(memory, [](const auto& own) { return own.values > 0; })) {}

  void add_rows(int64_t rows) {
    positions_.resize(positions_.size() + static_cast<size_t>(rows), -1);
    if (has_memory_) memory.add_rows(rows);
    carried.add_rows(rows);
  }
  int64_t rows() const { return std::ssize(positions_); }
  // Adds a token to each row.
  void extend() {
    for (int64_t& position : positions_) ++position;
    if (has_memory_) memory.extend();
  }
  // Position of the last token of each row.
  const std::vector<int64_t>& positions() const { return positions_; }

  void gather(const std::vector<int64_t>& rows) {
    std::vector<int64_t> positions;
    for (const int64_t row : rows) positions.push_back(positions_[row]);
    positions_ = std::move(positions);
    if (has_memory_) memory.gather(rows);
    carried.gather(rows);
  }
  void join(const TargetState& more) {
    positions_.insert(positions_.end(), more.positions_.begin(), more.positions_.end());
    if (has_memory_) memory.join(more.memory);
    carried.join(more.carried);
  }

  TargetMemory memory;  // without rows if no layer has keys
  CarriedVectors carried;

 private:
  bool has_memory_;
  std::vector<int64_t> positions_;
};

}  // namespace heed
