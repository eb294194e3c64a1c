#include "inference/light_attention.h"

#include <algorithm>

namespace heed {

void SsruStep::operator()(const float* x, int64_t rows, float* cells, float* y, const Kernels& set,
                          Workspace& room) const {
  const int64_t width = forget_and_input_.inputs();
  room.projected.resize(static_cast<size_t>(rows * 2 * width));
  forget_and_input_.product(x, rows, room.projected.data());
  for (int64_t r = 0; r < rows; ++r) {
    float* forget = room.projected.data() + r * 2 * width;
    set.sigmoid(forget, width);
    const float* input = forget + width;
    float *cell = cells + r * width, *to = y + r * width;
    for (int64_t i = 0; i < width; ++i) {
      cell[i] = forget[i] * cell[i] + (1 - forget[i]) * input[i];
      to[i] = std::max(cell[i], 0.0F);
    }
  }
}

void AverageStep::operator()(const float* x, const std::vector<int64_t>& positions, float* sums,
                             float* y, const Kernels& set, Workspace& room) const {
  const auto rows = std::ssize(positions);
  const int64_t width = gates_.inputs() / 2;
  set.add(x, rows * width, sums);
  room.queries.resize(static_cast<size_t>(rows * width));  // means
  for (int64_t r = 0; r < rows; ++r) {
    const float count = static_cast<float>(positions[r] + 1);
    for (int64_t i = r * width; i < (r + 1) * width; ++i) room.queries[i] = sums[i] / count;
  }
  room.context.resize(static_cast<size_t>(rows * width));
  feed_forward_(room.queries.data(), rows, room.context.data(), set, room);
  room.keys.resize(static_cast<size_t>(rows * 2 * width));  // [x; average]
  for (int64_t r = 0; r < rows; ++r) {
    float* both = room.keys.data() + r * 2 * width;
    std::copy_n(x + r * width, width, both);
    std::copy_n(room.context.data() + r * width, width, both + width);
  }
  room.projected.resize(static_cast<size_t>(rows * 2 * width));
  gates_.product(room.keys.data(), rows, room.projected.data());
  set.sigmoid(room.projected.data(), rows * 2 * width);
  for (int64_t r = 0; r < rows; ++r) {
    const float *both = room.keys.data() + r * 2 * width,
                *gates = room.projected.data() + r * 2 * width;
    for (int64_t i = 0; i < width; ++i)
      y[r * width + i] = gates[i] * both[i] + gates[width + i] * both[width + i];
  }
}

}  // namespace heed
