// Outputs: target tokens in, distributions over the next token out. Search does not know which one
// is in use.
#pragma once

#include <memory>

#include "config/fields.h"
#include "data/copyable.h"
#include "model/decoder.h"
#include "nn/embedding.h"
#include "nn/module.h"

namespace heed {

// Of one batch, summed over its target tokens; padding does not count. Tensors are [].
struct TokenLoss {
  Tensor loss;  // what is minimised: negative log-probability, smoothed. Carries the gradient
  Tensor negative_log_probability;  // not smoothed, nats; double
  int64_t tokens = 0;
  Tensor correct;  // int64, tokens that are the most probable ones
};

class Output : public Module {
 public:
  // What is put into `state` once the sources are known (ids that can be copied).
  virtual void start(const EncoderOutput& source, const StateView& state) {}
  // tokens [R,T] -> [R,T,E]; ids beyond the vocabulary are extended ones.
  virtual Tensor embed(const Tensor& tokens, const StateView& state) = 0;
  virtual Tensor log_probs(const Step& step,
                           const StateView& state) = 0;  // [R,T,V+X]; what a sentence lacks is -inf
  // Cross-entropy with targets [R,T], kPad where nothing counts; smoothing shares out among what a
  // sentence can give. An output that need not form log_probs for it overrides it.
  virtual TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                         const StateView& state);
  // True: the tokens are fed one by one, because the next embed needs what this step saw.
  virtual bool stepwise() const { return false; }
  virtual void observe(const Step& step, const StateView& state) {}
};

struct OutputDims {
  int64_t input = 0, hidden = 0;  // widths of Step::input and Step::hidden
  SourceAttention attention{};
  SourceSpec source{};           // what can be copied from
  bool of_text = true;           // whether its positions are those of the text
  bool tie = false;              // the weights of the softmax are the embedding's
  std::optional<double> norm{};  // DecoderConfig::output_norm
};

struct OutputConfig : KindSettings {
  // Whether it gives probabilities to pieces of the source: the first one, where there are several.
  virtual bool copies() const { return false; }
  // What targets it gives probabilities to.
  virtual Writes writes() const { return Writes::kAnything; }
  // Whether it reads the weights of the decoder's attention.
  virtual bool reads_weights() const { return false; }
  // Width of what embed gives.
  virtual int64_t input_width(int64_t embedding, const SourceSpec& source) const {
    return embedding;
  }
  virtual void check(const OutputDims& dims, Problems& problems) const {}
  // embedding: of the target.
  virtual std::shared_ptr<Output> build(const OutputDims& dims,
                                        std::shared_ptr<Embedding> embedding) const = 0;
};
const Registry<OutputConfig>& outputs();

}  // namespace heed
