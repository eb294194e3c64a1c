// Scheduled sampling (Bengio et al. 2015) in two passes (Mihaylova and Martins 2019): some tokens of
// the decoder's input are those that the model itself finds most probable, given the reference
// before them. It works with every decoder, at the cost of a further forward pass.
#pragma once

#include <cstdint>

#include "config/fields.h"
#include "model/seq2seq.h"

namespace heed {

struct ScheduledSamplingConfig final : Settings {
  double probability = 0.25;
  int64_t after = 0;
  int64_t over = 10000;
  void fields(Fields& f) const override;
  // Probability that an input is the model's own: rises linearly from 0 after update `after` to
  // `probability` over `over` updates.
  double at(int64_t update) const;
};

struct InputSampling {
  double probability = 0;
  int64_t given = 0;  // target tokens that search is given, and training keeps
};

// Inputs of the decoder [R,T] of which each but the first and those given is, with the probability,
// the most probable token by the model in place of the reference, unless that is the end of the
// sentence. Draws from the pass.
Tensor scheduled_inputs(Seq2Seq& network, const SourceBatches& sources, const TargetBatch& target,
                        const InputSampling& sampling, const Pass& pass);

}  // namespace heed
