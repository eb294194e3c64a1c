// Adaptive computation time (Graves 2016, "Adaptive Computation Time for Recurrent Neural
// Networks", equations 5 to 14), for the hops of an attention and the cells of a recurrent layer.
// After step n, which gives the state s_n, the halting unit is h_n = sigmoid(wᵀ s_n + b). A row
// halts at the first N with Σ_{n<=N} h_n >= 1 - ε, or at the maximum. The halting probabilities are
// p_n = h_n, and for the last step the remainder R = 1 - Σ_{n<N} h_n. The results of the steps are
// averaged with the weights p_n; the ponder cost is N + R. b is 1 at first, so that rows have few
// steps (section 3 there).
#pragma once

#include <string>

#include "nn/halting_config.h"
#include "nn/linear.h"

namespace heed {

// The halting unit, a parameter of its owner.
class Halting {
 public:
  Halting() = default;  // none
  Halting(Module& owner, const std::string& name, const HaltingSettings& settings, int64_t width);
  explicit operator bool() const { return static_cast<bool>(unit_); }

 private:
  friend class HaltingRows;
  HaltingSettings settings_;
  Linear unit_;
};

// The steps of a batch of rows, each of which halts for itself.
class HaltingRows {
 public:
  explicit HaltingRows(const Halting& halting) : halting_(halting) {}
  // Returns p_n of the next states [..,W], 0 in rows that have halted.  [..]
  Tensor next(const Tensor& state);
  // True if every row has halted; further steps would change nothing.
  bool all_halted() const;
  Tensor ponder() const { return ponder_; }  // N + R of the rows that have halted  [..]

 private:
  const Halting& halting_;
  int64_t steps_ = 0;
  Tensor halted_, ponder_;  // [..] Σ p_n, N + R
  Tensor active_;           // [..] bool
};

}  // namespace heed
