// A random permutation of 0 … n-1 that takes no memory: a Feistel network over the next even number
// of bits, walked along its cycle until it falls below n (Black and Rogaway 2002).
#pragma once

#include <bit>
#include <cstdint>

#include "base/random.h"

namespace heed {

class Permutation {
 public:
  // size: 1 … 2^32
  Permutation(uint64_t size, uint64_t key)
      : size_(size), half_bits_((std::bit_width(size - 1) + 1) / 2), key_(key) {
    if (half_bits_ == 0) half_bits_ = 1;
  }
  uint64_t operator()(uint64_t i) const {
    do i = shuffle_bits(i);
    while (i >= size_);
    return i;
  }

 private:
  uint64_t shuffle_bits(uint64_t i) const {
    const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
    uint64_t left = i >> half_bits_, right = i & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      const uint64_t next = left ^ (mix64(key_ ^ mix64(round << 32 | right)) & mask);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }
  uint64_t size_;
  int half_bits_;
  uint64_t key_;
};

}  // namespace heed
