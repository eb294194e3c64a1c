#include "train/objective.h"

#include <algorithm>

#include "nn/torch.h"

#include "base/error.h"
#include "nn/int8_training.h"
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
// and all later ones. picked: log p of the targets.  [R,T]
Tensor advantages(const Tensor& picked, const Tensor& targets, double baseline) {
  const Tensor above = (picked - baseline).masked_fill(targets == kPad, 0);
  return above.flip(1).cumsum(1).flip(1);
}

// Σ over the positions of the mask of KL(p‖q) + KL(q‖p) = Σ_v (p_v - q_v) (log p_v - log q_v), from
// log-probabilities [R,T,V].  []
Tensor symmetric_divergence(const Tensor& log_p, const Tensor& log_q, const Tensor& mask) {
  // Skips tokens that are impossible in one of the passes: their divergence would be infinite if
  // the other pass, with other sparse weights, gives them a probability.
  const Tensor impossible = torch::isinf(log_p) | torch::isinf(log_q);
  const Tensor difference = (log_p - log_q).masked_fill(impossible, 0);
  return ((log_p.exp() - log_q.exp()) * difference).sum(2).masked_fill(~mask, 0).sum();
}

}  // namespace

TargetBatch target_batch(const std::vector<Example>& examples, torch::Device device) {
  std::vector<Ids> sentences;
  for (const Example& example : examples) sentences.push_back(example.target);
  return target_batch(sentences, device);
}

// The alignment and the supporting facts of a batch, made once for all passes over it.
class CrossEntropy::Links {
 public:
  explicit Links(const std::vector<Example>& examples) : examples_(examples) {}
  // alignment_targets() in the shape of the weights [R,H,T,S]
  const Tensor& like(const Tensor& weights) {
    if (!made_)
      made_ = alignment_targets(examples_, weights.size(2), weights.size(3), weights.device());
    return *made_;
  }
  // fact_targets() of these passes
  const std::optional<FactTargets>& facts_of(const std::vector<SourcePass>& passes) {
    const Tensor& weights = passes.front().weights;
    if (!facts_) facts_ = fact_targets(examples_, passes.size(), weights.size(3), weights.device());
    return *facts_;
  }

 private:
  const std::vector<Example>& examples_;
  std::optional<Tensor> made_;
  std::optional<std::optional<FactTargets>> facts_;
};

// A forward pass over a batch.
struct CrossEntropy::Forward {
  Forward(Seq2Seq& network, Links& alignment, const SourceBatches& sources, const Tensor& inputs,
          const Pass& wanted)
      : links(alignment),
        pass(wanted),
        state(network.start(sources, pass, encoded)),
        step(network.advance(inputs, state)) {}
  Links& links;
  Pass pass;
  EncoderOutput encoded{};
  State state;
  Step step;
};

// True if a loss uses the attention weights over the source.
bool CrossEntropy::reads_weights(const Pass& pass) const {
  return pass.training && (settings_.coverage.weight > 0 || settings_.guided_alignment.weight > 0 ||
                           settings_.supporting_facts > 0);
}

void CrossEntropy::add_attention_losses(Forward& forward, const TargetBatch& target) const {
  if (!reads_weights(forward.pass)) return;
  Step& step = forward.step;
  const Tensor weights = alignment_weights(step);  // [R,H,T,S]
  HEED_CHECK(weights.defined(), "a loss of attention weights, and no weights");
  // Scores may be negative, so that these losses have no meaning for them.
  const bool are_scores = alignment_of(step)->form == WeightForm::kScores;
  if (settings_.coverage.weight > 0 && !are_scores)
    step.losses.push_back(coverage_loss(weights, settings_.coverage.weight));
  if (settings_.supporting_facts > 0) {
    const std::vector<SourcePass> passes = passes_over_source(step);
    if (const auto& facts = forward.links.facts_of(passes))
      step.losses.push_back(supporting_facts_loss(passes, *facts, target.outputs != kPad,
                                                  settings_.supporting_facts));
  }
  if (settings_.guided_alignment.weight == 0 || are_scores) return;
  const Tensor& alignment = forward.links.like(weights);  // [R,T,S]
  if (alignment.defined())
    step.losses.push_back(guided_alignment_loss(weights, alignment, settings_.guided_alignment));
}

// Sum of the losses of mechanisms and of attention weights; undefined if there are none.  []
Tensor CrossEntropy::auxiliary(Seq2Seq& network, Forward& forward,
                               const TargetBatch& target) const {
  add_attention_losses(forward, target);
  auto& [links, pass, encoded, state, step] = forward;
  Tensor advantage, of_sentence;  // [R,T], [R,1]
  if (pass.baseline && (has_policy(step.losses) || has_policy(encoded.losses))) {
    advantage = advantages(network.target_log_probs(step, target.outputs, state).detach(),
                           target.outputs, *pass.baseline);
    of_sentence = advantage.narrow(1, 0, 1);
  }
  const Tensor of_steps = sum_of(step.losses, target.outputs != kPad, advantage);
  const Tensor of_encoder = sum_of(encoded.losses, target.outputs != kPad, of_sentence);
  if (!of_steps.defined() || !of_encoder.defined())
    return of_steps.defined() ? of_steps : of_encoder;
  return of_steps + of_encoder;
}

TokenLoss CrossEntropy::loss_of(Seq2Seq& network, Forward& forward,
                                const TargetBatch& target) const {
  TokenLoss loss =
      network.loss(forward.step, target.outputs, settings_.label_smoothing, forward.state);
  const Tensor added = auxiliary(network, forward, target);
  if (added.defined()) loss.loss = loss.loss + added;
  return loss;
}

ObjectiveLoss CrossEntropy::loss(Seq2Seq& network, const std::vector<Example>& examples,
                                 const Pass& wanted, int64_t update_tokens) const {
  const Bf16Scope bf16(settings_.bf16);
  const Int8Scope int8(settings_.int8);
  Pass pass = wanted;
  pass.keep_weights = pass.keep_weights || reads_weights(pass);
  const SourceBatches sources = source_batches(examples, sources_, network.device());
  TargetBatch target = target_batch(examples, network.device());
  const auto& sampling = settings_.scheduled_sampling;
  if (pass.training && sampling && sampling->at(pass.update) > 0)
    target.inputs = scheduled_inputs(
        network, sources, target,
        {.probability = sampling->at(pass.update), .given = settings_.given}, pass);
  const bool is_twice = pass.training && settings_.r_drop > 0;
  const Pass second = is_twice ? pass.fork() : pass;
  Links links(examples);
  Forward forward(network, links, sources, target.inputs, pass);
  TokenLoss token_loss = loss_of(network, forward, target);
  if (is_twice) {
    Forward again(network, links, sources, target.inputs, second);
    const TokenLoss other = loss_of(network, again, target);
    const Tensor divergence =
        symmetric_divergence(network.log_probs(forward.step, forward.state),
                             network.log_probs(again.step, again.state), target.outputs != kPad);
    token_loss.loss = (token_loss.loss + other.loss) / 2 + divergence * (settings_.r_drop / 4);
  }
  ObjectiveLoss result;
  result.loss = token_loss.loss / static_cast<double>(update_tokens);
  result.sums = {token_loss.loss, token_loss, source_tokens(examples), std::ssize(examples)};
  return result;
}

}  // namespace heed
