#include "nn/embedding.h"

#include "nn/torch.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Rows of `weight`. Where the weight has a gradient already, that of the rows is added to it as a
// sparse one: a dense one is zero but for these rows, and as large as the vocabulary. Whether it has
// one is known in the backward pass; the option of torch::embedding() is chosen before.
class LookUp : public torch::autograd::Function<LookUp> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& weight, const Tensor& ids) {
    context->save_for_backward({weight, ids});
    return torch::embedding(weight, ids);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &weight = saved[0], &ids = saved[1];
    const bool adds = weight.grad().defined() && weight.device().is_cpu();
    return {torch::embedding_backward(gradients[0], ids, weight.size(0), /*padding_idx=*/-1,
                                      /*scale_grad_by_freq=*/false, /*sparse=*/adds),
            Tensor()};
  }
};

}  // namespace

Embedding::Embedding(int64_t vocabulary, int64_t width, double dropout) : dropout_(dropout) {
  weight_ = add_parameter("embedding", {vocabulary, width}, Init::embedding());
}

Tensor Embedding::embed(const Tensor& ids, const Pass& pass) const {
  return drop(look_up(ids), pass);
}

Tensor Embedding::look_up(const Tensor& ids) const {
  return LookUp::apply(weight_, ids);  // [R,T,E]
}

Tensor Embedding::drop(const Tensor& x, const Pass& pass) const {
  return dropout(x, dropout_, pass);
}

Tensor word_dropout(const Tensor& x, double p, const Pass& pass) {
  if (!pass.training || p == 0) return x;
  return x * dropout_mask({x.size(0), x.size(1)}, p, x, pass).unsqueeze(2);
}

}  // namespace heed
