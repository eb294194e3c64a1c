#include "nn/transition.h"

#include "nn/torch.h"

#include "nn/sources.h"

namespace heed {

Transition::Transition(Module& owner, const std::string& name, const CellForm& form,
                       const std::vector<int64_t>& inputs) {
  for (const int64_t input : inputs) {
    const std::string cell =
        cells_.empty() ? name : fmt::format("{}_cell_{}", name, cells_.size() + 1);
    const int64_t flag = form.adaptive && cells_.empty() ? 1 : 0;
    cells_.push_back(owner.register_module(
        cell, std::make_shared<RecurrentCell>(form.kind, input + flag, form.width, form.norm,
                                              form.reset)));
  }
  if (form.adaptive) halting_ = Halting(owner, name + "_halt", *form.adaptive, form.width);
}

CellState Transition::zeros(int64_t rows, const Tensor& like) const {
  return cells_.front()->zeros(rows, like);
}

UnrolledTransition::UnrolledTransition(const Transition& transition, const Tensor& known)
    : halting_(transition.halting_) {
  for (const auto& cell : transition.cells_)
    cells_.emplace_back(*cell, cells_.empty() ? known : Tensor(),
                        halting_ ? StepUse::kOften : StepUse::kOnce);
}

namespace {

// Mask of one cell.  masks [R,N·W] of all cells, width W -> [R,W]; undefined: none
Tensor mask_of(const Tensor& masks, size_t cell, int64_t width) {
  return masks.defined() ? masks.narrow(1, static_cast<int64_t>(cell) * width, width) : Tensor();
}

}  // namespace

CellState UnrolledTransition::begin(int64_t t, const Tensor& rest, const CellState& state,
                                    const Tensor& masks) const {
  return cells_.front().step(t, rest, state, mask_of(masks, 0, state.hidden.size(1)));
}

CellState UnrolledTransition::finish(const Tensor& input, CellState state,
                                     const Tensor& masks) const {
  for (size_t i = 1; i < cells_.size(); ++i)
    state = cells_[i].step(0, i == 1 ? input : Tensor(), state,
                           mask_of(masks, i, state.hidden.size(1)));
  return state;
}

CellState UnrolledTransition::step(int64_t t, const Tensor& rest, const CellState& state,
                                   const Tensor& masks) {
  if (halting_) return adaptive_step(t, rest, state, masks);
  return finish({}, begin(t, rest, state, masks), masks);
}

CellState UnrolledTransition::adaptive_step(int64_t t, const Tensor& rest, CellState state,
                                            const Tensor& masks) {
  const int64_t rows = state.hidden.size(0);
  const auto options = state.hidden.options().requires_grad(false);
  HaltingRows halting(halting_);
  CellState mean;
  const auto add = [](Tensor& sum, const Tensor& x) { sum = sum.defined() ? sum + x : x; };
  do {
    const double is_first = mean.hidden.defined() ? 0 : 1;
    const Tensor flag = torch::full({rows, 1}, is_first, options);  // δ
    const Tensor input = rest.defined() ? torch::cat({rest, flag}, 1) : flag;
    state = finish({}, begin(t, input, state, masks), masks);
    const Tensor p = halting.next(state.hidden).unsqueeze(1);  // [R,1]
    add(mean.hidden, p * state.hidden);
    if (state.cell.defined()) add(mean.cell, p * state.cell);
  } while (!halting.all_halted());
  ponder_.push_back(halting.ponder());
  return mean;
}

Tensor UnrolledTransition::ponder() const {
  return ponder_.empty() ? Tensor() : torch::stack(ponder_, 1);
}

Tensor reversal(const Tensor& lengths, int64_t size) {
  const Tensor position = torch::arange(size, lengths.options()).unsqueeze(0);  // [1,S]
  const Tensor mirrored = lengths.unsqueeze(1) - 1 - position;                  // [R,S]
  return torch::where(mirrored >= 0, mirrored, position);
}

namespace {

// x [R,S,W] and positions [R,S] -> [R,S,W]
Tensor rows_at(const Tensor& x, const Tensor& positions) {
  const int64_t rows = x.size(0), size = x.size(1);
  const Tensor begins = torch::arange(rows, positions.options()).unsqueeze(1) * size;  // [R,1]
  return x.reshape({rows * size, x.size(2)})
      .index_select(0, (positions + begins).flatten())
      .view(x.sizes());
}

// Own code because the gradient of a gather is scattered element by element.
class Turn : public torch::autograd::Function<Turn> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x,
                        const Tensor& positions) {
    context->save_for_backward({positions});
    return rows_at(x, positions);
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               torch::autograd::tensor_list gradients) {
    return {rows_at(gradients[0], context->get_saved_variables()[0]), Tensor()};
  }
};

}  // namespace

Tensor turned_by(const Tensor& x, const Tensor& positions) { return Turn::apply(x, positions); }

namespace {

// The state after each row's last step. steps: S tensors [R,W].
Tensor last_of(const std::vector<Tensor>& steps, const Tensor& lengths) {
  const Tensor last = (lengths - 1).clamp_min(0).view({-1, 1, 1});  // [R,1,1]
  const Tensor all = torch::stack(steps, 1);                        // [R,S,W]
  const Tensor state = all.gather(1, last.expand({-1, 1, all.size(2)})).squeeze(1);
  return state.masked_fill((lengths == 0).unsqueeze(1), 0);
}

}  // namespace

CellRun run_transition(const Transition& transition, const Tensor& x, const Tensor& lengths,
                       const TransitionOptions& options, const Pass& pass) {
  const int64_t rows = x.size(0), size = x.size(1);
  const Tensor turned = options.backwards ? reversal(lengths, size) : Tensor();
  const Tensor inputs = options.backwards ? turned_by(x, turned) : x;
  UnrolledTransition unrolled(transition, inputs);
  Tensor masks;  // [R,N·W]
  if (pass.training && options.variational_dropout > 0) {
    masks = dropout_mask({rows, transition.cells() * transition.width()},
                         options.variational_dropout, x, pass);
  }
  const auto each = options.reads ? inputs.unbind(1) : std::vector<Tensor>();  // S × [R,I]
  CellState state = transition.zeros(rows, x);
  std::vector<Tensor> hidden, cells;
  for (int64_t t = 0; t < size; ++t) {
    if (options.reads) state = options.reads(t, each[static_cast<size_t>(t)], state);
    state = unrolled.step(t, {}, state, masks);
    hidden.push_back(state.hidden);
    if (state.cell.defined()) cells.push_back(state.cell);
  }
  const Tensor open = length_mask(lengths, size).unsqueeze(2).to(x.scalar_type());  // [R,S,1]
  const auto in_order = [&](const Tensor& states) {
    return (options.backwards ? turned_by(states, turned) : states) * open;
  };
  CellRun run;
  run.outputs = in_order(torch::stack(hidden, 1));  // [R,S,W]
  run.final_state.hidden = last_of(hidden, lengths);
  if (!cells.empty()) run.final_state.cell = last_of(cells, lengths);
  if (options.keeps_cells) run.cells = in_order(torch::stack(cells, 1));
  const Tensor ponder = unrolled.ponder();
  if (ponder.defined()) run.ponder = in_order(ponder.unsqueeze(2)).squeeze(2);
  return run;
}

}  // namespace heed
