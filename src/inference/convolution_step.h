// The block of a convolutional model (nn/gated_convolution.h): GLU of a convolution, with weight norm.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/encoder_shape.h"
#include "inference/packer.h"
#include "kernels/aligned.h"

namespace heed {

// Copies the inputs of a position, row k of `rows` [K,·], to its window [W,K]. A null row is 0.
void copy_window(const std::vector<const float*>& rows, int64_t width, float* window);

class ConvolutionStep {
 public:
  // Buffers for intermediate results.
  struct Workspace {
    AlignedFloats windows;  // [rows,W,K], the input
    AlignedFloats both, gates;
  };

  // name: of its parameters
  ConvolutionStep(const std::string& name, const Packer& packer, const Kernels& set)
      : weight_(packer.normed(name)), set_(set) {}
  // GLU(conv(x)) of the windows -> y [rows,W]
  void apply(int64_t rows, Workspace& room, float* y) const;

 private:
  PackedMatrix weight_;  // [2W,W·K]
  const Kernels& set_;
};

// x = (y + x) √½.  [count]
void add_residual(const float* y, int64_t count, float* x);

}  // namespace heed
