#include "model/recomputed_layer.h"

#include "nn/torch.h"

namespace heed {

namespace {

// Results of a layer besides its states.
struct Findings {
  std::vector<Attended> attended;
  std::vector<SideLoss> losses;
};

template <class See>
void for_each_loss_tensor(std::vector<SideLoss>& losses, See see) {
  for (SideLoss& loss : losses) {
    see(loss.value);
    see(loss.counted);
  }
}

template <class See>
void for_each_tensor(Attended& attended, See see) {
  see(attended.context);
  see(attended.weights);
  for_each_loss_tensor(attended.losses, see);
  for (Attended& part : attended.parts) for_each_tensor(part, see);
}

template <class See>
void for_each_tensor(Findings& findings, See see) {
  for (Attended& attended : findings.attended) for_each_tensor(attended, see);
  for_each_loss_tensor(findings.losses, see);
}

// Removes the context vectors: only the layer itself reads them, unless outputs copy by the
// weights.
void forget_contexts(Attended& attended) {
  attended.context = Tensor();
  for (Attended& part : attended.parts) forget_contexts(part);
}

using Forward =
    std::function<Tensor(const std::vector<Tensor>& inputs, const Pass& pass, Findings& findings)>;

struct LayerResult {
  Tensor states;
  Findings findings;
};

LayerResult recomputed_part(const torch::nn::Module& layer, const std::vector<Tensor>& inputs,
                            const Pass& pass, Forward forward) {
  const auto form = std::make_shared<Findings>();  // of the last call, without its tensors
  const NetworkPart part = [form, forward = std::move(forward)](const std::vector<Tensor>& own,
                                                                const Pass& own_pass) {
    Findings findings;
    std::vector<Tensor> results = {forward(own, own_pass, findings)};
    if (!own_pass.keep_weights) {
      for (Attended& attended : findings.attended) forget_contexts(attended);
    }
    const Tensor placeholder = torch::empty({0});
    for_each_tensor(findings, [&](Tensor& tensor) {
      if (tensor.defined()) results.push_back(std::exchange(tensor, placeholder));
    });
    *form = std::move(findings);
    return results;
  };
  const std::vector<Tensor> results = recomputed(part, inputs, layer.parameters(), pass);
  LayerResult result{.states = results.front(), .findings = std::exchange(*form, {})};
  size_t next = 1;
  for_each_tensor(result.findings, [&](Tensor& tensor) {
    if (tensor.defined()) tensor = results.at(next++);
  });
  return result;
}

template <class T>
void append(std::vector<T>& to, std::vector<T>&& more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

bool recomputes(const Pass& pass) {
  return pass.training && pass.recomputes && torch::GradMode::is_enabled();
}

Tensor recomputed_layer(const torch::nn::Module& layer, const std::vector<Tensor>& inputs,
                        const Pass& pass, EncoderOutput& output, EncoderLayerForward forward) {
  LayerResult result =
      recomputed_part(layer, inputs, pass,
                      [forward = std::move(forward)](const std::vector<Tensor>& own,
                                                     const Pass& own_pass, Findings& findings) {
                        EncoderOutput found;
                        const Tensor states = forward(own, own_pass, found);
                        findings = {std::move(found.attended), std::move(found.losses)};
                        return states;
                      });
  append(output.attended, std::move(result.findings.attended));
  append(output.losses, std::move(result.findings.losses));
  return result.states;
}

Tensor recomputed_layer(const torch::nn::Module& layer, const std::vector<Tensor>& inputs,
                        StateView state, Step& step, DecoderLayerForward forward) {
  std::vector<Tensor> all = inputs;
  for (const Tensor& tensor : state.whole().trained()) all.push_back(tensor);
  const size_t count = inputs.size();
  LayerResult result = recomputed_part(
      layer, all, state.pass(),
      [forward = std::move(forward), state, whole = state.whole(), count](
          const std::vector<Tensor>& own, const Pass& own_pass, Findings& findings) {
        const auto behind = own.begin() + static_cast<int64_t>(count);
        State own_state = whole.with_trained({behind, own.end()});
        own_state.pass = own_pass;
        Step found;
        const Tensor states = forward({own.begin(), behind}, state.in(own_state), found);
        findings = {std::move(found.attended), std::move(found.losses)};
        return states;
      });
  append(step.attended, std::move(result.findings.attended));
  append(step.losses, std::move(result.findings.losses));
  return result.states;
}

}  // namespace heed
