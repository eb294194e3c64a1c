// Output layers: read target tokens and compute distributions over the next token. Search is
// independent of the kind.
#pragma once

#include <limits>

#include "model/decoder.h"
#include "model/output_config.h"
#include "nn/embedding.h"
#include "nn/module.h"

namespace heed {

// Loss of a batch, summed over its target tokens without padding. Tensors are [].
struct TokenLoss {
  Tensor loss;  // smoothed negative log-probability, which is minimised; carries the gradient
  Tensor negative_log_probability;  // not smoothed, nats; double
  int64_t tokens = 0;
  Tensor correct;  // int64, number of tokens that are the most probable ones
};

// The targets [R,T] of a batch that count: N tokens, without kPad.
struct CountedTargets {
  explicit CountedTargets(const Tensor& targets);
  Tensor positions;                             // [N] in R·T
  Tensor ids;                                   // [N]
  int64_t size() const { return ids.size(0); }  // N
  Tensor rows_of(const Tensor& x) const;        // [R,T,..] -> [N,..]
};

inline constexpr double kNever = -std::numeric_limits<double>::infinity();  // log of probability 0
// Smallest probability of a target in training. A position without weight in sparse attention
// cannot be copied, and would make the loss infinite.
inline constexpr double kLeastProbability = 1e-10;
// Log-probabilities of targets, in which log kLeastProbability replaces -inf, without gradient
// there.
Tensor bounded(const Tensor& log_probs);

// True for the first token of each target, given the state after the step.  [R,T,1]
Tensor is_first_token(const Step& step, const StateView& state);

class Output : public Module {
 public:
  // Stores data of the sources in `state` (ids that can be copied).
  virtual void start(const EncoderOutput& source, const StateView& state) {}
  // tokens [R,T] -> [R,T,E]; ids beyond the vocabulary are extended ones.
  virtual Tensor embed(const Tensor& tokens, const StateView& state) = 0;
  // [R,T,V+X]; -inf for ids of other sentences.
  virtual Tensor log_probs(const Step& step, const StateView& state) = 0;
  // Log-probabilities of targets [R,T], bounded, for losses; 0 for kPad. [R,T]. Overridden by
  // outputs that can compute them without all of log_probs.
  virtual Tensor target_log_probs(const Step& step, const Tensor& targets, const StateView& state);
  // Cross-entropy with targets [R,T], without kPad. Label smoothing is over the tokens that a
  // sentence can produce. Overridden by outputs that can compute it without all of log_probs.
  virtual TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                         const StateView& state);
  // True if the tokens are fed one by one, because embed() needs the previous step (observe()).
  virtual bool stepwise() const { return false; }
  // Called after each step with the tokens [R,T] that it has read. May add to the step.
  virtual void observe(const Tensor& tokens, Step& step, const StateView& state) {}
};

}  // namespace heed
