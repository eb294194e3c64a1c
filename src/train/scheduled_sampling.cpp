#include "train/scheduled_sampling.h"

#include "nn/torch.h"

namespace heed {

Tensor scheduled_inputs(Seq2Seq& network, const SourceBatches& sources, const TargetBatch& target,
                        const InputSampling& sampling, const Pass& pass) {
  const int64_t kept = 1 + sampling.given, later = target.inputs.size(1) - kept;
  if (later <= 0) return target.inputs;
  const torch::NoGradGuard no_grad;
  State state = network.start(sources, Pass());
  const Step step = network.advance(target.inputs, state);
  const Tensor log_probs = network.log_probs(step, state);                  // [R,T,V]
  const Tensor own = log_probs.argmax(2).narrow(1, sampling.given, later);  // [R,T-K]
  const Tensor reference = target.inputs.narrow(1, kept, later);            // [R,T-K]
  const Tensor drawn =
      uniform_numbers(own.sizes(), log_probs, pass) < sampling.probability;  // [R,T-K]
  const Tensor taken = drawn & (reference != kPad) & (own != kPad) & (own != kEnd);
  return torch::cat({target.inputs.narrow(1, 0, kept), torch::where(taken, own, reference)}, 1);
}

}  // namespace heed
