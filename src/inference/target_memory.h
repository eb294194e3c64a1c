// Keys and values of the target prefixes that a Transformer decodes.
//
// A slot holds the keys and values of one token of one hypothesis for each layer. A hypothesis is
// the list of the slots of its tokens, so that reordering a beam copies slot numbers only. Slots of
// removed hypotheses are reused, and the memory grows only if no slot is free: it is as large as
// the tokens of the living hypotheses need, plus at most a quarter for growth.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "inference/attention_shape.h"
#include "kernels/number_array.h"

namespace heed {

class TargetMemory {
 public:
  // widths: of each layer; 0 of a layer without keys
  TargetMemory(std::vector<MemoryWidths> widths, const NumberArray& empty)
      : widths_(std::move(widths)), keys_(widths_.size(), empty), values_(widths_.size(), empty) {}

  void add_rows(int64_t rows) { paths_.resize(paths_.size() + static_cast<size_t>(rows)); }
  int64_t rows() const { return std::ssize(paths_); }
  int64_t length(int64_t row) const { return std::ssize(paths_[row]); }
  // Slots of a row's tokens in order.
  const std::vector<int32_t>& path(int64_t row) const { return paths_[row]; }
  // Keys and values of a layer [slots,width].
  NumbersView keys(int64_t layer) const { return keys_[layer].view(); }
  NumbersView values(int64_t layer) const { return values_[layer].view(); }

  // Appends a slot for the next token to the path of each row.
  void extend();
  // Writes the vectors of the last token of a row.
  void write_last(int64_t layer, int64_t row, const float* keys, const float* values) {
    const int64_t slot = paths_[row].back();
    const MemoryWidths& width = widths_[layer];
    keys_[layer].write(slot * width.keys, keys, width.keys);
    values_[layer].write(slot * width.values, values, width.values);
  }

  // Moves row rows[r] to row r, for each r.
  void gather(const std::vector<int64_t>& rows);
  // Appends the rows of `more`.
  void join(const TargetMemory& more);

  int64_t slots() const { return slots_; }

 private:
  void provide(int64_t count);
  void find_free();
  void grow(int64_t slots);
  void copy(const TargetMemory& more, int32_t from, int32_t to);

  std::vector<MemoryWidths> widths_;
  int64_t slots_ = 0;
  std::vector<NumberArray> keys_, values_;
  std::vector<std::vector<int32_t>> paths_;
  std::vector<int32_t> free_;  // the next one last
};

}  // namespace heed
