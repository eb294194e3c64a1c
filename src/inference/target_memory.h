// Keys and values of the target prefixes that a Transformer decodes.
//
// A slot holds the keys and values of one token of one hypothesis for each layer. A hypothesis is
// the list of the slots of its tokens, so that reordering a beam copies slot numbers only. Slots of
// removed hypotheses are reused, and the memory grows only if no slot is free: it is as large as
// the tokens of the living hypotheses need, plus at most a quarter for growth.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/number_array.h"

namespace heed {

class TargetMemory {
 public:
  TargetMemory(int64_t layers, int64_t width, const NumberArray& empty)
      : width_(width), keys_(layers, empty), values_(layers, empty) {}

  void add_rows(int64_t rows) { paths_.resize(paths_.size() + static_cast<size_t>(rows)); }
  int64_t rows() const { return std::ssize(paths_); }
  int64_t length(int64_t row) const { return std::ssize(paths_[row]); }
  // Slots of a row's tokens in order.
  const std::vector<int32_t>& path(int64_t row) const { return paths_[row]; }
  // Keys and values of a layer [slots,W].
  NumbersView keys(int64_t layer) const { return keys_[layer].view(); }
  NumbersView values(int64_t layer) const { return values_[layer].view(); }

  // Appends a slot for the next token to the path of each row.
  void extend();
  // Writes the vectors of the last token of a row.  keys, values [W]
  void write_last(int64_t layer, int64_t row, const float* keys, const float* values) {
    const int64_t at = paths_[row].back() * width_;
    keys_[layer].write(at, keys, width_);
    values_[layer].write(at, values, width_);
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

  int64_t width_, slots_ = 0;
  std::vector<NumberArray> keys_, values_;
  std::vector<std::vector<int32_t>> paths_;
  std::vector<int32_t> free_;  // the next one last
};

}  // namespace heed
