// A weight matrix in the layout of the kernels, packed once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/kernels.h"

namespace heed {

class PackedMatrix {
 public:
  PackedMatrix() = default;  // 0 x 0
  // weights [O,I], bias [O] or empty. kInt8 and kInt16 have a scale per output
  // (Kernels::quantize_weights, quantize_int16).
  PackedMatrix(const Kernels& set, Precision precision, const float* weights, int64_t outputs,
               int64_t inputs, const std::vector<float>& bias = {});
  // The same for weights that are made panel by panel: rows(first, count) returns the contiguous
  // weights of the outputs [first, first + count). They are valid until the next call.
  using Rows = std::function<const float*(int64_t first, int64_t count)>;
  PackedMatrix(const Kernels& set, Precision precision, const Rows& rows, int64_t outputs,
               int64_t inputs, std::span<const float> bias);

  // A matrix of these outputs alone, in this order.
  PackedMatrix select(const std::vector<int32_t>& outputs) const;

  int64_t outputs() const { return sizes_.outputs; }  // O
  int64_t inputs() const { return sizes_.inputs; }    // I
  Precision precision() const { return precision_; }
  std::span<const float> bias() const { return bias_; }  // [O] or empty
  // y = x Wᵀ + b.  x [rows,I], y [rows,O], both contiguous
  void product(const float* x, int64_t rows, float* y) const;

  // The next two functions are for kFloat only.
  // Writes the weights [count,I], as they were given, of the first outputs of the panel that begins
  // with output `first`.
  void unpack(int64_t first, int64_t count, float* to) const;
  // Same values as product(), bit for bit, for one row and these panels. x [I], finite -> y
  // [panels, columns]; 0 after the last output
  void product_of_panels(const float* x, std::span<const int32_t> panels, float* y) const;

 private:
  // Calls pack(o, count, weights) for each panel, with the weights of the outputs [o, o + count).
  template <class Pack>
  void each_panel(const Rows& rows, const Pack& pack) const;
  void pack_floats(const Rows& rows);
  void pack_halves(const Rows& rows);
  void pack_bytes(const Rows& rows);
  void pack_shorts(const Rows& rows);
  MatrixView view() const;

  const Kernels* set_ = nullptr;
  Precision precision_ = Precision::kFloat;
  AlignedFloats floats_, scales_, bias_;
  Aligned<uint16_t> halves_;
  Aligned<int8_t> bytes_;
  Aligned<int16_t> shorts_;
  Aligned<int32_t> sums_;
  MatrixView sizes_;  // without its arrays, which view() adds
};

}  // namespace heed
