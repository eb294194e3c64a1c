#include "inference/convolution_step.h"

#include <algorithm>
#include <numbers>

namespace heed {

void copy_window(const std::vector<const float*>& rows, int64_t width, float* window) {
  const auto kernel = std::ssize(rows);
  for (int64_t k = 0; k < kernel; ++k) {
    for (int64_t i = 0; i < width; ++i)
      window[i * kernel + k] = rows[k] == nullptr ? 0.0F : rows[k][i];
  }
}

void ConvolutionStep::apply(int64_t rows, Workspace& room, float* y) const {
  const int64_t width = weight_.outputs() / 2;
  room.both.resize(static_cast<size_t>(rows * 2 * width));
  room.gates.resize(static_cast<size_t>(rows * width));
  weight_.product(room.windows.data(), rows, room.both.data());
  for (int64_t r = 0; r < rows; ++r)
    std::copy_n(room.both.data() + (2 * r + 1) * width, width, room.gates.data() + r * width);
  set_.sigmoid(room.gates.data(), rows * width);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i)
      y[r * width + i] = room.both[2 * r * width + i] * room.gates[r * width + i];
  }
}

void add_residual(const float* y, int64_t count, float* x) {
  constexpr auto kRoot = static_cast<float>(std::numbers::sqrt2 / 2);
  for (int64_t i = 0; i < count; ++i) x[i] = (y[i] + x[i]) * kRoot;
}

}  // namespace heed
