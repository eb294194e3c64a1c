// The factors of dropout by a hash of (key, index), as kernels draw them.
//
// Own code because generators that draw one number after the other take longer than the layer that
// is dropped, and because a factor must not depend on the number of threads. The mixing constants
// are those of a well-known two-round integer finalizer with low bias.
#pragma once

#include <cstdint>

namespace heed {

// Rows of dropout factors: `kept` where the hash is at least `threshold`, else 0.
struct DropoutRows {
  const uint64_t* keys = nullptr;  // of each row; nullptr: nothing is dropped, all factors are 1
  uint32_t threshold = 0;          // p · 2^32
  float kept = 1;                  // 1/(1-p)
};

namespace {

// uint32_t, or vectors of it.
template <class Word>
inline Word dropout_hash(Word i, uint32_t key_low, uint32_t key_high) {
  Word x = (i * 0x9e3779b9U + key_low) ^ key_high;
  x ^= x >> 16;
  x *= 0x21f0aaadU;
  x ^= x >> 15;
  x *= 0x735a2d97U;
  return x ^ (x >> 15);
}

inline float dropout_factor(const DropoutRows& dropout, int64_t row, int64_t i) {
  if (dropout.keys == nullptr) return 1;
  const uint64_t key = dropout.keys[row];
  return dropout_hash(static_cast<uint32_t>(i), static_cast<uint32_t>(key),
                      static_cast<uint32_t>(key >> 32)) >= dropout.threshold
             ? dropout.kept
             : 0.0F;
}

// x times its factor; 0 where it is dropped, whatever x is.
inline float dropped_one(const DropoutRows& dropout, int64_t row, int64_t i, float x) {
  const float factor = dropout_factor(dropout, row, i);
  return factor == 0 ? 0 : x * factor;
}

}  // namespace

}  // namespace heed
