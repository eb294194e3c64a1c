// Replacements of a decoder's self-attention with a state of constant size
// (nn/attention/light.cpp), over contiguous rows [rows,W].
#pragma once

#include <cstdint>
#include <vector>

#include "inference/sublayers.h"
#include "model/parameter_names_spec.h"

namespace heed {

// Simpler simple recurrent unit (Kim et al. 2019). Its state is the cell.
class SsruStep {
 public:
  SsruStep(const names::LightAttentionNames& name, const Packer& packer)
      : forget_and_input_(packer.linear({name.forget, name.input})) {}
  // Advances the cells [rows,W].
  void operator()(const float* x, int64_t rows, float* cells, float* y, const Kernels& set,
                  Workspace& room) const;

 private:
  PackedMatrix forget_and_input_;  // [2·W,W]
};

// Average attention network (Zhang et al. 2018). Its state is the sum of the inputs.
class AverageStep {
 public:
  AverageStep(const names::LightAttentionNames& name, const Packer& packer)
      : feed_forward_(Activation::kRelu, name.inner, "", name.outer, packer),
        gates_(packer.linear({name.gates})) {}
  // Adds x to the sums [rows,W]. positions: of the tokens
  void operator()(const float* x, const std::vector<int64_t>& positions, float* sums, float* y,
                  const Kernels& set, Workspace& room) const;

 private:
  FeedForwardStep feed_forward_;
  PackedMatrix gates_;  // [2·W,2·W]
};

}  // namespace heed
