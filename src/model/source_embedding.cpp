#include "model/source_embedding.h"

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

Tensor SourceEmbedding::embed(const SourceBatch& source, const Pass& pass) const {
  HEED_CHECK(source.factors.size() == factors_.size(), "{} factors of {}", source.factors.size(),
             factors_.size());
  std::vector<Tensor> parts = {tokens_->look_up(source.ids)};  // [R,S,E]
  for (size_t i = 0; i < factors_.size(); ++i) {
    const Tensor x = factors_[i].labels->look_up(source.factors[i]);  // [R,S,E of the factor]
    if (factors_[i].combine == Combine::kSum)
      parts.front() = parts.front() + x;
    else
      parts.push_back(x);
  }
  return tokens_->drop(parts.size() == 1 ? parts.front() : torch::cat(parts, 2), pass);
}

}  // namespace heed
