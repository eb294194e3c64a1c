#include "model/outputs/generate_or_copy.h"

#include "nn/torch.h"

#include "model/outputs/copying.h"
#include "nn/target_log_softmax.h"
#include "text/vocabulary.h"

namespace heed {

namespace {

// Divides log masses [..,1] and [..,S] by the sum of all.
void normalize_masses(Tensor& generating, Tensor& copying) {
  const Tensor whole = torch::logaddexp(generating, log_sum(copying));  // [..,1]
  generating = generating - whole;
  copying = copying - whole;
}

// Tokens [N,1] that are the most probable of the mixture, of which ids [N,S] are copied.
Tensor count_correct(const Tensor& tokens, const Tensor& generated, const Tensor& copied,
                     const Tensor& ids, int64_t size) {
  Tensor mixture = torch::constant_pad_nd(generated, {0, size - generated.size(1)});  // [N,V+X]
  mixture.scatter_add_(1, ids, copied);
  return mixture.argmax(1, true).eq(tokens).sum();
}

}  // namespace

Tensor GenerateOrCopy::log_probs(const Step& step, const StateView& state) {
  const int64_t words = vocabulary();
  const Tensor scores = this->scores(step.hidden);            // [R,T,V]
  const Tensor log_norm = torch::logsumexp(scores, 2, true);  // [R,T,1]
  Tensor generating = this->generating(step), copying = this->copying(step, state);
  if (!generating.defined()) generating = log_norm;
  normalize_masses(generating, copying);
  const Tensor generated = scores - log_norm + generating;          // [R,T,V]
  const Tensor copied = copies_.get(state, words).gather(copying);  // [R,T,V+X]
  const Tensor both = torch::logaddexp(generated, copied.narrow(2, 0, words));
  return torch::cat({both, copied.narrow(2, words, copied.size(2) - words)}, 2);
}

TokenLoss GenerateOrCopy::loss(const Step& step, const Tensor& targets, double label_smoothing,
                               const StateView& state) {
  if (label_smoothing > 0) return Output::loss(step, targets, label_smoothing, state);
  const CountedTargets counted(targets);
  const Tensor right = counted.ids.unsqueeze(1);  // [N,1]
  const Tensor behind = right >= vocabulary();    // [N,1]
  const TargetLogSoftmax words =
      target_log_softmax(counted.rows_of(projected(step.hidden)), weight(), bias(),
                         right.masked_fill(behind, kUnknown).squeeze(1));
  Tensor generating = this->generating(step), copying = counted.rows_of(this->copying(step, state));
  generating = generating.defined() ? counted.rows_of(generating) : words.log_norm;
  normalize_masses(generating, copying);

  const CopiedIds copies = copies_.get(state, vocabulary());
  const Tensor ids = copies.of_rows(counted.positions.div(targets.size(1), "floor"));  // [N,S]
  const Tensor generated = words.log_probs.masked_fill(behind, kNever) + generating;   // [N,1]
  Tensor copied = log_sum(copying.masked_fill(ids != right, kNever));                  // [N,1]
  copied = torch::where(generated == kNever, bounded(copied), copied);
  const Tensor cost = -torch::logaddexp(generated, copied).sum();  // []
  const torch::NoGradGuard no_grad;
  return {cost, cost.detach().to(torch::kDouble), counted.size(),
          count_correct(right, words.probabilities * generating.exp(), copying.exp(), ids,
                        copies.size())};
}

}  // namespace heed
