// Tests of kernels: random numbers, and a fixture for each set of this processor.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/kernels.h"

namespace heed {

class Numbers {
 public:
  explicit Numbers(uint32_t seed) : engine_(seed) {}
  std::vector<float> operator()(int64_t count, float scale = 1) {
    std::normal_distribution<float> normal(0, scale);
    std::vector<float> values(static_cast<size_t>(count));
    for (float& value : values) value = normal(engine_);
    return values;
  }

 private:
  std::mt19937 engine_;
};

// To bfloat16 by the kernel, and back.
inline std::vector<uint16_t> rounded(const Kernels& set, const std::vector<float>& x) {
  std::vector<uint16_t> to(x.size());
  const auto count = static_cast<int64_t>(x.size());
  set.round_bf16(x.data(), 1, count, count, to.data());
  return to;
}

inline double float_of_half(uint16_t half) {
  return std::bit_cast<float>(static_cast<uint32_t>(half) << 16);
}

// amx.cpp with tiles that are arrays (emulated_amx.cpp), for processors with AVX512-BF16.
const Kernels& emulated_amx_kernels();
// avx_vnni.cpp without its instruction (emulated_avx_vnni.cpp), for processors with AVX2.
extern const Kernels kEmulatedAvxVnniKernels;

// Sets of kernels of this processor, and sets that it can emulate.
std::vector<const Kernels*> tested_sets();

// Instantiated in kernels_test.cpp.
class EachSet : public testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& set_ = *GetParam();
  Numbers numbers_{7};
};

}  // namespace heed
