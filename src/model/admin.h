// Initialization of Admin (Liu et al. 2020, section 4.2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/seq2seq.h"

namespace heed {

// Number of residual connections with `norm: admin` in a network.
int64_t count_omegas(Seq2Seq& network);

// Sets ω of each of them, in the encoder and in the decoder separately, by the sentences:
//   ω_i = √(Var[x_0] + Σ_{j<i} Var[f_j(x_{j-1})]),  ω_1 = 1
// Variances are those of forward passes with ω = 1, as in the paper, without dropout. x_0 is the
// input of the first layer; ω_1 and Var[x_0] are those of the authors' code. Each sentence is
// computed alone, so that padding does not count. sources: names of the sources.
void initialize_omegas(Seq2Seq& network, const std::vector<Example>& sentences,
                       const std::vector<std::string>& sources);

}  // namespace heed
