#include "nn/embedding.h"

#include "nn/torch.h"

namespace heed {

Embedding::Embedding(int64_t vocabulary, int64_t width, double dropout) : dropout_(dropout) {
  weight_ = add_parameter("embedding", {vocabulary, width}, Init::embedding());
}

Tensor Embedding::embed(const Tensor& ids, const Pass& pass) const {
  return drop(look_up(ids), pass);
}

Tensor Embedding::look_up(const Tensor& ids) const {
  return torch::embedding(weight_, ids);  // [R,T,E]
}

Tensor Embedding::drop(const Tensor& x, const Pass& pass) const {
  return dropout(x, dropout_, pass);
}

Tensor word_dropout(const Tensor& x, double p, const Pass& pass) {
  if (!pass.training || p == 0) return x;
  return x * dropout_mask({x.size(0), x.size(1)}, p, x, pass).unsqueeze(2);
}

}  // namespace heed
