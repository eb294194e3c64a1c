// Attention of a recurrent decoder to its own past states h (Daniluk et al. 2017, "Frustratingly
// Short Attention Spans in Neural Language Modeling"). A state is used whole or split into parts:
//   whole              k_t = v_t = p_t = h_t
//   key_value          [k_t; v_t] = h_t, p_t = v_t
//   key_value_predict  [k_t; v_t; p_t] = h_t
// r_t is the context vector of the query k_t over the keys k_i and values v_i of the steps i < t;
// the output layer gets [p_t; r_t] instead of h_t.
#pragma once

#include <memory>

#include "model/decoders/past_config.h"
#include "nn/attention/attention.h"
#include "nn/module.h"

namespace heed {

class Past final : public Module {
 public:
  Past(const PastConfig& config, int64_t width);
  // Maps states h [R,T,W] at positions [R,T] to [p; r] [R,T,P+V], and appends them to the past.
  // `attended` gets the result of the attention. One call with T states equals T calls with one.
  Tensor read(const Tensor& hidden, const Tensor& positions, StateView state, Attended& attended);

 private:
  PastConfig::Parts parts_;
  std::shared_ptr<Attention> attention_;
  StateBlock own_;
};

}  // namespace heed
