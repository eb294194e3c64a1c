#include "nn/embedding.h"

#include "nn/torch.h"

namespace heed {

Embedding::Embedding(int64_t vocabulary, int64_t width, double dropout) : dropout_(dropout) {
  weight_ = add_parameter("embedding", {vocabulary, width}, Init::embedding());
}

Tensor Embedding::embed(const Tensor& ids, const Pass& pass) {
  return dropout(torch::embedding(weight_, ids), dropout_, pass);  // [R,T,E]
}

}  // namespace heed
