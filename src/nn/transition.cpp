#include "nn/transition.h"

#include "nn/torch.h"

namespace heed {

Transition::Transition(Module& owner, const std::string& name, const CellForm& form,
                       const std::vector<int64_t>& inputs) {
  for (const int64_t input : inputs) {
    const std::string cell =
        cells_.empty() ? name : fmt::format("{}_cell_{}", name, cells_.size() + 1);
    cells_.push_back(owner.register_module(
        cell, std::make_shared<RecurrentCell>(form.kind, input, form.width, form.layer_norm)));
  }
}

CellState Transition::zeros(int64_t rows, const Tensor& like) const {
  return cells_.front()->zeros(rows, like);
}

TransitionWalk::TransitionWalk(const Transition& transition, const Tensor& known) {
  for (const auto& cell : transition.cells_)
    walks_.emplace_back(*cell, walks_.empty() ? known : Tensor());
}

CellState TransitionWalk::begin(int64_t t, const Tensor& rest, const CellState& state) const {
  return walks_.front().step(t, rest, state);
}

CellState TransitionWalk::finish(const Tensor& input, CellState state) const {
  for (size_t i = 1; i < walks_.size(); ++i)
    state = walks_[i].step(0, i == 1 ? input : Tensor(), state);
  return state;
}

CellState TransitionWalk::step(int64_t t, const Tensor& rest, const CellState& state) const {
  return finish({}, begin(t, rest, state));
}

}  // namespace heed
