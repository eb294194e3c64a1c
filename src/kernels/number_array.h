// An array of numbers in float32, or rounded to bfloat16: half of the memory to keep and to read.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/aligned.h"
#include "kernels/kernels.h"

namespace heed {

class NumberArray {
 public:
  NumberArray(bool rounds, const Kernels& set) : rounds_(rounds), set_(&set) {}

  // New numbers are uninitialized.
  void resize(int64_t count) {
    if (rounds_) {
      resize(halves_, count);
    } else {
      resize(floats_, count);
    }
  }
  // Writes x [count] from `at` on.
  void write(int64_t at, const float* x, int64_t count) {
    if (rounds_) {
      set_->round_bf16(x, 1, count, count, halves_.data() + at);
    } else {
      std::copy_n(x, count, floats_.data() + at);
    }
  }
  // The same of numbers of another array, which rounds if this one does.
  void copy(int64_t at, const NumberArray& from, int64_t first, int64_t count) {
    if (rounds_) {
      std::copy_n(from.halves_.data() + first, count, halves_.data() + at);
    } else {
      std::copy_n(from.floats_.data() + first, count, floats_.data() + at);
    }
  }
  // The numbers from `at` on.
  NumbersView view(int64_t at = 0) const {
    return rounds_ ? NumbersView{nullptr, halves_.data() + at}
                   : NumbersView{floats_.data() + at, nullptr};
  }

 private:
  template <class T>
  static void resize(Aligned<T>& array, int64_t count) {
    array.reserve(static_cast<size_t>(count));  // resize() alone would double it
    array.resize(static_cast<size_t>(count));
  }

  bool rounds_;
  const Kernels* set_;
  AlignedFloats floats_;
  Aligned<uint16_t> halves_;
};

}  // namespace heed
