// Settings of lightweight and dynamic convolution in place of self-attention (convolution.cpp).
#pragma once

#include <optional>

#include "nn/attention/attention_config.h"

namespace heed {

struct ConvolutionConfig : AttentionConfig {
  int64_t kernel = 7;  // K
  std::optional<int64_t>
      heads;  // that share a kernel; default: 8 inside a Transformer block, else 1
  bool gated_input = true;
  double dropout = 0;
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t context_width(const AttentionDims& dims) const override { return dims.query; }
  int64_t weight_heads(const AttentionDims&) const override { return 0; }
  int64_t head_count(const AttentionDims& dims) const;
  // True if the kernel of a position is computed from its input.
  virtual bool is_dynamic() const = 0;
};

}  // namespace heed
