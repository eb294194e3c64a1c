// Decoders: one path for training and for search.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "model/encoder.h"
#include "nn/attention/attention.h"
#include "nn/module.h"
#include "nn/state.h"

namespace heed {

// Output of a decoder for the tokens just read.
struct Step {
  Tensor input;   // [R,T,E] embedded tokens
  Tensor hidden;  // [R,T,W] input of the output layer
  std::vector<Attended> attended;
  std::vector<SideLoss> losses;

  // Stores the result of one attention of this step, with its losses; returns its context.
  Tensor take(const Site& site, Attended one);
};

// Concatenates steps of one token each to one step.
Step join_steps(const std::vector<Step>& steps);

class Decoder : public Module {
 public:
  // Stores the initial decoder state of each sentence in `state`.
  virtual void start(const EncoderOutput& source, StateView state) = 0;
  // Processes inputs [R,T,E], T >= 1, at the positions of the state, and advances these positions.
  // One call with T tokens equals T calls with one.
  virtual Step advance(const Tensor& inputs, StateView state) = 0;
};

// Attention over the source that alignments and plots use: that of the last decoder layer that has
// weights; with separate attentions over several sources, the one over the first source. nullptr if
// there is none or the pass keeps no weights.
const Attended* alignment_of(const Step& step);

// Returns the positions of the next T tokens [R,T], and advances the positions of the state by T.
Tensor take_positions(StateView state, int64_t count);

struct DecoderDims {
  int64_t input = 0;  // width of the embeddings
  std::map<std::string, SourceDims> sources;
  int64_t tags = 0;  // AttentionDims::tags
};

// Attention over the source in the last decoder layer that has weights. Used for alignments, plots
// and outputs that copy.
struct SourceAttention {
  int64_t heads = 0;         // of its weights; 0: no weights
  int64_t context = 0;       // width of the context vector
  std::string source;        // the source that the weights are over
  bool has_gradient = true;  // whether a loss of its weights trains it
};

// Dimensions of the attention over the sources in a decoder layer with queries of width `query`.
// block: AttentionDims::block.
AttentionDims cross_dims(const DecoderDims& dims, int64_t query, int64_t block);
SourceAttention source_attention_of(const AttentionConfig& attention, const AttentionDims& dims);
// Calls AttentionConfig::check; with several sources also checks that the attention supports them.
void check_cross(const AttentionConfig& attention, const AttentionDims& dims, Problems& problems);

struct DecoderConfig : KindSettings {
  virtual int64_t hidden_width() const = 0;
  virtual SourceAttention source_attention(const DecoderDims& dims) const = 0;
  // Number of attentions that need scaled encoder gradients (Encoder::read_by).
  virtual int64_t attentions_that_scale() const { return 0; }
  // True if its layers can be recomputed in the backward pass (recomputed_layer.h).
  virtual bool can_recompute() const { return false; }
  // Initial norm of the rows of the output layer under weight norm; none: no weight norm.
  virtual std::optional<double> output_norm() const { return std::nullopt; }
  virtual void check(const DecoderDims& dims, Problems& problems) const {}
  virtual std::shared_ptr<Decoder> build(const DecoderDims& dims) const = 0;
};
const Registry<DecoderConfig>& decoders();

}  // namespace heed
