#include "model/decoder.h"

#include "nn/torch.h"

namespace heed {

const Attended* alignment_of(const Step& step) {
  const Attended* last = nullptr;
  for (const Attended& attended : step.attended) {
    if (attended.place.starts_with("decoder.cross") && attended.weights.defined()) last = &attended;
  }
  return last;
}

Tensor Step::take(Attended one) {
  const Tensor context = one.context;
  losses.insert(losses.end(), one.losses.begin(), one.losses.end());
  attended.push_back(std::move(one));
  return context;
}

StateView layer_state(State& state, size_t layer) {
  return state.view("decoder").view(std::to_string(layer));
}

Step join_steps(const std::vector<Step>& steps) {
  Step joined = steps.front();
  std::vector<Tensor> inputs, hidden;
  for (const Step& step : steps) {
    inputs.push_back(step.input);
    hidden.push_back(step.hidden);
  }
  joined.input = torch::cat(inputs, 1);   // [R,T,E]
  joined.hidden = torch::cat(hidden, 1);  // [R,T,W]
  for (size_t i = 0; i < joined.attended.size(); ++i) {
    std::vector<Attended> queries;
    for (const Step& step : steps) queries.push_back(step.attended[i]);
    joined.attended[i] = join_queries(queries);
  }
  for (size_t i = 0; i < joined.losses.size(); ++i) {
    std::vector<Tensor> values;
    for (const Step& step : steps) values.push_back(step.losses[i].value);
    joined.losses[i].value = torch::cat(values, 1);
  }
  return joined;
}

Tensor take_positions(State& state, int64_t count) {
  const Tensor next =
      state.positions.unsqueeze(1) + torch::arange(count, state.positions.options());  // [R,T]
  state.positions = state.positions + count;
  return next;
}

}  // namespace heed
