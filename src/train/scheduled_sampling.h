// Scheduled sampling (Bengio et al. 2015) in two passes (Mihaylova and Martins 2019): some tokens
// of the decoder's input are replaced by the most probable tokens of the model, given the reference
// before them. It works with every decoder, at the cost of an additional forward pass.
#pragma once

#include <cstdint>

#include "model/seq2seq.h"

namespace heed {

struct InputSampling {
  double probability = 0;
  int64_t given = 0;  // target tokens that are given to search and kept in training
};

// Inputs of the decoder [R,T]. With the probability, each token except the first and the given ones
// is replaced by the model's most probable token, unless that is the end of the sentence. Draws
// from the pass.
Tensor scheduled_inputs(Seq2Seq& network, const SourceBatches& sources, const TargetBatch& target,
                        const InputSampling& sampling, const Pass& pass);

}  // namespace heed
