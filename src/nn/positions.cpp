#include "nn/positions.h"

#include <cmath>

#include "nn/torch.h"

#include "config/fields.h"

namespace heed {

const Words<PositionKind>& position_words() {
  static const Words<PositionKind> words = {{"sinusoidal", PositionKind::kSinusoidal},
                                            {"learned", PositionKind::kLearned},
                                            {"none", PositionKind::kNone}};
  return words;
}

Tensor sinusoids(int64_t count, int64_t width, const torch::TensorOptions& options) {
  const auto exact = torch::TensorOptions().dtype(torch::kDouble);
  const Tensor position = torch::arange(count, exact).unsqueeze(1);  // [P,1]
  const Tensor rate = torch::exp(torch::arange(0, width, 2, exact) *
                                 (-std::log(10000.0) / static_cast<double>(width)));
  const Tensor angle = position * rate;  // [P,⌈W/2⌉]
  return torch::stack({angle.sin(), angle.cos()}, 2)
      .flatten(1)
      .narrow(1, 0, width)
      .to(options);  // [P,W]
}

void PositionSettings::position_fields(Fields& f) {
  f.choice("positions", positions, position_words(), "position embeddings");
  f.field("max_positions", max_positions, kPositive,
          "learned: number of position embeddings; later positions share the last one");
}

Positions::Positions(PositionKind kind, int64_t width, int64_t max_length) : kind_(kind) {
  if (kind == PositionKind::kLearned)
    table_ = register_parameter("table", torch::empty({max_length, width}));
  if (kind == PositionKind::kSinusoidal) table_ = sinusoids(max_length, width, torch::kDouble);
}

Tensor Positions::add_to(const Tensor& x, const Tensor& positions) {
  if (kind_ == PositionKind::kNone) return x;
  if (kind_ == PositionKind::kLearned)
    return x + torch::embedding(table_, positions.clamp_max(table_.size(0) - 1));
  const int64_t needed = positions.max().item<int64_t>() + 1;
  Tensor table = table_;
  if (needed > table.size(0)) table = sinusoids(needed, x.size(2), torch::kDouble);
  return x + torch::embedding(table.to(x.device()), positions).to(x.scalar_type());  // [R,T,W]
}

}  // namespace heed
