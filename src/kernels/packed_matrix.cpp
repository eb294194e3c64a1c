#include "kernels/packed_matrix.h"

#include <algorithm>

namespace heed {

namespace {

// Elements of an output that lie side by side in a panel: four bytes.
template <class T>
constexpr int64_t kBlock = 4 / sizeof(T);

}  // namespace

PackedMatrix::PackedMatrix(const Kernels& set, Precision precision, const float* weights,
                           int64_t outputs, int64_t inputs, const std::vector<float>& bias)
    : PackedMatrix(
          set, precision,
          [weights, inputs](int64_t first, int64_t) { return weights + first * inputs; }, outputs,
          inputs, bias) {}

PackedMatrix::PackedMatrix(const Kernels& set, Precision precision, const Rows& rows,
                           int64_t outputs, int64_t inputs, std::span<const float> bias)
    : set_(&set), precision_(precision), bias_(bias.begin(), bias.end()) {
  sizes_ = {.outputs = outputs, .inputs = inputs, .depth = inputs};
  switch (precision) {
    case Precision::kFloat:
      pack_floats(rows);
      break;
    case Precision::kBFloat16:
      pack_halves(rows);
      break;
    case Precision::kInt8:
      pack_bytes(rows);
      break;
    case Precision::kInt16:
      pack_shorts(rows);
      break;
  }
}

template <class Pack>
void PackedMatrix::each_panel(const Rows& rows, const Pack& pack) const {
  for (int64_t o = 0; o < sizes_.outputs; o += set_->columns) {
    const int64_t count = std::min(set_->columns, sizes_.outputs - o);
    pack(o, count, rows(o, count));
  }
}

void PackedMatrix::pack_floats(const Rows& rows) {
  const int64_t depth = sizes_.depth;
  floats_.resize(static_cast<size_t>(filled_up(sizes_.outputs, set_->columns) * depth));
  each_panel(rows, [&](int64_t o, int64_t count, const float* weights) {
    set_->pack_rows(weights, count, depth, floats_.data() + o * depth);
  });
}

void PackedMatrix::pack_halves(const Rows& rows) {
  const int64_t columns = set_->columns, inputs = sizes_.inputs,
                depth = filled_up(inputs, kBlock<uint16_t>);
  sizes_.depth = depth;
  halves_.resize(static_cast<size_t>(filled_up(sizes_.outputs, columns) * depth));
  std::vector<uint16_t> rounded(static_cast<size_t>(columns * depth));
  each_panel(rows, [&](int64_t o, int64_t count, const float* weights) {
    set_->round_bf16(weights, count, inputs, depth, rounded.data());
    set_->pack_rows(rounded.data(), count, depth / kBlock<uint16_t>, halves_.data() + o * depth);
  });
}

void PackedMatrix::pack_bytes(const Rows& rows) {
  const int64_t columns = set_->columns, inputs = sizes_.inputs,
                depth = filled_up(inputs, 2 * kBlock<int8_t>);  // some kernels take two at a time
  const auto outputs = static_cast<size_t>(filled_up(sizes_.outputs, columns));
  sizes_.depth = depth;
  bytes_.resize(outputs * static_cast<size_t>(depth));
  scales_.assign(outputs, 0.0F);
  sums_.assign(outputs, 0);
  std::vector<uint8_t> quantized(static_cast<size_t>(columns * depth));
  each_panel(rows, [&](int64_t o, int64_t count, const float* weights) {
    set_->quantize_weights(weights, count, inputs, inputs, depth,
                           {quantized.data(), scales_.data() + o});
    for (int64_t row = 0; row < count; ++row) {
      int32_t sum = 0;
      for (int64_t i = row * depth; i < (row + 1) * depth; ++i) {
        const int value = quantized[i] - 128;
        sum += value;
        quantized[i] = static_cast<uint8_t>(value);
      }
      sums_[o + row] = 128 * sum;
    }
    set_->pack_rows(quantized.data(), count, depth / kBlock<int8_t>, bytes_.data() + o * depth);
  });
}

void PackedMatrix::pack_shorts(const Rows& rows) {
  const int64_t columns = set_->columns, inputs = sizes_.inputs,
                depth = filled_up(inputs, kBlock<int16_t>);
  const auto outputs = static_cast<size_t>(filled_up(sizes_.outputs, columns));
  sizes_.depth = depth;
  shorts_.resize(outputs * static_cast<size_t>(depth));
  scales_.assign(outputs, 0.0F);
  std::vector<int16_t> rounded(static_cast<size_t>(columns * depth));
  each_panel(rows, [&](int64_t o, int64_t count, const float* weights) {
    set_->quantize_int16(weights, count, inputs, inputs, depth,
                         {rounded.data(), scales_.data() + o});
    set_->pack_rows(rounded.data(), count, depth / kBlock<int16_t>, shorts_.data() + o * depth);
  });
}

namespace {

// Copies outputs of `depth` elements from panels to panels.
template <class T>
void copy_outputs(const Aligned<T>& from, const std::vector<int32_t>& outputs, int64_t columns,
                  int64_t depth, Aligned<T>& to) {
  if (from.empty()) return;
  const int64_t panel = columns * depth, stride = columns * kBlock<T>;
  to.assign(static_cast<size_t>(filled_up(std::ssize(outputs), columns) * depth), T());
  for (int64_t o = 0; o < std::ssize(outputs); ++o) {
    const T* source = from.data() + outputs[o] / columns * panel + outputs[o] % columns * kBlock<T>;
    T* target = to.data() + o / columns * panel + o % columns * kBlock<T>;
    for (int64_t i = 0; i < depth / kBlock<T>; ++i)
      std::copy_n(source + i * stride, kBlock<T>, target + i * stride);
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
  part.sizes_ = sizes_;
  part.sizes_.outputs = std::ssize(outputs);
  const int64_t columns = set_->columns;
  const auto filled = static_cast<size_t>(filled_up(std::ssize(outputs), columns));
  copy_outputs(floats_, outputs, columns, sizes_.depth, part.floats_);
  copy_outputs(halves_, outputs, columns, sizes_.depth, part.halves_);
  copy_outputs(bytes_, outputs, columns, sizes_.depth, part.bytes_);
  copy_outputs(shorts_, outputs, columns, sizes_.depth, part.shorts_);
  copy_numbers(scales_, outputs, filled, part.scales_);
  copy_numbers(sums_, outputs, filled, part.sums_);
  copy_numbers(bias_, outputs, outputs.size(), part.bias_);
  return part;
}

MatrixView PackedMatrix::view() const {
  MatrixView view = sizes_;
  view.floats = floats_.data();
  view.halves = halves_.data();
  view.bytes = bytes_.data();
  view.shorts = shorts_.data();
  view.scales = scales_.data();
  view.sums = sums_.data();
  view.bias = bias_.empty() ? nullptr : bias_.data();
  return view;
}

void PackedMatrix::unpack(int64_t first, int64_t count, float* to) const {
  const int64_t columns = set_->columns, inputs = sizes_.inputs;
  const float* panel = floats_.data() + first * inputs;
  for (int64_t i = 0; i < inputs; ++i) {
    for (int64_t o = 0; o < count; ++o) to[o * inputs + i] = panel[i * columns + o];
  }
}

void PackedMatrix::product_of_panels(const float* x, std::span<const int32_t> panels,
                                     float* y) const {
  set_->product_of_panels(x, view(), panels.data(), std::ssize(panels), y);
}

void PackedMatrix::product(const float* x, int64_t rows, float* y) const {
  const MatrixView view = this->view();
  thread_local Aligned<uint16_t> halves;
  thread_local Aligned<uint8_t> bytes;
  thread_local Aligned<int16_t> shorts;
  thread_local AlignedFloats scales;
  const auto size = static_cast<size_t>(rows * view.depth);
  switch (precision_) {
    case Precision::kFloat:
      set_->product(x, rows, view.inputs, view, y, view.outputs);
      return;
    case Precision::kBFloat16:
      halves.resize(size);
      set_->round_bf16(x, rows, view.inputs, view.depth, halves.data());
      set_->product_bf16(halves.data(), rows, view.depth, view, y, view.outputs);
      return;
    case Precision::kInt8: {
      bytes.resize(size);
      scales.resize(static_cast<size_t>(rows));
      const QuantizedRows quantized{bytes.data(), scales.data()};
      set_->quantize(x, rows, view.inputs, view.inputs, view.depth, quantized);
      set_->product_int8(quantized, rows, view, y, view.outputs);
      return;
    }
    case Precision::kInt16: {
      shorts.resize(size);
      scales.resize(static_cast<size_t>(rows));
      const Int16Rows rounded{shorts.data(), scales.data()};
      set_->quantize_int16(x, rows, view.inputs, view.inputs, view.depth, rounded);
      set_->product_int16(rounded, rows, view, y, view.outputs);
      return;
    }
  }
}

}  // namespace heed
