// location: vᵀ tanh(W q + U k + b + M f), additive with features f of the previous weights:
//   convolved      f_s = F * a_{t-1} around s: filters over these weights (Chorowski et al.
//                  2015, equations 8 and 9)
//   coverage       c_s = Σ_{t'<t} a_{t'},s (See et al. 2017, equation 11)
//   both           convolved and coverage
//   fertility      C_{t,s} = C_{t-1,s} + a_{t,s} / Φ_s, Φ_s = N σ(U_f h_s): how much of a word
//                  is still to be translated (Tu et al. 2016, equations 6 to 8, linguistic
//                  coverage)
//   gru_coverage   C_{t,s} = GRU([a_{t,s}; h_s; q_t], C_{t-1,s}), d numbers of each word (Tu et al.
//                  2016, equation 9, neural coverage, with the gates of section 3.1.2)
// h_s is the key and q_t the query before projection.
#pragma once

#include "nn/attention/scores/additive.h"

namespace heed {

// The scores of `fertility`, where N = most, and of `gru_coverage`, where d = width (coverage.cpp).
// additive: settings of the score.
std::shared_ptr<Scorer> fertility_scorer(const StageDims& dims, const AdditiveConfig& additive,
                                         double most);
std::shared_ptr<Scorer> gru_coverage_scorer(const StageDims& dims, const AdditiveConfig& additive,
                                            int64_t width);

}  // namespace heed
