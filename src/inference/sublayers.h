// Parts of the layers of a Transformer, over contiguous rows [rows,W].
#pragma once

#include <cstdint>
#include <string>

#include "inference/packer.h"
#include "inference/transformer_shape.h"
#include "kernels/aligned.h"

namespace heed {

// Buffers for intermediate results.
struct Workspace {
  AlignedFloats normed, result, projected, queries, context, inner, gate, scores, keys;
  AlignedFloats bias, scores_by_distance, weights_by_distance;  // of self-attention with positions
};

// Layer normalization or RMSNorm.
struct NormStep {
  NormStep() = default;  // none: leaves x as it is
  NormStep(const std::string& name, NormType type, const Packer& packer);
  // y may be x, and is without a norm.
  void operator()(const float* x, int64_t rows, float* y, const Kernels& set) const;

  AlignedFloats gain{};  // [W]
  AlignedFloats bias{};  // [W]; empty: RMSNorm
};

// pre: x + f(norm(x)); otherwise norm(x ∘ factor + f(x)).
class ResidualStep {
 public:
  // Names of its parameters. omega: read with norm: admin
  ResidualStep(const std::string& norm, const std::string& omega, const StackShape& stack,
               const Packer& packer);

  // Applies a sublayer with its residual connection to x, in place. inner(x, y): y = f(x)
  template <class Inner>
  void around(AlignedFloats& x, int64_t rows, const Kernels& set, Workspace& room,
              const Inner& inner) const {
    const auto width = static_cast<int64_t>(norm_.gain.size());
    room.result.resize(static_cast<size_t>(rows * width));
    const float* input = x.data();
    if (!post_) {
      room.normed.resize(static_cast<size_t>(rows * width));
      norm_(x.data(), rows, room.normed.data(), set);
      input = room.normed.data();
    }
    inner(input, room.result.data());
    if (!factor_.empty()) scale(x, rows);
    set.add(room.result.data(), rows * width, x.data());
    if (post_) norm_(x.data(), rows, x.data(), set);
  }

 private:
  void scale(AlignedFloats& x, int64_t rows) const;

  NormStep norm_;
  bool post_;
  AlignedFloats factor_;  // α or ω [W]; empty: 1
};

// The position-wise feed-forward layer without its residual connection.
class FeedForwardStep {
 public:
  FeedForwardStep(Activation activation, const std::string& inner, const std::string& gate,
                  const std::string& outer, const Packer& packer);
  void operator()(const float* x, int64_t rows, float* y, const Kernels& set,
                  Workspace& room) const;

 private:
  Activation activation_;
  PackedMatrix inner_, gate_, outer_;
};

}  // namespace heed
