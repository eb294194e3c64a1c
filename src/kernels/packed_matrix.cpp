#include "kernels/packed_matrix.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heed {

namespace {

// Elements of an output that lie side by side in a panel: four bytes.
template <class T>
constexpr int64_t kBlock = 4 / sizeof(T);

size_t filled_outputs(int64_t outputs) {
  return static_cast<size_t>(filled_up(outputs, kPanelColumns));
}

// Filled up to whole panels with zeros; empty if there is none.
AlignedFloats filled_bias(std::span<const float> bias, int64_t outputs) {
  AlignedFloats filled;
  if (bias.empty()) return filled;
  filled.assign(filled_outputs(outputs), 0.0F);
  std::ranges::copy(bias, filled.begin());
  return filled;
}

}  // namespace

int64_t packed_depth(Precision precision, int64_t inputs) {
  switch (precision) {
    case Precision::kFloat:
      return inputs;
    case Precision::kInt8:
      return filled_up(inputs, 2 * kBlock<int8_t>);  // some kernels take two at a time
    case Precision::kBFloat16:
    case Precision::kInt16:
      return filled_up(inputs, kBlock<uint16_t>);
  }
  return inputs;
}

PackedMatrix::PackedMatrix(const Kernels& set, Precision precision, const float* weights,
                           int64_t outputs, int64_t inputs, std::span<const float> bias)
    : PackedMatrix(
          set, precision,
          [weights, inputs](int64_t first, int64_t) { return weights + first * inputs; }, outputs,
          inputs, bias) {}

PackedMatrix::PackedMatrix(const Kernels& set, Precision precision, const Rows& rows,
                           int64_t outputs, int64_t inputs, std::span<const float> bias)
    : set_(&set), precision_(precision) {
  view_ = {.outputs = outputs, .inputs = inputs, .depth = packed_depth(precision, inputs)};
  Arrays arrays;
  arrays.bias = filled_bias(bias, outputs);
  switch (precision) {
    case Precision::kFloat:
      pack_floats(rows, arrays);
      break;
    case Precision::kBFloat16:
      pack_halves(rows, arrays);
      break;
    case Precision::kInt8:
      pack_bytes(rows, arrays);
      break;
    case Precision::kInt16:
      pack_shorts(rows, arrays);
      break;
  }
  keep(std::move(arrays));
}

PackedMatrix::PackedMatrix(const Kernels& set, Precision precision, const MatrixView& packed,
                           std::span<const float> bias, std::shared_ptr<const void> memory)
    : set_(&set), precision_(precision), view_(packed) {
  Arrays arrays;
  arrays.bias = filled_bias(bias, packed.outputs);
  arrays.others = std::move(memory);
  keep(std::move(arrays));
}

void PackedMatrix::keep(Arrays&& arrays) {
  auto kept = std::make_shared<const Arrays>(std::move(arrays));
  const auto refer = [](auto& pointer, const auto& array) {
    if (!array.empty()) pointer = array.data();
  };
  refer(view_.floats, kept->floats);
  refer(view_.halves, kept->halves);
  refer(view_.bytes, kept->bytes);
  refer(view_.shorts, kept->shorts);
  refer(view_.scales, kept->scales);
  refer(view_.sums, kept->sums);
  view_.bias = kept->bias.empty() ? nullptr : kept->bias.data();
  memory_ = std::move(kept);
}

template <class Pack>
void PackedMatrix::each_panel(const Rows& rows, const Pack& pack) const {
  for (int64_t o = 0; o < view_.outputs; o += kPanelColumns) {
    const int64_t count = std::min(kPanelColumns, view_.outputs - o);
    pack(o, count, rows(o, count));
  }
}

void PackedMatrix::pack_floats(const Rows& rows, Arrays& to) {
  const int64_t depth = view_.depth;
  to.floats.resize(filled_outputs(view_.outputs) * static_cast<size_t>(depth));
  each_panel(rows, [&](int64_t o, int64_t count, const float* weights) {
    set_->pack_rows(weights, count, depth, to.floats.data() + o * depth);
  });
}

void PackedMatrix::pack_halves(const Rows& rows, Arrays& to) {
  const int64_t inputs = view_.inputs, depth = view_.depth;
  to.halves.resize(filled_outputs(view_.outputs) * static_cast<size_t>(depth));
  std::vector<uint16_t> rounded(static_cast<size_t>(kPanelColumns * depth));
  each_panel(rows, [&](int64_t o, int64_t count, const float* weights) {
    set_->round_bf16(weights, count, inputs, depth, rounded.data());
    set_->pack_rows(rounded.data(), count, depth / kBlock<uint16_t>, to.halves.data() + o * depth);
  });
}

void PackedMatrix::pack_bytes(const Rows& rows, Arrays& to) {
  const int64_t inputs = view_.inputs, depth = view_.depth;
  const size_t outputs = filled_outputs(view_.outputs);
  to.bytes.resize(outputs * static_cast<size_t>(depth));
  to.scales.assign(outputs, 0.0F);
  to.sums.assign(outputs, 0);
  std::vector<uint8_t> quantized(static_cast<size_t>(kPanelColumns * depth));
  each_panel(rows, [&](int64_t o, int64_t count, const float* weights) {
    set_->quantize(weights, count, inputs, inputs, depth, {quantized.data(), to.scales.data() + o});
    for (int64_t row = 0; row < count; ++row) {
      int32_t sum = 0;
      for (int64_t i = row * depth; i < (row + 1) * depth; ++i) {
        const int value = quantized[i] - 128;
        sum += value;
        quantized[i] = static_cast<uint8_t>(value);
      }
      to.sums[o + row] = 128 * sum;
    }
    set_->pack_rows(quantized.data(), count, depth / kBlock<int8_t>, to.bytes.data() + o * depth);
  });
}

void PackedMatrix::pack_shorts(const Rows& rows, Arrays& to) {
  const int64_t inputs = view_.inputs, depth = view_.depth;
  const size_t outputs = filled_outputs(view_.outputs);
  to.shorts.resize(outputs * static_cast<size_t>(depth));
  to.scales.assign(outputs, 0.0F);
  std::vector<int16_t> rounded(static_cast<size_t>(kPanelColumns * depth));
  each_panel(rows, [&](int64_t o, int64_t count, const float* weights) {
    set_->quantize_int16(weights, count, inputs, inputs, depth,
                         {rounded.data(), to.scales.data() + o});
    set_->pack_rows(rounded.data(), count, depth / kBlock<int16_t>, to.shorts.data() + o * depth);
  });
}

namespace {

// The four bytes of an output, in elements, for each step of its panel.
template <class T>
struct OutputBlocks {
  static constexpr int64_t kStride = kPanelColumns * kBlock<T>;
  static int64_t begin(int64_t output, int64_t depth) {
    return output / kPanelColumns * kPanelColumns * depth + output % kPanelColumns * kBlock<T>;
  }
};

using Outputs = std::span<const std::pair<const PackedMatrix*, int64_t>>;

// Copies outputs from panels to panels.
template <class T>
void copy_outputs(const T* MatrixView::*panels, Outputs outputs, Aligned<T>& to) {
  if (outputs.empty() || outputs[0].first->view().*panels == nullptr) return;
  using Blocks = OutputBlocks<T>;
  const int64_t depth = outputs[0].first->view().depth;
  to.assign(filled_outputs(std::ssize(outputs)) * static_cast<size_t>(depth), T());
  for (int64_t o = 0; o < std::ssize(outputs); ++o) {
    const auto& [matrix, output] = outputs[o];
    const T* source = matrix->view().*panels + Blocks::begin(output, depth);
    T* target = to.data() + Blocks::begin(o, depth);
    for (int64_t i = 0; i < depth / kBlock<T>; ++i)
      std::copy_n(source + i * Blocks::kStride, kBlock<T>, target + i * Blocks::kStride);
  }
}

// Copies a number of each output.
template <class T>
void copy_numbers(const T* MatrixView::*numbers, Outputs outputs, Aligned<T>& to) {
  if (outputs.empty() || outputs[0].first->view().*numbers == nullptr) return;
  to.assign(filled_outputs(std::ssize(outputs)), T());
  for (size_t o = 0; o < outputs.size(); ++o) {
    const auto& [matrix, output] = outputs[o];
    to[o] = (matrix->view().*numbers)[output];
  }
}

}  // namespace

PackedMatrix::Arrays PackedMatrix::copied(std::span<const Output> outputs, bool wants_weights) {
  Arrays arrays;
  copy_numbers(&MatrixView::scales, outputs, arrays.scales);
  copy_numbers(&MatrixView::sums, outputs, arrays.sums);
  if (!wants_weights) return arrays;
  copy_outputs(&MatrixView::floats, outputs, arrays.floats);
  copy_outputs(&MatrixView::halves, outputs, arrays.halves);
  copy_outputs(&MatrixView::bytes, outputs, arrays.bytes);
  copy_outputs(&MatrixView::shorts, outputs, arrays.shorts);
  return arrays;
}

PackedMatrix PackedMatrix::select(const std::vector<int32_t>& outputs) const {
  std::vector<Output> selected;
  for (const int32_t output : outputs) selected.emplace_back(this, output);
  Arrays arrays = copied(selected, true);
  copy_numbers(&MatrixView::bias, selected, arrays.bias);
  PackedMatrix part;
  part.set_ = set_;
  part.precision_ = precision_;
  part.view_ = {.outputs = std::ssize(outputs), .inputs = view_.inputs, .depth = view_.depth};
  part.keep(std::move(arrays));
  return part;
}

PackedMatrix PackedMatrix::joined(std::span<const PackedMatrix> parts, std::span<const float> bias,
                                  std::shared_ptr<const void> memory) {
  std::vector<Output> outputs;
  for (const PackedMatrix& part : parts) {
    for (int64_t o = 0; o < part.outputs(); ++o) outputs.emplace_back(&part, o);
  }
  Arrays arrays = copied(outputs, memory == nullptr);
  arrays.bias = filled_bias(bias, std::ssize(outputs));
  arrays.others = std::move(memory);
  PackedMatrix all = parts[0];
  all.view_.outputs = std::ssize(outputs);
  all.keep(std::move(arrays));
  return all;
}

PackedMatrix PackedMatrix::with_bias(std::span<const float> bias) const {
  return {*set_, precision_, view_, bias, memory_};
}

namespace {

// Writes value(element) of each element of an output.
template <class T, class Value>
void write_row(const T* panels, int64_t output, const MatrixView& view, float* to,
               const Value& value) {
  using Blocks = OutputBlocks<T>;
  const T* from = panels + Blocks::begin(output, view.depth);
  for (int64_t i = 0; i < view.inputs; ++i)
    to[i] = value(from[i / kBlock<T> * Blocks::kStride + i % kBlock<T>]);
}

}  // namespace

void PackedMatrix::row(int64_t output, float* to) const {
  switch (precision_) {
    case Precision::kFloat:
      return write_row(view_.floats, output, view_, to, [](float value) { return value; });
    case Precision::kBFloat16:
      return write_row(view_.halves, output, view_, to, [](uint16_t half) {
        return std::bit_cast<float>(static_cast<uint32_t>(half) << 16);
      });
    case Precision::kInt8:
      return write_row(view_.bytes, output, view_, to, [scale = view_.scales[output]](int8_t byte) {
        return static_cast<float>(byte) * scale;
      });
    case Precision::kInt16:
      return write_row(view_.shorts, output, view_, to,
                       [scale = view_.scales[output]](int16_t value) {
                         return static_cast<float>(value) * scale;
                       });
  }
}

void PackedMatrix::unpack(int64_t first, int64_t count, float* to) const {
  const int64_t columns = kPanelColumns, inputs = view_.inputs;
  const float* panel = view_.floats + first * inputs;
  for (int64_t i = 0; i < inputs; ++i) {
    for (int64_t o = 0; o < count; ++o) to[o * inputs + i] = panel[i * columns + o];
  }
}

void PackedMatrix::product_of_panels(const float* x, std::span<const int32_t> panels,
                                     float* y) const {
  set_->product_of_panels(x, view_, panels.data(), std::ssize(panels), y);
}

void PackedMatrix::product(const float* x, int64_t rows, float* y) const {
  const MatrixView& view = view_;
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
