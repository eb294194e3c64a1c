#include "nn/lstm_gates.h"

#include "nn/torch.h"

#include "base/error.h"
#include "kernels/kernels.h"
#include "nn/kernel_path.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

LstmCellView view_of(const Tensor& gates, const Tensor& before, const Tensor& after) {
  return {.rows = before.size(0),
          .width = before.size(1),
          .parts = {},
          .before = before.const_data_ptr<float>(),
          .gates = gates.data_ptr<float>(),
          .after = after.data_ptr<float>()};
}

const float* data_of(const Tensor& x) { return x.defined() ? x.const_data_ptr<float>() : nullptr; }

class LstmGates : public torch::autograd::Function<LstmGates> {
 public:
  // known.x is the last of the parts, if it is given.
  static tensor_list forward(AutogradContext* context, const Tensor& cell, at::TensorList parts,
                             const KnownStep& known) {
    const auto options = cell.options().requires_grad(false);
    const Tensor before = cell.contiguous();
    const Tensor gates = torch::empty({cell.size(0), 4 * cell.size(1)}, options);
    const Tensor after = torch::empty(cell.sizes(), options), hidden = torch::empty_like(after);
    LstmCellView view = view_of(gates, before, after);
    std::vector<Tensor> rows;
    for (const Tensor& part : parts) {
      HEED_CHECK(part.sizes() == gates.sizes(), "gates of other rows than the cell");
      rows.push_back(part.contiguous());
      view.parts[rows.size() - 1] = data_of(rows.back());
    }
    kernels().lstm_cell(view, hidden.mutable_data_ptr<float>());
    context->save_for_backward({gates, before, after});
    context->saved_data["parts"] = static_cast<int64_t>(parts.size());
    if (known.gradients) {
      context->saved_data["known"] = c10::IValue::make_capsule(known.gradients);
      context->saved_data["t"] = known.t;
    }
    context->set_materialize_grads(false);
    return {hidden, after};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor by_hidden = gradients[0].defined() ? gradients[0].contiguous() : Tensor(),
                 by_after = gradients[1].defined() ? gradients[1].contiguous() : Tensor();
    const auto known = context->saved_data.find("known");
    const bool has_known = known != context->saved_data.end();
    const Tensor by_gates =
        has_known ? gradient_sum(known->second).part(context->saved_data.at("t").toInt())
                  : torch::empty_like(saved[0]);
    const Tensor by_before = torch::empty_like(saved[1]);
    kernels().lstm_cell_backward(view_of(saved[0], saved[1], saved[2]),
                                 {.hidden = data_of(by_hidden),
                                  .after = data_of(by_after),
                                  .gates = by_gates.mutable_data_ptr<float>(),
                                  .before = by_before.mutable_data_ptr<float>()});
    tensor_list result = {by_before};
    result.resize(1 + static_cast<size_t>(context->saved_data.at("parts").toInt()), by_gates);
    if (has_known) result.back() = Tensor();
    result.emplace_back();
    return result;
  }
};

Tensor sum_of(const std::vector<Tensor>& parts) {
  Tensor sum = parts.at(0);
  for (size_t i = 1; i < parts.size(); ++i) sum = sum + parts[i];
  return sum;
}

}  // namespace

std::pair<Tensor, Tensor> lstm_gates_plain(const std::vector<Tensor>& gates, const Tensor& cell) {
  const auto part = sum_of(gates).chunk(4, 1);
  const Tensor after = part[1].sigmoid() * cell + part[0].sigmoid() * part[2].tanh();
  return {part[3].sigmoid() * after.tanh(), after};
}

std::pair<Tensor, Tensor> lstm_gates(const std::vector<Tensor>& gates, const Tensor& cell,
                                     const KnownStep& known) {
  std::vector<Tensor> parts = gates;
  if (known.x.defined()) parts.push_back(known.x);
  HEED_CHECK(!parts.empty() && parts.size() <= LstmCellView::kMostParts, "{} parts", parts.size());
  if (!takes_kernels(cell)) return lstm_gates_plain(parts, cell);
  auto result = LstmGates::apply(cell, at::TensorList(parts), known);
  return {result[0], result[1]};
}

}  // namespace heed
