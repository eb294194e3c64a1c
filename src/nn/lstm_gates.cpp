#include "nn/lstm_gates.h"

#include "nn/torch.h"

#if defined(__x86_64__)
#define HEED_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define HEED_CLONES
#endif

namespace heed {

namespace {

HEED_CLONES void forward_cell(int64_t width, const float* act, const float* cell, float* new_cell) {
  const float *i = act, *f = act + width, *g = act + 2 * width;
  for (int64_t k = 0; k < width; ++k) new_cell[k] = f[k] * cell[k] + i[k] * g[k];
}

struct Row {
  const float *act, *cell, *tanh_cell, *grad_hidden, *grad_cell;
  float *grad_gates, *grad_cell_before;
};

HEED_CLONES void backward_row(int64_t width, const Row& row) {
  const float *i = row.act, *f = row.act + width, *g = row.act + 2 * width,
              *o = row.act + 3 * width;
  float *di = row.grad_gates, *df = di + width, *dg = di + 2 * width, *d_o = di + 3 * width;
  for (int64_t k = 0; k < width; ++k) {
    const float t = row.tanh_cell[k];
    const float dc = row.grad_cell[k] + row.grad_hidden[k] * o[k] * (1 - t * t);
    di[k] = dc * g[k] * i[k] * (1 - i[k]);
    df[k] = dc * row.cell[k] * f[k] * (1 - f[k]);
    dg[k] = dc * i[k] * (1 - g[k] * g[k]);
    d_o[k] = row.grad_hidden[k] * t * o[k] * (1 - o[k]);
    row.grad_cell_before[k] = dc * f[k];
  }
}

class LstmGates : public torch::autograd::Function<LstmGates> {
 public:
  static torch::autograd::tensor_list forward(torch::autograd::AutogradContext* context,
                                              const Tensor& gates, const Tensor& cell) {
    const int64_t rows = cell.size(0), width = cell.size(1);
    Tensor act = gates.contiguous().clone();  // [R,4W]
    act.narrow(1, 0, 2 * width).sigmoid_();
    act.narrow(1, 2 * width, width).tanh_();
    act.narrow(1, 3 * width, width).sigmoid_();
    const Tensor before = cell.contiguous();
    Tensor after = torch::empty_like(before);  // [R,W]
    for (int64_t r = 0; r < rows; ++r) {
      forward_cell(width, act.const_data_ptr<float>() + 4 * width * r,
                   before.const_data_ptr<float>() + width * r,
                   after.mutable_data_ptr<float>() + width * r);
    }
    Tensor tanh_cell = after.tanh();
    Tensor hidden = act.narrow(1, 3 * width, width) * tanh_cell;  // [R,W]
    context->save_for_backward({act, before, tanh_cell});
    return {hidden, after};
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list grads) {
    const auto saved = context->get_saved_variables();
    const Tensor &act = saved[0], &cell = saved[1], &tanh_cell = saved[2];
    const int64_t rows = cell.size(0), width = cell.size(1);
    const Tensor grad_hidden = grads[0].defined() ? grads[0].contiguous() : torch::zeros_like(cell);
    const Tensor grad_cell = grads[1].defined() ? grads[1].contiguous() : torch::zeros_like(cell);
    Tensor grad_gates = torch::empty_like(act), grad_before = torch::empty_like(cell);
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t at = width * r;
      backward_row(
          width,
          {act.const_data_ptr<float>() + 4 * at, cell.const_data_ptr<float>() + at,
           tanh_cell.const_data_ptr<float>() + at, grad_hidden.const_data_ptr<float>() + at,
           grad_cell.const_data_ptr<float>() + at, grad_gates.mutable_data_ptr<float>() + 4 * at,
           grad_before.mutable_data_ptr<float>() + at});
    }
    return {grad_gates, grad_before};
  }
};

}  // namespace

std::pair<Tensor, Tensor> lstm_gates_plain(const Tensor& gates, const Tensor& cell) {
  const auto part = gates.chunk(4, 1);
  const Tensor after = part[1].sigmoid() * cell + part[0].sigmoid() * part[2].tanh();
  return {part[3].sigmoid() * after.tanh(), after};
}

std::pair<Tensor, Tensor> lstm_gates(const Tensor& gates, const Tensor& cell) {
  if (!gates.device().is_cpu() || gates.scalar_type() != torch::kFloat)
    return lstm_gates_plain(gates, cell);
  auto result = LstmGates::apply(gates, cell);
  return {result[0], result[1]};
}

}  // namespace heed
