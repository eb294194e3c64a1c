#include "kernels/packed_matrix.h"

#include <algorithm>
#include <cmath>

namespace heed {

PackedMatrix::PackedMatrix(const Kernels& set, Precision precision, const float* weights,
                           int64_t outputs, int64_t inputs, const std::vector<float>& bias)
    : set_(&set), precision_(precision), bias_(bias.begin(), bias.end()) {
  view_ = {.outputs = outputs, .inputs = inputs, .depth = inputs};
  switch (precision) {
    case Precision::kFloat:
      pack_floats(weights);
      break;
    case Precision::kBFloat16:
      pack_halves(weights);
      break;
    case Precision::kInt8:
      pack_bytes(weights);
      break;
  }
}

void PackedMatrix::pack_floats(const float* weights) {
  const int64_t columns = set_->columns;
  floats_.assign(static_cast<size_t>(filled_up(view_.outputs, columns) * view_.inputs), 0.0F);
  for (int64_t o = 0; o < view_.outputs; ++o) {
    float* panel = floats_.data() + o / columns * columns * view_.inputs + o % columns;
    for (int64_t i = 0; i < view_.inputs; ++i) panel[i * columns] = weights[o * view_.inputs + i];
  }
}

void PackedMatrix::pack_halves(const float* weights) {
  const int64_t columns = set_->columns;
  view_.depth = filled_up(view_.inputs, 2);
  halves_.assign(static_cast<size_t>(filled_up(view_.outputs, columns) * view_.depth), 0);
  std::vector<uint16_t> rounded(static_cast<size_t>(view_.depth));
  for (int64_t o = 0; o < view_.outputs; ++o) {
    set_->round_bf16(weights + o * view_.inputs, 1, view_.inputs, view_.depth, rounded.data());
    uint16_t* panel = halves_.data() + o / columns * columns * view_.depth + o % columns * 2;
    for (int64_t i = 0; i < view_.depth; ++i) panel[i / 2 * columns * 2 + i % 2] = rounded[i];
  }
}

void PackedMatrix::pack_bytes(const float* weights) {
  const int64_t columns = set_->columns, outputs = filled_up(view_.outputs, columns);
  view_.depth = filled_up(view_.inputs, 4);
  bytes_.assign(static_cast<size_t>(outputs * view_.depth), 0);
  scales_.assign(static_cast<size_t>(outputs), 0.0F);
  sums_.assign(static_cast<size_t>(outputs), 0);
  for (int64_t o = 0; o < view_.outputs; ++o) {
    const float* row = weights + o * view_.inputs;
    float largest = 0;
    for (int64_t i = 0; i < view_.inputs; ++i) largest = std::max(largest, std::fabs(row[i]));
    const float scale = largest > kSmallestInt8 ? 127 / largest : 0;
    int8_t* panel = bytes_.data() + o / columns * columns * view_.depth + o % columns * 4;
    for (int64_t i = 0; i < view_.inputs; ++i) {
      const auto value = static_cast<int8_t>(std::nearbyint(row[i] * scale));
      panel[i / 4 * columns * 4 + i % 4] = value;
      sums_[static_cast<size_t>(o)] += 128 * value;
    }
    scales_[static_cast<size_t>(o)] = scale > 0 ? largest / 127 : 0;
  }
}

namespace {

// Copies outputs between panels: `block` neighbouring elements of each, `columns` blocks of a panel
// side by side, `depth` elements of an output.
template <class T>
void copy_outputs(const Aligned<T>& from, const std::vector<int32_t>& outputs, int64_t columns,
                  int64_t depth, int64_t block, Aligned<T>& to) {
  if (from.empty()) return;
  const int64_t panel = columns * depth, stride = columns * block;
  to.assign(static_cast<size_t>(filled_up(std::ssize(outputs), columns) * depth), T());
  for (int64_t o = 0; o < std::ssize(outputs); ++o) {
    const T* source = from.data() + outputs[o] / columns * panel + outputs[o] % columns * block;
    T* target = to.data() + o / columns * panel + o % columns * block;
    for (int64_t i = 0; i < depth / block; ++i)
      std::copy_n(source + i * stride, block, target + i * stride);
  }
}

template <class T>
void copy_numbers(const Aligned<T>& from, const std::vector<int32_t>& outputs, size_t filled,
                  Aligned<T>& to) {
  if (from.empty()) return;
  to.assign(filled, T());
  for (size_t o = 0; o < outputs.size(); ++o) to[o] = from[static_cast<size_t>(outputs[o])];
}

}  // namespace

PackedMatrix PackedMatrix::select(const std::vector<int32_t>& outputs) const {
  PackedMatrix part;
  part.set_ = set_;
  part.precision_ = precision_;
  part.view_ = view_;
  part.view_.outputs = std::ssize(outputs);
  const int64_t columns = set_->columns;
  const auto filled = static_cast<size_t>(filled_up(std::ssize(outputs), columns));
  copy_outputs(floats_, outputs, columns, view_.inputs, 1, part.floats_);
  copy_outputs(halves_, outputs, columns, view_.depth, 2, part.halves_);
  copy_outputs(bytes_, outputs, columns, view_.depth, 4, part.bytes_);
  copy_numbers(scales_, outputs, filled, part.scales_);
  copy_numbers(sums_, outputs, filled, part.sums_);
  copy_numbers(bias_, outputs, outputs.size(), part.bias_);
  return part;
}

void PackedMatrix::product(const float* x, int64_t rows, float* y) const {
  MatrixView view = view_;
  view.floats = floats_.data();
  view.halves = halves_.data();
  view.bytes = bytes_.data();
  view.scales = scales_.data();
  view.sums = sums_.data();
  view.bias = bias_.empty() ? nullptr : bias_.data();
  thread_local Aligned<uint16_t> halves;
  thread_local Aligned<uint8_t> bytes;
  thread_local AlignedFloats scales;
  const auto size = static_cast<size_t>(rows * view.depth);
  switch (precision_) {
    case Precision::kFloat:
      set_->product(x, rows, view.inputs, view, y, view.outputs);
      return;
    case Precision::kBFloat16:
      halves.resize(size);
      set_->round_bf16(x, rows, view.inputs, view.depth, halves.data());
      set_->product_bf16(halves.data(), rows, view, y, view.outputs);
      return;
    case Precision::kInt8: {
      bytes.resize(size);
      scales.resize(static_cast<size_t>(rows));
      const QuantizedRows quantized{bytes.data(), scales.data()};
      set_->quantize(x, rows, view.inputs, view.inputs, view.depth, quantized);
      set_->product_int8(quantized, rows, view, y, view.outputs);
      return;
    }
  }
}

}  // namespace heed
