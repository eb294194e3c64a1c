#include "train/objective.h"

#include <algorithm>

#include "nn/torch.h"

#include "base/error.h"
#include "nn/product.h"

namespace heed {

namespace {

bool has_policy(const std::vector<SideLoss>& losses) {
  return std::any_of(losses.begin(), losses.end(), [](const SideLoss& l) { return l.is_policy; });
}

// Sum over the positions of SideLoss::counted, by default `mask`; every loss has their shape, or
// [R,1]. The log-probability of a sampled choice is multiplied by its advantage [R,T] or [R,1]:
// REINFORCE (Williams 1992; Xu et al. 2015, equation 12). Without a baseline it is skipped.
Tensor sum_of(const std::vector<SideLoss>& losses, const Tensor& mask, const Tensor& advantage) {
  Tensor sum;
  for (const SideLoss& loss : losses) {
    const Tensor own = loss.counted.defined() ? loss.counted : mask;
    const Tensor counted = loss.value.size(1) == 1 ? own.narrow(1, 0, 1) : own;
    HEED_CHECK(loss.value.sizes() == counted.sizes(), "{}", loss.name);
    if (loss.is_policy && !advantage.defined()) continue;
    const Tensor cost = loss.is_policy ? -advantage * loss.value : loss.value;
    HEED_CHECK(cost.sizes() == counted.sizes(), "{}", loss.name);
    const Tensor value = cost.masked_fill(~counted, 0).sum() * loss.weight;  // []
    sum = sum.defined() ? sum + value : value;
  }
  return sum;
}

// Advantage of a choice at each target token: the sum of log p minus the baseline over this token
// and all later ones.  [R,T]
Tensor advantages(const Tensor& log_probs, const Tensor& targets, double baseline) {
  const Tensor picked = log_probs.detach().gather(2, targets.unsqueeze(2)).squeeze(2);  // [R,T]
  const Tensor above = (picked - baseline).masked_fill(targets == kPad, 0);
  return above.flip(1).cumsum(1).flip(1);
}

}  // namespace

TargetBatch target_batch(const std::vector<Example>& examples, torch::Device device) {
  std::vector<Ids> sentences;
  for (const Example& example : examples) sentences.push_back(example.target);
  return target_batch(sentences, device);
}

ObjectiveLoss CrossEntropy::loss(Seq2Seq& network, const std::vector<Example>& examples,
                                 const Pass& wanted, int64_t update_tokens) const {
  const Bf16Scope bf16(settings_.bf16);
  Pass pass = wanted;
  const bool covers = pass.training && settings_.coverage.counts_at(pass.update);
  pass.keep_weights = pass.keep_weights || covers;
  const torch::Device device = network.device();
  const SourceBatches sources = source_batches(examples, sources_, device);
  const TargetBatch target = target_batch(examples, device);
  EncoderOutput encoded;
  State state = network.start(sources, pass, encoded);
  Step step = network.advance(target.inputs, state);
  if (covers) {
    const Attended* read = alignment_of(step);
    HEED_CHECK(read != nullptr, "a coverage loss, and no weights");
    step.losses.push_back(coverage_loss(read->weights, settings_.coverage.weight));
  }
  const TokenLoss token_loss = network.loss(step, target.outputs, settings_.label_smoothing, state);

  Tensor loss = token_loss.loss;  // []
  Tensor advantage, of_sentence;  // [R,T], [R,1]
  if (pass.baseline && (has_policy(step.losses) || has_policy(encoded.losses))) {
    advantage = advantages(network.log_probs(step, state), target.outputs, *pass.baseline);
    of_sentence = advantage.narrow(1, 0, 1);
  }
  for (const Tensor& auxiliary : {sum_of(step.losses, target.outputs != kPad, advantage),
                                  sum_of(encoded.losses, target.outputs != kPad, of_sentence)}) {
    if (auxiliary.defined()) loss = loss + auxiliary;
  }
  ObjectiveLoss result;
  result.loss = loss / static_cast<double>(update_tokens);
  result.sums = {loss, token_loss, source_tokens(examples), std::ssize(examples)};
  return result;
}

}  // namespace heed
