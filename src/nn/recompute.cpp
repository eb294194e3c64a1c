#include "nn/recompute.h"

#include "nn/torch.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

#include "nn/gradient_sum.h"
#include "nn/int8_training.h"
#include "nn/product.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// An input that is detached from the graph around the part.
struct OwnInput {
  Tensor leaf;   // receives the gradient, if the input has one
  Tensor given;  // passed to the part
};

// Data that the backward pass needs besides the inputs.
struct Kept final : torch::CustomClassHolder {
  NetworkPart part;
  std::vector<Tensor> parameters;
  std::vector<bool> sums;  // true if an input has a gradient sum (gradient_sum.h)
  Pass pass;               // before the part has drawn from it
  bool bf16 = false, int8 = false;

  std::vector<OwnInput> own(const tensor_list& inputs) const {
    std::vector<OwnInput> all;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Tensor leaf = inputs[i].detach().set_requires_grad(inputs[i].requires_grad());
      all.push_back({leaf, sums[i] ? with_gradient_sum(leaf) : leaf});
    }
    return all;
  }
  tensor_list run(const std::vector<OwnInput>& inputs, const Pass& own_pass) const {
    std::vector<Tensor> given;
    for (const OwnInput& input : inputs) given.push_back(input.given);
    return part(given, own_pass);
  }
};

class Recompute : public torch::autograd::Function<Recompute> {
 public:
  // inputs: those of the part, then the parameters, which are passed only for their gradients.
  static tensor_list forward(AutogradContext* context, const c10::intrusive_ptr<Kept>& kept,
                             const Pass& pass, at::TensorList inputs) {
    const size_t own = inputs.size() - kept->parameters.size();
    const tensor_list read(inputs.begin(), inputs.begin() + static_cast<int64_t>(own));
    context->save_for_backward(read);
    context->saved_data["kept"] = c10::IValue::make_capsule(kept);
    context->set_materialize_grads(false);
    // Builds a graph, which ends here: operations with a gradient may differ from those without.
    const torch::AutoGradMode with_graph(true);
    tensor_list results, constant;
    for (const Tensor& result : kept->run(kept->own(read), pass)) {
      results.push_back(result.detach());
      if (!result.requires_grad()) constant.push_back(results.back());
    }
    context->mark_non_differentiable(constant);
    return results;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto& kept = static_cast<const Kept&>(*context->saved_data.at("kept").toCapsule());
    const torch::AutoGradMode with_graph(true);
    const std::vector<OwnInput> inputs = kept.own(context->get_saved_variables());
    tensor_list results;
    {
      const Bf16Scope bf16(kept.bf16);
      const Int8Scope int8(kept.int8);
      results = kept.run(inputs, kept.pass.replay());
    }
    tensor_list found = gradients_of(results, gradients, wanted(inputs, kept.parameters));
    tensor_list all(2);  // of the arguments that are not tensors
    size_t next = 0;
    for (const OwnInput& input : inputs)
      all.push_back(input.leaf.requires_grad() ? found[next++] : Tensor());
    for (size_t i = 0; i < kept.parameters.size(); ++i) all.push_back(found[next++]);
    return all;
  }

 private:
  static tensor_list wanted(const std::vector<OwnInput>& inputs, const tensor_list& parameters) {
    tensor_list wanted;
    for (const OwnInput& input : inputs) {
      if (input.leaf.requires_grad()) wanted.push_back(input.leaf);
    }
    wanted.insert(wanted.end(), parameters.begin(), parameters.end());
    return wanted;
  }

  static tensor_list gradients_of(const tensor_list& results, const tensor_list& gradients,
                                  const tensor_list& wanted) {
    tensor_list roots, given;
    for (size_t i = 0; i < results.size(); ++i) {
      if (!gradients[i].defined() || !results[i].requires_grad()) continue;
      roots.push_back(results[i]);
      given.push_back(gradients[i]);
    }
    if (roots.empty()) return tensor_list(wanted.size());
    return torch::autograd::grad(roots, wanted, given, /*retain_graph=*/false,
                                 /*create_graph=*/false, /*allow_unused=*/true);
  }
};

}  // namespace

std::vector<Tensor> recomputed(const NetworkPart& part, const std::vector<Tensor>& inputs,
                               const std::vector<Tensor>& parameters, const Pass& pass) {
  const auto kept = c10::make_intrusive<Kept>();
  kept->part = part;
  std::ranges::copy_if(parameters, std::back_inserter(kept->parameters),
                       [](const Tensor& parameter) { return parameter.requires_grad(); });
  for (const Tensor& input : inputs) kept->sums.push_back(gradient_sum_of(input) != nullptr);
  kept->pass = pass.replay();
  const Tensor& first = parameters.empty() ? inputs.front() : parameters.front();
  kept->bf16 = in_bf16(first);
  kept->int8 = in_int8(first);
  tensor_list all = inputs;
  all.insert(all.end(), kept->parameters.begin(), kept->parameters.end());
  return Recompute::apply(kept, pass, at::TensorList(all));
}

}  // namespace heed
