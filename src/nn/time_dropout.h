// Dropout in recurrent networks: a mask for each time step, or one for all time steps of a sentence
// (variational dropout; Gal and Ghahramani 2016, "A Theoretically Grounded Application of Dropout in
// Recurrent Neural Networks").
#pragma once

#include <optional>
#include <string>

#include "nn/layer_config.h"
#include "nn/pass.h"
#include "nn/state.h"

namespace heed {

// x [R,S,W] of all time steps times its mask, [R,S,W] or [R,1,W]; x itself outside training.
Tensor dropout_over_time(const Tensor& x, double p, DropoutMask mask, const Pass& pass);

// Dropout at one point of a decoder, whose time steps may come in several calls: a mask for the
// sentence is drawn before the first step and is kept in the decoder state.
class TimeDropout {
 public:
  TimeDropout() = default;  // drops nothing
  // keeps: of the module that it is in; name: of the state entry; width: of x
  TimeDropout(StateLayout& keeps, const std::string& name, double p, int64_t width,
              DropoutMask mask);
  // Draws the mask of a sentence; state: of the same module, before the first step.
  void start(const Tensor& like, StateView state) const;
  // x [R,W] or [R,T,W]; pass: of the masks of time steps
  Tensor operator()(const Tensor& x, const StateView& state, const Pass& pass) const;
  // The mask of the sentence, [R,W]; undefined outside training and where there is none.
  Tensor mask(const StateView& state) const;

 private:
  double p_ = 0;
  int64_t width_ = 0;
  std::optional<CarrySlot> mask_;  // [R,W]; none: a mask for each time step
};

}  // namespace heed
