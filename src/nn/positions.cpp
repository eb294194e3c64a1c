#include "nn/positions.h"

#include <algorithm>
#include <cmath>

#include "nn/torch.h"

namespace heed {

namespace {

// [..] -> [..,W] in double precision, where the positions are.
Tensor sinusoids_at(const Tensor& positions, int64_t width, SinusoidLayout layout) {
  if (layout == SinusoidLayout::kFairseq && width % 2 != 0)  // the last number is 0
    return torch::constant_pad_nd(sinusoids_at(positions, width - 1, layout), {0, 1});
  const auto exact = torch::TensorOptions().dtype(torch::kDouble).device(positions.device());
  const int64_t first = first_position(layout), period = sinusoid_period(layout, width);
  const Tensor rate = torch::exp(torch::arange(0, width, 2, exact) *
                                 (-std::log(10000.0) / static_cast<double>(period)));
  const Tensor angle = (positions + first).to(torch::kDouble).unsqueeze(-1) * rate;  // [..,⌈W/2⌉]
  if (layout != SinusoidLayout::kInterleaved)
    return torch::cat({angle.sin(), angle.cos()}, -1).narrow(-1, 0, width);
  return torch::stack({angle.sin(), angle.cos()}, -1).flatten(-2).narrow(-1, 0, width);
}

}  // namespace

Tensor sinusoids(int64_t count, int64_t width, const torch::TensorOptions& options,
                 SinusoidLayout layout) {
  return sinusoids_at(torch::arange(count, torch::kLong), width, layout).to(options);  // [P,W]
}

bool has_sinusoids(const Tensor& table, SinusoidLayout layout) {
  constexpr double kRounding = 5e-3;
  const Tensor exact = sinusoids(table.size(0), table.size(1), torch::kFloat, layout);
  return table.to(torch::kFloat).allclose(exact, 0, kRounding);
}

std::shared_ptr<Positions> build(const PositionConfig& config, int64_t width) {
  return std::make_shared<Positions>(config.kind, width, config.max_length(), config.layout);
}

Positions::Positions(PositionKind kind, int64_t width, int64_t max_length, SinusoidLayout layout)
    : kind_(kind), sinusoid_layout_(layout) {
  if (kind == PositionKind::kLearned)
    table_ = add_parameter("table", {max_length, width}, Init::embedding());
  if (kind == PositionKind::kSinusoidal)
    table_ = sinusoids(max_length, width, torch::kDouble, layout);
}

Tensor Positions::add_to(const Tensor& x, const Tensor& positions) {
  if (kind_ == PositionKind::kNone) return x;
  if (kind_ == PositionKind::kLearned)
    return x + torch::embedding(table_, positions.clamp_max(table_.size(0) - 1));
  // A GPU computes them sooner than it could be asked how many there are.
  if (!x.device().is_cpu())
    return x + sinusoids_at(positions, x.size(2), sinusoid_layout_).to(x.scalar_type());  // [R,T,W]
  const int64_t needed = positions.max().item<int64_t>() + 1;
  Tensor table = table_;
  if (needed > table.size(0))
    table = sinusoids(needed, x.size(2), torch::kDouble, sinusoid_layout_);
  return x + torch::embedding(table, positions).to(x.scalar_type());  // [R,T,W]
}

}  // namespace heed
