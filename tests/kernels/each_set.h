// Tests of kernels: random numbers, and a fixture for each set of this processor.
#pragma once

#include <gtest/gtest.h>

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

// amx.cpp with tiles that are arrays (emulated_amx.cpp), for processors with AVX512-BF16.
const Kernels& emulated_amx_kernels();

// Instantiated in kernels_test.cpp.
class EachSet : public testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& set_ = *GetParam();
  Numbers numbers_{7};
};

}  // namespace heed
