#include "nn/recurrent.h"

#include "nn/torch.h"

#include "nn/lstm_gates.h"
#include "nn/sources.h"

namespace heed {

const Words<CellKind>& cell_words() {
  static const Words<CellKind> words = {
      {"rnn", CellKind::kRnn}, {"lstm", CellKind::kLstm}, {"gru", CellKind::kGru}};
  return words;
}

const char* cell_name(CellKind kind) { return cell_words()[static_cast<size_t>(kind)].first; }

RecurrentCell::RecurrentCell(CellKind kind, int64_t input, int64_t width, bool layer_norm)
    : kind_(kind), width_(width) {
  const int64_t gates = kind == CellKind::kLstm ? 4 : kind == CellKind::kGru ? 3 : 1;
  weight_input_ = register_parameter("weight_input", torch::empty({gates, width, input}));
  weight_hidden_ = register_parameter("weight_hidden", torch::empty({gates, width, width}));
  Tensor bias = torch::zeros({gates * width});
  // A forget gate that begins open (Jozefowicz et al. 2015).
  if (kind == CellKind::kLstm) bias.narrow(0, width, width).fill_(1);
  bias_input_ = register_parameter("bias_input", bias);
  bias_hidden_ = register_parameter("bias_hidden", torch::zeros({gates * width}));
  if (!layer_norm) return;
  norm_input_ = register_parameter("norm_input", torch::ones({gates * width}));
  norm_hidden_ = register_parameter("norm_hidden", torch::ones({gates * width}));
  if (kind != CellKind::kLstm) return;
  norm_cell_ = register_parameter("norm_cell", torch::ones({width}));
  norm_cell_bias_ = register_parameter("norm_cell_bias", torch::zeros({width}));
}

Tensor RecurrentCell::normed(const Tensor& x, const Tensor& gain) const {
  return torch::layer_norm(x, {x.size(-1)}, gain);
}

Tensor RecurrentCell::project(const Tensor& x) const {
  const Tensor weight = weight_input_.flatten(0, 1);                         // [G·W,I]
  if (!norm_input_.defined()) return torch::linear(x, weight, bias_input_);  // [..,G·W]
  return normed(torch::linear(x, weight), norm_input_) + bias_input_;
}

CellState RecurrentCell::step(const Tensor& projected, const CellState& state) const {
  const Tensor weight = weight_hidden_.flatten(0, 1);  // [G·W,W]
  Tensor recurrent = norm_hidden_.defined()
                         ? normed(torch::linear(state.hidden, weight), norm_hidden_) + bias_hidden_
                         : torch::linear(state.hidden, weight, bias_hidden_);  // [R,G·W]
  switch (kind_) {
    case CellKind::kRnn:
      return {(projected + recurrent).tanh(), {}};
    case CellKind::kLstm: {
      auto [hidden, cell] = lstm_gates(projected + recurrent, state.cell);
      if (norm_cell_.defined()) {
        const Tensor output_gate = (projected + recurrent).narrow(1, 3 * width_, width_).sigmoid();
        hidden =
            output_gate * torch::layer_norm(cell, {width_}, norm_cell_, norm_cell_bias_).tanh();
      }
      return {hidden, cell};
    }
    case CellKind::kGru:
      break;
  }
  const auto in = projected.chunk(3, 1), past = recurrent.chunk(3, 1);
  const Tensor reset = (in[0] + past[0]).sigmoid();
  const Tensor update = (in[1] + past[1]).sigmoid();
  const Tensor candidate = (in[2] + reset * past[2]).tanh();
  return {candidate + update * (state.hidden - candidate), {}};
}

CellState RecurrentCell::zeros(int64_t rows, const Tensor& like) const {
  const Tensor zero = torch::zeros({rows, width_}, like.options().requires_grad(false));
  return {zero, kind_ == CellKind::kLstm ? zero : Tensor()};
}

Tensor reversal(const Tensor& lengths, int64_t size) {
  const Tensor place = torch::arange(size, lengths.options()).unsqueeze(0);  // [1,S]
  const Tensor mirrored = lengths.unsqueeze(1) - 1 - place;                  // [R,S]
  return torch::where(mirrored >= 0, mirrored, place);
}

Tensor take_positions_of(const Tensor& x, const Tensor& positions) {
  return x.gather(1, positions.unsqueeze(2).expand({-1, -1, x.size(2)}));
}

namespace {

// The state after each row's last step. steps: S tensors [R,W].
Tensor last_of(const std::vector<Tensor>& steps, const Tensor& lengths) {
  const Tensor all = torch::stack(steps, 1);                                          // [R,S,W]
  return take_positions_of(all, (lengths - 1).clamp_min(0).unsqueeze(1)).squeeze(1);  // [R,W]
}

}  // namespace

CellRun run_cell(const RecurrentCell& cell, const Tensor& x, const Tensor& lengths,
                 const RunOptions& options, const Pass& pass) {
  const int64_t rows = x.size(0), size = x.size(1);
  const Tensor turned = options.backwards ? reversal(lengths, size) : Tensor();
  // Time first, so that each step reads memory that lies together.
  const Tensor projected = cell.project(
      (options.backwards ? take_positions_of(x, turned) : x).transpose(0, 1).contiguous());
  const auto step_inputs = projected.unbind(0);  // S × [R,G·W]
  Tensor mask;
  if (pass.training && options.variational_dropout > 0) {
    mask = dropout_mask({rows, cell.width()}, options.variational_dropout, x, pass);
  }
  CellState state = cell.zeros(rows, x);
  std::vector<Tensor> hidden, cells;
  for (const Tensor& input : step_inputs) {
    state = cell.step(input, {mask.defined() ? state.hidden * mask : state.hidden, state.cell});
    hidden.push_back(state.hidden);
    if (state.cell.defined()) cells.push_back(state.cell);
  }
  CellRun run;
  run.outputs = torch::stack(hidden, 1);  // [R,S,W]
  if (options.backwards) run.outputs = take_positions_of(run.outputs, turned);
  run.outputs = run.outputs * length_mask(lengths, size).unsqueeze(2).to(x.scalar_type());
  run.final_state.hidden = last_of(hidden, lengths);
  if (!cells.empty()) run.final_state.cell = last_of(cells, lengths);
  return run;
}

}  // namespace heed
