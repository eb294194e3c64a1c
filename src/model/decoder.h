// Decoders: one path for training and for search.
#pragma once

#include <optional>
#include <vector>

#include "model/decoder_config.h"
#include "model/encoder.h"
#include "nn/attention/attention.h"
#include "nn/module.h"
#include "nn/state.h"

namespace heed {

// The attention over the source that alignments are made from.
struct AlignmentChoice {
  std::optional<int64_t> layer;  // counted from 0; none: the last one with weights
  std::vector<int64_t> heads;    // counted from 0; empty: all
};

// Output of a decoder for the tokens just read.
struct Step {
  Tensor input;   // [R,T,E] embedded tokens; with context feeding merged with the context vectors
  Tensor hidden;  // [R,T,W] input of the output layer
  Tensor state;   // [R,T,D] state s_t of a recurrent decoder, before the output layer and without
                  // dropout (DecoderConfig::state_width); else undefined
  std::vector<Attended> attended;
  std::vector<SideLoss> losses;
  AlignmentChoice alignment;
  // [R,T,S] log p(a_t = s) of an output that sums over alignments (OutputConfig::aligns()); finite.
  Tensor log_alignment;

  // Stores the result of one attention of this step, with its losses; returns its context.
  Tensor take(const Site& site, Attended one);
};

// Concatenates steps of one token each to one step.
Step join_steps(const std::vector<Step>& steps);

class Decoder : public Module {
 public:
  // Stores the initial decoder state of each sentence in `state`.
  virtual void start(const EncoderOutput& source, StateView state) = 0;
  // Processes inputs [R,T,E], T >= 1. The first input has the position State::positions, which
  // advance by T. One call with T tokens equals T calls with one.
  virtual Step advance(const Tensor& inputs, StateView state) = 0;
};

// Attention over the source that alignments and plots use: that of the last decoder layer that has
// weights, or of the chosen layer; with separate attentions over several sources, the one over the
// first source. nullptr if there is none or the pass keeps no weights.
const Attended* alignment_of(const Step& step);
// Its weights, of the chosen heads alone; undefined if there are none.  [R,H,T,S]
Tensor alignment_weights(const Step& step);

// Weights of one pass over the source.
struct SourcePass {
  Tensor weights;  // [R,H,T,S]
  WeightForm form = WeightForm::kShares;
};
// The passes of that attention in their order: its hops, or itself alone; of the chosen heads.
std::vector<SourcePass> passes_over_source(const Step& step);

// Returns the positions of the next `count` tokens [R,count], and advances the positions of the
// state by `count`.
Tensor take_positions(StateView state, int64_t count);

}  // namespace heed
