// A weight matrix in the layout of the kernels, packed once.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/kernels.h"

namespace heed {

class PackedMatrix {
 public:
  PackedMatrix() = default;  // 0 x 0
  // weights [O,I], bias [O] or empty. kInt8: a scale per output, its largest magnitude becomes 127.
  PackedMatrix(const Kernels& set, Precision precision, const float* weights, int64_t outputs,
               int64_t inputs, const std::vector<float>& bias = {});

  // These outputs alone, in this order.
  PackedMatrix select(const std::vector<int32_t>& outputs) const;

  int64_t outputs() const { return view_.outputs; }  // O
  int64_t inputs() const { return view_.inputs; }    // I
  // y = x Wᵀ + b.  x [rows,I], y [rows,O], both contiguous
  void product(const float* x, int64_t rows, float* y) const;

 private:
  void pack_floats(const float* weights);
  void pack_halves(const float* weights);
  void pack_bytes(const float* weights);

  const Kernels* set_ = nullptr;
  Precision precision_ = Precision::kFloat;
  AlignedFloats floats_, scales_, bias_;
  Aligned<uint16_t> halves_;
  Aligned<int8_t> bytes_;
  Aligned<int32_t> sums_;
  MatrixView view_;
};

}  // namespace heed
