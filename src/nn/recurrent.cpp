#include "nn/recurrent.h"

#include "nn/torch.h"

#include "base/error.h"
#include "nn/linear.h"
#include "nn/lstm_gates.h"

namespace heed {

RecurrentCell::RecurrentCell(CellKind kind, int64_t input, int64_t width, CellNorm norm,
                             Reset reset)
    : kind_(kind), norm_(norm), reset_(reset), width_(width) {
  HEED_CHECK(norm != CellNorm::kTogether || !resets_before());
  const int64_t gates = kind == CellKind::kLstm ? 4 : kind == CellKind::kGru ? 3 : 1;
  if (input > 0)
    weight_input_ = add_parameter("weight_input", {gates, width, input}, Init::matrices());
  weight_hidden_ = add_parameter("weight_hidden", {gates, width, width}, Init::recurrent());
  bias_input_ = add_parameter("bias_input", {gates * width}, Init::all(0));
  bias_hidden_ = add_parameter("bias_hidden", {gates * width}, Init::all(0));
  if (kind == CellKind::kLstm) open_forget_gate();
  if (norm == CellNorm::kNone) return;
  if (input > 0) norm_input_ = add_parameter("norm_input", {gates * width}, Init::all(1));
  norm_hidden_ = add_parameter("norm_hidden", {gates * width}, Init::all(1));
  if (kind != CellKind::kLstm || norm == CellNorm::kTogether) return;
  norm_cell_ = add_parameter("norm_cell", {width}, Init::all(1));
  norm_cell_bias_ = add_parameter("norm_cell_bias", {width}, Init::all(0));
}

// Initializes the forget gate to be open (Jozefowicz et al. 2015).
void RecurrentCell::open_forget_gate() {
  const torch::NoGradGuard no_grad;
  bias_input_.narrow(0, width_, width_).fill_(1);
}

Tensor RecurrentCell::normed(const Tensor& gates, const Tensor& gain) const {
  if (norm_ == CellNorm::kTogether)
    return torch::layer_norm(gates, {gates.size(-1)}, gain, {}, kMarianNormEpsilon);
  if (kind_ != CellKind::kGru) return torch::layer_norm(gates, {gates.size(-1)}, gain);
  const std::vector<int64_t> groups = {2 * width_, width_};  // r and z, n
  const auto parts = gates.split_with_sizes(groups, -1), gains = gain.split_with_sizes(groups);
  return torch::cat({torch::layer_norm(parts[0], {groups[0]}, gains[0]),
                     torch::layer_norm(parts[1], {groups[1]}, gains[1])},
                    -1);
}

CellState RecurrentCell::zeros(int64_t rows, const Tensor& like) const {
  const Tensor zero = torch::zeros({rows, width_}, like.options().requires_grad(false));
  return {zero, kind_ == CellKind::kLstm ? zero : Tensor()};
}

namespace {

int64_t width_of(const Tensor& known) { return known.defined() ? known.size(2) : 0; }

// The first 2 W rows, of r and z, or the last W, of n, of a tensor [3W,..] of a GRU.
Tensor update_rows(const Tensor& x) { return x.narrow(0, 0, x.size(0) / 3 * 2); }
Tensor candidate_rows(const Tensor& x) { return x.narrow(0, x.size(0) / 3 * 2, x.size(0) / 3); }

Tensor with_norm(const Tensor& product, const Tensor& gain, const Tensor& bias) {
  return torch::layer_norm(product, {gain.size(0)}, gain) + bias;
}

// The columns of the input weight from `begin` on, [G·W,I-begin].
Tensor columns_from(const Tensor& weight, int64_t begin) {
  return weight.flatten(0, 1).narrow(1, begin, weight.size(2) - begin);
}

}  // namespace

RoundedGradientPointer UnrolledCell::gate_gradient(const RecurrentCell& cell) {
  const bool is_sum = cell.kind_ != CellKind::kGru && !cell.norm_hidden_.defined();
  return is_sum && cell.weight_input_.defined() ? c10::make_intrusive<RoundedGradient>() : nullptr;
}

UnrolledCell::UnrolledCell(const RecurrentCell& cell, const Tensor& known, StepUse use)
    : cell_(cell),
      gate_gradient_(gate_gradient(cell)),
      by_hidden_(cell.resets_before() ? update_rows(cell.weight_hidden_.flatten(0, 1))
                                      : cell.weight_hidden_.flatten(0, 1),
                 cell.norm_hidden_.defined() ? Tensor()
                 : cell.resets_before()      ? update_rows(cell.bias_hidden_)
                                             : cell.bias_hidden_,
                 gate_gradient_) {
  if (cell.resets_before())
    by_reset_.emplace(candidate_rows(cell.weight_hidden_.flatten(0, 1)),
                      cell.norm_hidden_.defined() ? Tensor() : candidate_rows(cell.bias_hidden_));
  if (!cell.weight_input_.defined()) return;
  by_rest_.emplace(columns_from(cell.weight_input_, width_of(known)),
                   known.defined() || cell.norm_input_.defined() ? Tensor() : cell.bias_input_,
                   gate_gradient_);
  if (!known.defined()) return;
  const Tensor weight = cell.weight_input_.flatten(0, 1).narrow(1, 0, known.size(2));  // [G·W,K]
  // Time first, so that the memory of a step is contiguous.
  Tensor all = linear(known.transpose(0, 1).contiguous(), weight,
                      cell.norm_input_.defined() ? Tensor() : cell.bias_input_);
  // A sum takes the gradient of each step once.
  if (use == StepUse::kOnce) all = with_gradient_sum(all);
  known_gradients_ = gradient_sum_of(all);
  known_ = all.unbind(0);
}

Tensor UnrolledCell::input_part(int64_t t, const Tensor& rest) const {
  if (!by_rest_) return cell_.bias_input_.unsqueeze(0);
  Tensor product;
  if (rest.defined()) product = (*by_rest_)(rest);
  if (!known_.empty()) {
    const Tensor& known = known_[static_cast<size_t>(t)];
    product = product.defined() ? product + known : known;
  }
  return cell_.norm_input_.defined() ? cell_.normed(product, cell_.norm_input_) + cell_.bias_input_
                                     : product;
}

Tensor UnrolledCell::state_part(const Tensor& hidden) const {
  const Tensor product = by_hidden_(hidden);
  if (!cell_.norm_hidden_.defined()) return product;
  if (cell_.resets_before())
    return with_norm(product, update_rows(cell_.norm_hidden_), update_rows(cell_.bias_hidden_));
  return cell_.normed(product, cell_.norm_hidden_) + cell_.bias_hidden_;
}

Tensor UnrolledCell::candidate_part(const Tensor& reset) const {
  const Tensor product = (*by_reset_)(reset);
  if (!cell_.norm_hidden_.defined()) return product;
  return with_norm(product, candidate_rows(cell_.norm_hidden_), candidate_rows(cell_.bias_hidden_));
}

CellState UnrolledCell::lstm_step(int64_t t, const Tensor& rest, const CellState& state) const {
  const Tensor past = state_part(state.hidden);
  if (cell_.norm_hidden_.defined() || state.added.defined()) {
    const Tensor gates = input_part(t, rest) + past;
    Tensor cell = lstm_gates({gates}, state.cell).second;
    if (state.added.defined()) cell = cell + state.added;
    const int64_t width = cell_.width_;
    const Tensor open = gates.narrow(1, 3 * width, width).sigmoid();
    const Tensor shown =
        cell_.norm_cell_.defined()
            ? torch::layer_norm(cell, {width}, cell_.norm_cell_, cell_.norm_cell_bias_)
            : cell;
    return {open * shown.tanh(), cell};
  }
  KnownStep known;
  if (!known_.empty()) known = {known_[static_cast<size_t>(t)], known_gradients_, t};
  std::vector<Tensor> gates = {past};
  if (rest.defined()) gates.push_back((*by_rest_)(rest));
  if (!by_rest_) gates.push_back(input_part(t, rest).expand_as(past));
  const auto [hidden, cell] = lstm_gates(gates, state.cell, known);
  return {hidden, cell};
}

// input [R,3W]; hidden [R,W]: the state in the products; before [R,W]: the state
Tensor UnrolledCell::gru_step(const Tensor& input, const Tensor& hidden,
                              const Tensor& before) const {
  const auto in = input.chunk(3, 1);
  const auto past = state_part(hidden).chunk(cell_.resets_before() ? 2 : 3, 1);
  const Tensor reset = (in[0] + past[0]).sigmoid();
  const Tensor update = (in[1] + past[1]).sigmoid();
  const Tensor candidate =
      (in[2] + (cell_.resets_before() ? candidate_part(reset * hidden) : reset * past[2])).tanh();
  return candidate + update * (before - candidate);
}

CellState UnrolledCell::step(int64_t t, const Tensor& rest, const CellState& state,
                             const Tensor& mask) const {
  const Tensor hidden = mask.defined() ? state.hidden * mask : state.hidden;
  if (cell_.kind_ == CellKind::kLstm) return lstm_step(t, rest, {hidden, state.cell, state.added});
  const Tensor input = input_part(t, rest);
  if (cell_.kind_ == CellKind::kRnn) return {(input + state_part(hidden)).tanh(), {}};
  return {gru_step(input, hidden, state.hidden), {}};
}

}  // namespace heed
