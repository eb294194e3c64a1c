#include "nn/random_matrices.h"

#include <algorithm>

#include "nn/torch.h"

namespace heed {

Tensor draw_normal(c10::IntArrayRef shape, double deviation, RandomStream& stream) {
  Tensor values = torch::empty(shape, torch::kDouble);
  double* out = values.mutable_data_ptr<double>();
  for (int64_t i = 0; i < values.numel(); ++i) out[i] = deviation * stream.normal();
  return values;
}

Tensor draw_orthogonal(int64_t rows, int64_t columns, RandomStream& stream) {
  const Tensor normal = draw_normal({std::max(rows, columns), std::min(rows, columns)}, 1, stream);
  auto [q, r] = torch::linalg_qr(normal);
  q = q * r.diagonal().sign().unsqueeze(0);
  return rows >= columns ? q : q.t().contiguous();
}

}  // namespace heed
