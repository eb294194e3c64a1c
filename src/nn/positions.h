// Position encodings, added to the embeddings.
#pragma once

#include "nn/module.h"
#include "nn/position_config.h"
#include "nn/tensor.h"

namespace heed {

class Positions final : public Module {
 public:
  // max_length: rows of a learned table; later positions use the last row.
  Positions(PositionKind kind, int64_t width, int64_t max_length,
            SinusoidLayout layout = SinusoidLayout::kInterleaved);
  // x [R,T,W] + the encodings of positions [R,T].
  Tensor add_to(const Tensor& x, const Tensor& positions);

 private:
  PositionKind kind_;
  SinusoidLayout sinusoid_layout_;
  Tensor table_;  // [P,W]; sinusoidal: grows as needed
};

std::shared_ptr<Positions> build(const PositionConfig& config, int64_t width);

// sin(p / 10000^(2i/W)) and cos of the same (Vaswani et al. 2017, section 3.5); positions
// 0 … count-1. kFairseq: p + 2, and W-2 in place of W; kOpennmtTf: p + 1, and the same;
// kMarian: p, and the same. [count,W]
Tensor sinusoids(int64_t count, int64_t width, const torch::TensorOptions& options,
                 SinusoidLayout layout = SinusoidLayout::kInterleaved);
// True if a table [count,W] has these numbers, which may have been rounded to 16 bits.
bool has_sinusoids(const Tensor& table, SinusoidLayout layout = SinusoidLayout::kInterleaved);

}  // namespace heed
