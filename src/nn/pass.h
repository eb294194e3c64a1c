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
  // Training: the key of a draw consists of seed, update and index of the draw in the pass. For the
  // values of a row it also contains the index of that row in the update. The result therefore does
  // not depend on how the rows of an update are distributed over batches and workers. rows: indices
  // of the rows of this batch; empty: 0, 1, 2, …
  static Pass for_training(uint64_t seed, int64_t update, std::vector<int64_t> rows = {});

  bool training = false;
  bool keep_weights = false;  // true if attention weights are wanted
  // True if layers are recomputed in the backward pass (recompute.h); a decoder then gets all of
  // its tokens in one call.
  bool recomputes = false;
  int64_t update = 0;  // of the optimizer, for schedules
  // Baseline of REINFORCE: moving mean of log p of a target token.
  std::optional<double> baseline{};

  // Returns a new key in each call; copies of a pass share the counter.
  uint64_t draw() const;
  // A pass with a separate counter, which uses one draw of this one. Code that draws at every time
  // step uses a fork, so that later draws do not depend on the number of steps.
  Pass fork() const;
  // A pass with a separate counter that repeats the draws that this one makes from now on.
  Pass replay() const;
  // A pass for parts of the rows. The values of a part depend on its row and on its index in that
  // row. Part i has index parts[i] in row rows[i]. Uses one draw of this pass.
  Pass for_parts(const std::vector<int64_t>& rows, const std::vector<int64_t>& parts) const;
  // True if a part of the network, given by name and number, is active in this update: with
  // probability 1 - p in training, always in inference. The result is the same in all batches of an
  // update and at all steps, and uses no draw of this pass.
  bool keeps(std::string_view part, int64_t number, double p) const;
  // Index of a row in the update.
  uint64_t row(int64_t r) const;

 private:
  uint64_t key_ = 0;
  std::shared_ptr<uint64_t> drawn_;
  std::shared_ptr<const std::vector<int64_t>> rows_;
};

// Dropout factors of a shape [R,..], given by a key for each row of the last dimension. Kernels
// draw the factors from the keys.
struct DropoutKeys {
  Tensor keys;   // [rows], int64; undefined: nothing is dropped
  double p = 0;  // probability
  DropoutRows rows() const;
};
DropoutKeys dropout_keys(c10::IntArrayRef shape, double p, const Pass& pass);

// Dropout factors of a shape [R,..]: 0 with probability p, else 1/(1-p). On a CPU the value at a
// position depends only on the key of the draw, the index of the row and the position in the row,
// not on padding or threads. On other devices it also depends on the shape.
Tensor dropout_mask(c10::IntArrayRef shape, double p, const Tensor& like, const Pass& pass);
// Uniform in [0, 1), of a shape [R,..], with the same independence.
Tensor uniform_numbers(c10::IntArrayRef shape, const Tensor& like, const Pass& pass);
// x times a mask; x itself outside training or with p = 0.
Tensor dropout(const Tensor& x, double p, const Pass& pass);

}  // namespace heed
