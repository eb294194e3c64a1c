// A weight matrix in the layout of the kernels, packed once. Copies share its memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/kernels.h"

namespace heed {

// Elements of an output in a panel (MatrixView::depth).
int64_t packed_depth(Precision precision, int64_t inputs);

class PackedMatrix {
 public:
  PackedMatrix() = default;  // 0 x 0
  // weights [O,I], bias [O] or empty. kInt8 and kInt16 have a scale per output (Kernels::quantize,
  // quantize_int16).
  PackedMatrix(const Kernels& set, Precision precision, const float* weights, int64_t outputs,
               int64_t inputs, std::span<const float> bias = {});
  // The same for weights that are made panel by panel: rows(first, count) returns the contiguous
  // weights of the outputs [first, first + count). They are valid until the next call.
  using Rows = std::function<const float*(int64_t first, int64_t count)>;
  PackedMatrix(const Kernels& set, Precision precision, const Rows& rows, int64_t outputs,
               int64_t inputs, std::span<const float> bias);
  // Weights that are packed already, of the size and with the arrays of `packed` but its bias.
  // memory: holds the arrays.
  PackedMatrix(const Kernels& set, Precision precision, const MatrixView& packed,
               std::span<const float> bias, std::shared_ptr<const void> memory);

  // Matrices of equal inputs and precision as one, with this bias. memory: holds the weights of all
  // parts if they lie one behind the other in whole panels; nullptr: they are copied.
  static PackedMatrix joined(std::span<const PackedMatrix> parts, std::span<const float> bias,
                             std::shared_ptr<const void> memory);

  // The same weights with this bias.
  PackedMatrix with_bias(std::span<const float> bias) const;
  // A matrix of these outputs alone, in this order.
  PackedMatrix select(const std::vector<int32_t>& outputs) const;

  int64_t outputs() const { return view_.outputs; }  // O
  int64_t inputs() const { return view_.inputs; }    // I
  Precision precision() const { return precision_; }
  std::span<const float> bias() const {  // [O] or empty
    return view_.bias == nullptr ? std::span<const float>()
                                 : std::span(view_.bias, static_cast<size_t>(view_.outputs));
  }
  const MatrixView& view() const { return view_; }
  // y = x Wᵀ + b.  x [rows,I], y [rows,O], both contiguous
  void product(const float* x, int64_t rows, float* y) const;
  // Writes the weights [I] of an output, rounded as in products.
  void row(int64_t output, float* to) const;

  // The next two functions are for kFloat only.
  // Writes the weights [count,I], as they were given, of the first outputs of the panel that begins
  // with output `first`.
  void unpack(int64_t first, int64_t count, float* to) const;
  // Same values as product(), bit for bit, for one row and these panels. x [I], finite -> y
  // [panels, kPanelColumns]; 0 after the last output
  void product_of_panels(const float* x, std::span<const int32_t> panels, float* y) const;

 private:
  struct Arrays {
    AlignedFloats floats, scales, bias;
    Aligned<uint16_t> halves;
    Aligned<int8_t> bytes;
    Aligned<int16_t> shorts;
    Aligned<int32_t> sums;
    std::shared_ptr<const void> others;  // memory of arrays that are not here
  };

  // Calls pack(o, count, weights) for each panel, with the weights of the outputs [o, o + count).
  template <class Pack>
  void each_panel(const Rows& rows, const Pack& pack) const;
  void pack_floats(const Rows& rows, Arrays& to);
  void pack_halves(const Rows& rows, Arrays& to);
  void pack_bytes(const Rows& rows, Arrays& to);
  void pack_shorts(const Rows& rows, Arrays& to);
  // Copies what a matrix of these outputs has for each: their scales and sums, and their weights if
  // they are wanted.
  using Output = std::pair<const PackedMatrix*, int64_t>;  // of one of several matrices
  static Arrays copied(std::span<const Output> outputs, bool wants_weights);
  // Refers to the arrays that are not empty, and keeps all.
  void keep(Arrays&& arrays);

  const Kernels* set_ = nullptr;
  Precision precision_ = Precision::kFloat;
  MatrixView view_;
  std::shared_ptr<const Arrays> memory_;
};

}  // namespace heed
