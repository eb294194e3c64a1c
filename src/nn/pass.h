// One pass through the model: what kind it is, and where its random draws come from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.h"
#include "nn/tensor.h"

namespace heed {

class Pass {
 public:
  // Inference: nothing is drawn.
  Pass() = default;
  // Training: every draw is keyed by (seed, update) and by its place in the order of the pass, and
  // what it gives a row by the number of that row in the update. So it does not matter how the rows
  // of an update are spread over batches and workers. rows: these numbers, row by row of the batch;
  // none: 0, 1, 2, …
  static Pass for_training(uint64_t seed, int64_t update, std::vector<int64_t> rows = {});

  bool training = false;
  bool keep_weights = false;  // whether attention weights are wanted
  int64_t update = 0;         // of the optimizer, for what is scheduled by it
  // What log p of a target token has been of late: sampled choices are rewarded for more than that.
  std::optional<double> baseline{};

  // A fresh key each call; copies of a pass share the count.
  uint64_t draw() const;
  // A pass with a count of its own, which takes one draw of this one. What draws at every step,
  // and so more often for longer rows, does it from a fork: what follows must not depend on that.
  Pass fork() const;
  // For parts of the rows, one after the other: what it gives a part depends on its row and on its
  // number there. Part i is number parts[i] of row rows[i]. Takes one draw of this one.
  Pass for_parts(const std::vector<int64_t>& rows, const std::vector<int64_t>& parts) const;
  // The number of a row in the update.
  uint64_t row(int64_t r) const;

 private:
  uint64_t key_ = 0;
  std::shared_ptr<uint64_t> drawn_;
  std::shared_ptr<const std::vector<int64_t>> rows_;
};

// Zero with probability p, else 1/(1-p), of a shape [R,..]. On a CPU the value at a position depends
// on the key of the draw, the number of the row and the position in the row alone, not on padding, nor
// on threads; on other devices on the shape as well.
Tensor dropout_mask(c10::IntArrayRef shape, double p, const Tensor& like, const Pass& pass);
// Uniform in [0, 1), of a shape [R,..], with the same independence.
Tensor uniform_numbers(c10::IntArrayRef shape, const Tensor& like, const Pass& pass);
// x times a mask; x itself outside training or with p = 0.
Tensor dropout(const Tensor& x, double p, const Pass& pass);

}  // namespace heed
