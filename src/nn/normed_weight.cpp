#include "nn/normed_weight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "nn/torch.h"

#include "base/fast_paths.h"
#include "nn/int8_training.h"
#include "nn/parameter_gradient.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr float kSmallestNorm = 1e-12F;

// Σ a_i b_i in lanes, so that a compiler may compute them at once.
float sum_of_products(const float* a, const float* b, int64_t count) {
  constexpr int64_t kLanes = 16;
  std::array<float, kLanes> lanes{};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane)
      lanes[static_cast<size_t>(lane)] += a[i + lane] * b[i + lane];
  }
  return std::inner_product(a + i, a + count, b + i,
                            std::accumulate(lanes.begin(), lanes.end(), 0.0F));
}

// function(row, space for a row)
template <class Function>
void for_rows(const Tensor& v, const Function& function) {
  const int64_t width = v[0].numel();
  at::parallel_for(0, v.size(0), std::max<int64_t>(1, 32768 / width),
                   [&](int64_t begin, int64_t end) {
                     std::vector<float> space(static_cast<size_t>(width));
                     for (int64_t row = begin; row < end; ++row) function(row, space);
                   });
}

// x [I,K] -> [K,I]
void transpose(const float* x, int64_t rows, int64_t columns, float* to) {
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column)
      to[column * rows + row] = x[row * columns + column];
  }
}

// g v / |v| of v [O,I] or [O,I,K] -> [O,I] or [O,K I], and its gradient in one pass over each row. Own
// code because the operations of libtorch pass over the weight ten times, which takes as long as the
// products of a small batch.
class NormedRows : public torch::autograd::Function<NormedRows> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& v, const Tensor& gain) {
    const int64_t width = v[0].numel(), taps = v.dim() == 3 ? v.size(2) : 1;
    Tensor norms = torch::empty_like(gain), w = torch::empty({v.size(0), width}, v.options());
    const float *from = v.const_data_ptr<float>(), *gains = gain.const_data_ptr<float>();
    float *to = w.mutable_data_ptr<float>(), *norm = norms.mutable_data_ptr<float>();
    for_rows(v, [=](int64_t row, std::vector<float>& scaled) {
      const float* x = from + row * width;
      norm[row] = std::max(kSmallestNorm, std::sqrt(sum_of_products(x, x, width)));
      const float scale = gains[row] / norm[row];
      float* y = taps == 1 ? to + row * width : scaled.data();
      for (int64_t i = 0; i < width; ++i) y[i] = scale * x[i];
      if (taps > 1) transpose(y, width / taps, taps, to + row * width);
    });
    context->save_for_backward({v, gain, norms});
    return w;
  }

  // ∂L/∂g = D·v/|v|; ∂L/∂v = g/|v| (D - v (D·v)/|v|²), with D = ∂L/∂w (Salimans and Kingma 2016,
  // equation 3).
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &v = saved[0], &gain = saved[1], &norms = saved[2];
    const int64_t width = v[0].numel(), taps = v.dim() == 3 ? v.size(2) : 1;
    const Tensor by_w = gradients[0].contiguous();
    Tensor by_gain = torch::empty_like(gain), sum = gradient_in_place(v), by_v;
    if (!sum.defined()) sum = by_v = torch::zeros_like(v);
    const float *from = v.const_data_ptr<float>(), *by = by_w.const_data_ptr<float>();
    const float *gains = gain.const_data_ptr<float>(), *norm = norms.const_data_ptr<float>();
    float *to = sum.mutable_data_ptr<float>(), *to_gain = by_gain.mutable_data_ptr<float>();
    for_rows(v, [=](int64_t row, std::vector<float>& turned) {
      const float *x = from + row * width, *d = by + row * width;
      if (taps > 1) {
        transpose(d, taps, width / taps, turned.data());
        d = turned.data();
      }
      to_gain[row] = sum_of_products(d, x, width) / norm[row];
      const float scale = gains[row] / norm[row];
      const float back = norm[row] > kSmallestNorm ? scale * to_gain[row] / norm[row] : 0;
      float* y = to + row * width;
      for (int64_t i = 0; i < width; ++i) y[i] += scale * d[i] - back * x[i];
    });
    return {by_v, by_gain};
  }
};

// g x / |x| of rows x [O,I].
Tensor scaled_rows(const Tensor& x, const Tensor& gain) {
  return x * (gain / x.norm(2, 1).clamp_min(kSmallestNorm)).unsqueeze(1);
}

bool has_kernel(const Tensor& v) {
  return fast_paths() && v.device().is_cpu() && v.scalar_type() == torch::kFloat &&
         v.is_contiguous();
}

}  // namespace

NormedWeight::NormedWeight(Module& owner, c10::IntArrayRef shape, std::optional<double> norm,
                           const Init& init)
    : v_(owner.add_parameter(norm ? "v" : "weight", shape, init)) {
  if (norm) gain_ = owner.add_parameter("gain", {shape[0]}, Init::all(*norm));
}

Tensor NormedWeight::get() const {
  const Tensor w = frozen_.defined() ? frozen_ : computed();
  if (!gain_.defined() || !in_int8(w)) return w;
  return scaled_rows(rounded_to_int8(w), gain_.abs());  // w has the signs of g
}

Tensor NormedWeight::computed() const {
  if (gain_.defined() && has_kernel(v_)) return NormedRows::apply(v_, gain_);
  const Tensor rows = v_.dim() == 3 ? v_.transpose(1, 2).flatten(1) : v_;
  return gain_.defined() ? scaled_rows(rows, gain_) : rows;
}

void NormedWeight::freeze() {
  const torch::NoGradGuard no_grad;
  if (gain_.defined()) frozen_ = computed();
}

}  // namespace heed
