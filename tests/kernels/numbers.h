// Random numbers of the tests of kernels.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

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

}  // namespace heed
