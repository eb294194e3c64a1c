// The initial state of a recurrent decoder from the final states of several encoders (Zoph and
// Knight 2016); the sources are not changed.
//   basic      h = tanh(W [h_1; …; h_K]),  c = Σ c_k
//   child_sum  i = σ(Σ W_i^k h_k), f_k = σ(W_f^k h_k), o = σ(Σ W_o^k h_k), u = tanh(Σ W_u^k h_k),
//              c = i ⊙ u + Σ f_k ⊙ c_k,  h = o ⊙ tanh(c)
// in every layer of the state; the cells c are those of LSTMs, which child_sum needs. A sentence
// that lacks a source has zeros for its state.
#pragma once

#include "model/joiner.h"

namespace heed {

struct FinalStatesConfig : JoinerConfig {
  void fields(Fields&) const override {}
  void check(const AllSourceDims& sources, Problems& problems) const override;
  AllSourceDims dims(const AllSourceDims& sources) const override { return sources; }
};

struct BasicConfig final : FinalStatesConfig {
  std::shared_ptr<Joiner> build(const AllSourceDims& sources) const override;
};

struct ChildSumConfig final : FinalStatesConfig {
  void check(const AllSourceDims& sources, Problems& problems) const override;
  std::shared_ptr<Joiner> build(const AllSourceDims& sources) const override;
};

}  // namespace heed
