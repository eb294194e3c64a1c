// A forward pass: training or inference, and the source of its random numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "kernels/dropout.h"
#include "nn/tensor.h"

namespace heed {

class Pass {
 public:
  // Inference: no random numbers.
  Pass() = default;
  // Training: a draw is keyed by seed, update and its index in the pass, and its values for a row
  // also by the index of that row in the update. So the result does not depend on how the rows of
  // an update are distributed over batches and workers. rows: the indices of the rows of this
  // batch; empty: 0, 1, 2, …
  static Pass for_training(uint64_t seed, int64_t update, std::vector<int64_t> rows = {});

  bool training = false;
  bool keep_weights = false;  // whether attention weights are wanted
  // Whether layers are computed again in the backward pass (recompute.h); a decoder then gets all of
  // its tokens in one call.
  bool recomputes = false;
  int64_t update = 0;  // of the optimizer, for schedules
  // Baseline of REINFORCE: moving mean of log p of a target token.
  std::optional<double> baseline{};

  // A new key each call; copies of a pass share the counter.
  uint64_t draw() const;
  // A pass with its own counter; uses one draw of this one. Code that draws at every time step uses
  // a fork, so that later draws do not depend on the number of steps.
  Pass fork() const;
  // A pass that draws what this one draws from now on, with its own counter.
  Pass replay() const;
  // A pass for parts of the rows: the values of a part depend on its row and on its index in that
  // row. Part i has index parts[i] in row rows[i]. Uses one draw of this one.
  Pass for_parts(const std::vector<int64_t>& rows, const std::vector<int64_t>& parts) const;
  // Whether a part of the network, named and numbered, takes part in this update, which it does
  // with probability 1 - p, and always in inference. The same in all batches of an update and at
  // all steps; no draw of this pass.
  bool keeps(std::string_view part, int64_t number, double p) const;
  // Index of a row in the update.
  uint64_t row(int64_t r) const;

 private:
  uint64_t key_ = 0;
  std::shared_ptr<uint64_t> drawn_;
  std::shared_ptr<const std::vector<int64_t>> rows_;
};

// The factors of dropout of a shape [R,..], as a key for each row of the last dimension, from which
// kernels draw them.
struct DropoutKeys {
  Tensor keys;   // [rows], int64; undefined: nothing is dropped
  double p = 0;  // probability
  DropoutRows rows() const;
};
DropoutKeys dropout_keys(c10::IntArrayRef shape, double p, const Pass& pass);

// Zero with probability p, else 1/(1-p), of a shape [R,..]. On a CPU the value at a position
// depends only on the key of the draw, the index of the row and the position in the row, not on
// padding or threads; on other devices also on the shape.
Tensor dropout_mask(c10::IntArrayRef shape, double p, const Tensor& like, const Pass& pass);
// Uniform in [0, 1), of a shape [R,..], with the same independence.
Tensor uniform_numbers(c10::IntArrayRef shape, const Tensor& like, const Pass& pass);
// x times a mask; x itself outside training or with p = 0.
Tensor dropout(const Tensor& x, double p, const Pass& pass);

}  // namespace heed
