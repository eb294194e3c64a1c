// Cross-entropy of the gates (Kumar et al. 2016, section 4.1): J = α E(gates) + β E(answers) with
// β = 1. Each pass of the decoder's attention over the sentences of a story learns to read a
// supporting fact.
//   pass t of P learns fact t; the last one learns fact P and all further ones, with equal shares;
//   passes behind the last fact learn that fact, too
//   shares w_c (softmax): E = -Σ_c A_c log(w_c + ε),  A_c = 1/n for n facts
//   gates g_c (sigmoid):  E = -Σ_c (y_c log(g_c + ε) + (1 - y_c) log(1 - g_c + ε)),  y_c = 1 for facts
// ε = 10⁻⁶. E(gates) is the sum over the passes. It counts once for each question: it is the mean
// over the target tokens, which may read the story anew. Heads are averaged.
#pragma once

#include <optional>
#include <vector>

#include "data/example.h"
#include "model/decoder.h"

namespace heed {

// Sentences of the stories of a batch, C at most, and the facts of each of P passes.
struct FactTargets {
  Tensor members;  // [R,C,S] 1 where source position s is of sentence c, else 0
  Tensor wanted;   // [P,R,C] A_c; 0 for all sentences if a pass has no fact
};

// sources: number S of positions. nullopt if no example has facts.
std::optional<FactTargets> fact_targets(const std::vector<Example>& examples, size_t passes,
                                        int64_t sources, torch::Device device);

// mask [R,T] of the target tokens -> [R,T]
SideLoss supporting_facts_loss(const std::vector<SourcePass>& passes, const FactTargets& targets,
                               const Tensor& mask, double weight);

}  // namespace heed
