#include "model/decoder.h"

#include "nn/torch.h"

namespace heed {

namespace {

// Heads of a memory with rows of its own have no weights over a source.
const Attended* first_with_weights(const Attended& attended) {
  if (attended.part == Part::kRead || attended.part == Part::kWrite) return nullptr;
  if (attended.weights.defined()) return &attended;
  for (const Attended& part : attended.parts) {
    if (const Attended* found = first_with_weights(part)) return found;
  }
  return nullptr;
}

}  // namespace

const Attended* alignment_of(const Step& step) {
  const Attended* last = nullptr;
  for (const Attended& attended : step.attended) {
    if (attended.site.place != Place::kCross) continue;
    if (attended.site.layer != step.alignment.layer.value_or(attended.site.layer)) continue;
    if (const Attended* found = first_with_weights(attended)) last = found;
  }
  return last;
}

namespace {

// weights [R,H,T,S] of the chosen heads alone
Tensor with_chosen_heads(const Tensor& weights, const AlignmentChoice& choice) {
  if (choice.heads.empty()) return weights;
  return weights.index_select(1, torch::tensor(choice.heads, torch::kLong).to(weights.device()));
}

}  // namespace

Tensor alignment_weights(const Step& step) {
  const Attended* attended = alignment_of(step);
  return attended == nullptr ? Tensor() : with_chosen_heads(attended->weights, step.alignment);
}

std::vector<SourcePass> passes_over_source(const Step& step) {
  const Attended* attended = alignment_of(step);
  if (attended == nullptr) return {};
  std::vector<SourcePass> passes;
  const auto add = [&](const Attended& one) {
    passes.push_back({with_chosen_heads(one.weights, step.alignment), one.form});
  };
  for (const Attended& part : attended->parts) {
    if (part.part == Part::kHop && part.weights.defined()) add(part);
  }
  if (passes.empty()) add(*attended);
  return passes;
}

Tensor Step::take(const Site& site, Attended one) {
  one.site = site;
  const Tensor context = one.context;
  losses.insert(losses.end(), one.losses.begin(), one.losses.end());
  attended.push_back(std::move(one));
  return context;
}

Step join_steps(const std::vector<Step>& steps) {
  Step joined = steps.front();
  std::vector<Tensor> inputs, hidden, states, alignments;
  for (const Step& step : steps) {
    inputs.push_back(step.input);
    hidden.push_back(step.hidden);
    if (step.state.defined()) states.push_back(step.state);
    if (step.log_alignment.defined()) alignments.push_back(step.log_alignment);
  }
  joined.input = torch::cat(inputs, 1);                                       // [R,T,E]
  joined.hidden = torch::cat(hidden, 1);                                      // [R,T,W]
  if (!states.empty()) joined.state = torch::cat(states, 1);                  // [R,T,D]
  if (!alignments.empty()) joined.log_alignment = torch::cat(alignments, 1);  // [R,T,S]
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

Tensor take_positions(StateView state, int64_t count) {
  Tensor& first = state.positions();
  const Tensor next = first.unsqueeze(1) + torch::arange(count, first.options());  // [R,T]
  first = first + count;
  return next;
}

}  // namespace heed
