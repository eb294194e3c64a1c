// One pass through the model: what kind it is, and where its random draws come from.
#pragma once

#include <cstdint>
#include <memory>

#include "base/random.h"
#include "nn/tensor.h"

namespace heed {

class Pass {
 public:
  // Inference: nothing is drawn.
  Pass() = default;
  // Training: every draw is keyed by (seed, update, micro-batch) and by its place in the order of
  // the pass.
  static Pass for_training(uint64_t seed, int64_t update, int64_t micro_batch);

  bool training = false;
  bool keep_weights = false;  // whether attention weights are wanted
  int64_t update = 0;         // of the optimizer, for what is scheduled by it

  // A fresh key each call; copies of a pass share the count.
  uint64_t draw() const;

 private:
  uint64_t key_ = 0;
  std::shared_ptr<uint64_t> drawn_;
};

// Zero with probability p, else 1/(1-p), of the shape `like`; the same for the same key, whatever
// the threads.
Tensor dropout_mask(c10::IntArrayRef shape, double p, const Tensor& like, const Pass& pass);
// x times a mask; x itself outside training or with p = 0.
Tensor dropout(const Tensor& x, double p, const Pass& pass);

}  // namespace heed
