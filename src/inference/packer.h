// Reads parameters of a model by name and packs matrices for the kernels.
#pragma once

#include <string>
#include <vector>

#include "inference/weights.h"
#include "kernels/aligned.h"
#include "kernels/packed_matrix.h"

namespace heed {

// Each function throws Error(kModel) if a parameter holds a value that is not a finite number: it
// would be lost in 8 bits.
class Packer {
 public:
  Packer(const Weights& weights, Precision precision, const Kernels& set)
      : weights_(weights), precision_(precision), set_(set) {}

  // With the shape of a vector, or flat.
  std::vector<float> vector(const std::string& name) const;
  AlignedFloats aligned(const std::string& name) const;  // the same
  // A matrix [O,I]; of more dims, the first ones together are the outputs.
  Array matrix(const std::string& name) const;
  PackedMatrix packed(const Array& matrix, const std::vector<float>& bias = {}) const;
  // Linear layers NAME.weight, NAME.bias if there is one, of the same input as one matrix; the first
  // is multiplied by `scale`.
  PackedMatrix linear(const std::vector<std::string>& layers, double scale = 1) const;

  Precision precision() const { return precision_; }

 private:
  Array read(const std::string& name) const;

  const Weights& weights_;
  Precision precision_;
  const Kernels& set_;
};

}  // namespace heed
