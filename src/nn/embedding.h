// Embeddings of ids. The row of kPad is an ordinary row; masks exclude padding.
#pragma once

#include "nn/module.h"
#include "nn/pass.h"
#include "nn/tensor.h"

namespace heed {

class Embedding final : public Module {
 public:
  Embedding(int64_t vocabulary, int64_t width, double dropout);
  Tensor embed(const Tensor& ids, const Pass& pass) const;  // [R,T] -> [R,T,E]
  Tensor look_up(const Tensor& ids) const;                  // the same without dropout
  Tensor drop(const Tensor& x, const Pass& pass) const;     // its dropout alone
  const Tensor& weight() const { return weight_; }          // [V,E]
  int64_t size() const { return weight_.size(0); }          // V
  int64_t width() const { return weight_.size(1); }

 private:
  Tensor weight_;
  double dropout_;
};

// Word dropout (Sennrich et al. 2016, section 2.4): the whole embeddings of tokens are zero with
// probability p, the others divided by 1 - p.  x [R,T,E]
Tensor word_dropout(const Tensor& x, double p, const Pass& pass);

}  // namespace heed
