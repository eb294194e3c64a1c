#include "model/decoders/rnn_config.h"

#include <algorithm>

#include "config/absent.h"
#include "config/idle.h"
#include "config/sizes.h"
#include "model/context_of_values_spec.h"
#include "nn/attention/staged_config.h"

namespace heed {

namespace {

void peer_fields(Fields& f) {
  f.peers("cell", {.joeynmt = "rnn_type", .opennmt = "rnn_type", .marian = "dec-cell"});
  f.peers("layers", {.joeynmt = "num_layers",
                     .opennmt = "dec_layers",
                     .marian = "dec-depth",
                     .also = "n_layers"});
  f.peers("width", {.joeynmt = "hidden_size",
                    .opennmt = "hidden_size",
                    .marian = "dim-rnn",
                    .also = "hid_dim, rnn_size, d_model"});
  f.peers("transition_depth", {.marian = "dec-cell-high-depth"});
  f.peers("base_transition_depth", {.marian = "dec-cell-base-depth"});
  f.peers("attend: conditional",
          {.marian = "(the decoder of `s2s` and `nematus`)", .nematus = "decoder: gru_cond"});
  f.peers("deep_context", {.marian = "dec-high-context: repeat", .nematus = "dec_deep_context"});
  f.peers("residual", {.marian = "skip"});
  f.peers("bridge: mean", {.marian = "(the first state of `s2s`)"});
  f.peers("input_feeding", {.joeynmt = "model.decoder.input_feeding", .opennmt = "input_feed"});
  f.peers("bridge",
          {.joeynmt = "model.decoder.init_hidden",
           .opennmt = "bridge",
           .marian = "(`s2s` has `mean`)",
           .note = "`shared` is `bridge` of JoeyNMT, `last` is OpenNMT-py without `bridge`"});
  f.peers("attention.score: additive", {.joeynmt = "model.decoder.attention: bahdanau",
                                        .opennmt = "global_attention: mlp",
                                        .marian = "(the attention of `s2s`)"});
  f.peers("attention.score: general",
          {.joeynmt = "model.decoder.attention: luong", .opennmt = "global_attention: general"});
}

}  // namespace

RnnDecoderConfig::RnnDecoderConfig() : attention(std::make_shared<StagedConfig>()) {}

void RnnDecoderConfig::fields(Fields& f) {
  static const Words<OutputActivation> output_activations = {{"tanh", OutputActivation::kTanh},
                                                             {"maxout", OutputActivation::kMaxout},
                                                             {"linear", OutputActivation::kLinear},
                                                             {"none", OutputActivation::kNone}};
  static const Words<Attend> attend_words = {{"before", Attend::kBefore},
                                             {"after", Attend::kAfter},
                                             {"conditional", Attend::kConditional},
                                             {"deep_fusion", Attend::kDeepFusion}};
  static const Words<Bridge> bridge_words = {
      {"none", Bridge::kNone}, {"last", Bridge::kLast},     {"tanh", Bridge::kTanh},
      {"relu", Bridge::kRelu}, {"shared", Bridge::kShared}, {"backward", Bridge::kBackward},
      {"mean", Bridge::kMean}};
  static const Words<OutputState> output_states = {{"current", OutputState::kCurrent},
                                                   {"previous", OutputState::kPrevious}};
  static const Words<ReadState> read_state_words = {{"hidden", ReadState::kHidden},
                                                    {"hidden_and_cell", ReadState::kHiddenAndCell}};
  absent(f, "preset",
         "is now a key of the model, and sets all of it: `model: {preset: luong}`. Write that, or "
         "what was set here: for luong `attend: after, input_feeding: true, output_activation: "
         "tanh, deep_output: false, attention: {score: general}`; for bahdanau nothing, since "
         "these are the defaults");
  f.choice("cell", cell, cell_words(), "recurrent cell: LSTM (Hochreiter 1997) or GRU (Cho 2014)");
  reset_field(f, reset, cell);
  f.field("layers", layers, kLayers, "number of layers");
  f.field("transition_depth", transition_depth, kRounds,
          "cells of a layer within a time step, of which the first has the input (Miceli Barone "
          "2017)");
  f.field("base_transition_depth", base_transition_depth, kRounds,
          "cells of the first layer within a time step, before and after the attention; none: "
          "transition_depth, at least 2 with `attend: conditional`");
  if (layers == 1 && base_transition_depth)
    idle(f, "transition_depth", "with one layer and `base_transition_depth`");
  f.field("width", width, kWidths, "width of the states");
  f.choice("attend", attend, attend_words,
           "before the cell (Bahdanau 2015), after it (Luong 2015), between two cells of the first "
           "layer (conditional GRU, Sennrich 2017), or into the memory of the first layer, an LSTM "
           "(deep fusion, Cheng 2016)");
  f.field("deep_context", deep_context,
          "the query is the state of the first layer, and the context vector an input of every "
          "layer above it (GNMT, Wu 2016)");
  f.field("input_feeding", input_feeding,
          "input feeding: the previous attentional state is an input of the cell (Luong 2015)");
  f.field("context_feeding", context_feeding,
          "the input of the cell is x_t = W [e_t; c_{t-1}] + b, of token embedding and previous "
          "context vector and as wide as the embedding (See 2017)");
  f.choice("read_state", read_state, read_state_words,
           "decoder state s_t that the attention reads, and an output layer with `state: decoder`: "
           "h_t, or [h_t; c_t] of an LSTM (code of See 2017)");
  f.choice("output_activation", output_activation, output_activations,
           "activation of the output layer: tanh, maxout over pairs (Bahdanau 2015), or linear; "
           "none: there is no such layer, the state itself is its result (Gu 2016, Vinyals 2015)");
  f.field("deep_output", deep_output,
          "deep output: the output layer reads token embedding, state and context vector (Bahdanau "
          "2015)");
  f.choice("output_state", output_state, output_states,
           "state that the output layer reads: that of the time step, s_t (Bahdanau 2015, equation "
           "4), or with `attend: before` the one before it, s_{t-1} (appendix A.2)");
  f.field("output_width", output_width, kWidths,
          "width of the activations of the output layer; none: width");
  if (output_activation == OutputActivation::kNone) {
    idle(f, "deep_output", "with `output_activation: none`");
    idle(f, "output_width", "with `output_activation: none`");
  }
  f.choice(
      "bridge", bridge, bridge_words,
      "initial state: zeros, the last encoder state, its projection with tanh or relu (code of "
      "See 2017), shared: one projection with tanh of the hidden state of the encoder's last "
      "layer, for hidden and cell states of all layers (as JoeyNMT), backward: the projection "
      "with tanh of the backward encoder state at the first position (Bahdanau 2015), or mean: one "
      "projection with tanh of the mean of all encoder states, for all states as shared (Sennrich "
      "2017)");
  f.field("bridge_from", bridge_from,
          "several sources: the one whose last state is the initial state; none: the first in "
          "alphabetical order");
  f.field("residual", residual, "residual connections, from the second layer on");
  norm.fields(f);
  recurrent_dropout_fields(f, dropout, dropout_mask, variational_dropout);
  f.one_of("attention", attention, attentions(), "attention over the source");
  f.section("past", past,
            "attention over its own previous states, for the output layer (Daniluk 2017)");
  f.section("intra_attention", intra_attention,
            "attention over its own previous states, in place of the last state of a cell (LSTMN, "
            "Cheng 2016)");
  f.section("adaptive", adaptive,
            "adaptive computation time: a learned number of cell updates in a time step (Graves "
            "2016)");
  peer_fields(f);
}

// The query of deep fusion is the input of the first layer and the hidden states that were read.
AttentionDims RnnDecoderConfig::attention_dims(const DecoderDims& dims) const {
  if (attend != Attend::kDeepFusion) return heed::cross_dims(dims, state_width(), 0);
  const SourceDims source = fused_source(dims);
  return heed::cross_dims(dims, first_input(dims) + source.source.value - source.memory, 0);
}

RecurrentDims RnnDecoderConfig::layer_dims(int64_t layer, const DecoderDims& dims) const {
  const int64_t context = attention->context_width(attention_dims(dims));
  if (layer > 0) return {cell, width + (deep_context ? context : 0), width};
  return {cell, first_input(dims) + (attend == Attend::kBefore ? context : 0), width};
}

SourceDims RnnDecoderConfig::fused_source(const DecoderDims& dims) const {
  if (dims.sources.empty()) return {};
  const auto named = dims.sources.find(attention->source());
  return named == dims.sources.end() ? dims.sources.begin()->second : named->second;
}

void RnnDecoderConfig::check_deep_fusion(const DecoderDims& dims, Problems& problems) const {
  if (attend != Attend::kDeepFusion) return;
  const SourceDims source = fused_source(dims);
  if (!attention->reads())
    problems.add("attend",
                 "deep_fusion adds what the attention reads, and there is `attention: none`: use "
                 "before");
  else if (cell != CellKind::kLstm)
    problems.add("attend", fmt::format("deep_fusion adds to the memory of an LSTM, but the cell is "
                                       "{}: use `cell: lstm`",
                                       cell_name(cell)));
  else if (source.memory == 0)
    problems.add("attend",
                 "deep_fusion reads the memories of the encoder, which it does not have: use an "
                 "encoder {type: rnn, cell: lstm, memory_tape: true}");
  else if (source.memory != width)
    problems.add("attend", fmt::format("deep_fusion adds memories of the encoder, of width {}, to "
                                       "those of the decoder, of width {}: make them equal",
                                       source.memory, width));
  else if (!is_context_of_values(*attention, attention_dims(dims), source.source.value))
    problems.add(
        "attend",
        fmt::format("deep_fusion reads hidden states and memories of one encoder, together "
                    "of width {}, but the context vector of {} is no weighted sum of "
                    "them: use another attention",
                    source.source.value, attention->type));
  if (adaptive)
    problems.add("adaptive",
                 "repeats the cell, but `attend: deep_fusion` adds to its memory once in a time "
                 "step: use before or after");
}

void RnnDecoderConfig::check_intra_attention(const DecoderDims& dims, Problems& problems) const {
  if (!intra_attention) return;
  ProblemsAt at(problems, "intra_attention");
  const RecurrentDims first = layer_dims(0, dims), above = layer_dims(1, dims);
  intra_attention->check(first, at);
  if (layers > 1 && above.input != first.input) intra_attention->check(above, at);
}

void RnnDecoderConfig::check(const DecoderDims& dims, Problems& problems) const {
  ProblemsAt at(problems, "attention");
  check_cross(*attention, attention_dims(dims), at);
  if (attend == Attend::kConditional && !attention->reads())
    problems.add("attend",
                 "conditional needs a context vector, which `attention: none` lacks: use before");
  if (attend == Attend::kConditional && base_depth() < 2)
    problems.add("base_transition_depth",
                 "is 1, but `attend: conditional` has a cell before the attention and one after "
                 "it: use 2 or more");
  norm.check(cell, reset, problems);
  if (deep_context && (layers < 2 || !attention->reads()))
    problems.add("deep_context",
                 fmt::format("makes the context vector an input of the layers above the first, and "
                             "there is no {}: leave it out",
                             layers < 2 ? "such layer" : "attention"));
  check_output_state(problems);
  if (context_feeding && !attention->reads())
    problems.add("context_feeding",
                 "needs a context vector, which `attention: none` lacks: leave it out");
  if (read_state == ReadState::kHiddenAndCell && cell != CellKind::kLstm)
    problems.add("read_state",
                 fmt::format("hidden_and_cell needs `cell: lstm`, and a {} has no memory cell: use "
                             "hidden",
                             cell_name(cell)));
  if (past && output_activation == OutputActivation::kNone)
    problems.add("output_activation",
                 "none leaves out the layer that reads the context vector of `past`: use tanh");
  check_deep_fusion(dims, problems);
  check_intra_attention(dims, problems);
  if (adaptive && attend == Attend::kConditional)
    problems.add("adaptive",
                 "repeats the cells of a time step, but `attend: conditional` attends once between "
                 "them: use before or after");
  if (past) {
    ProblemsAt at_past(problems, "past");
    past->check(width, at_past);
  }
  if (dims.sources.empty()) {
    if (bridge_from) problems.add("bridge_from", "needs a source, and there is none: leave it out");
    return;
  }
  if (!dims.sources.contains(first_state_of(dims))) {
    problems.add("bridge_from", fmt::format("there is no source '{}'", *bridge_from));
    return;
  }
  check_bridge(dims.sources.at(first_state_of(dims)), problems);
}

void RnnDecoderConfig::check_unread(Problems& problems) const {
  ProblemsAt at(problems, "attention");
  heed::check_unread(*attention, at);
  if (bridge != Bridge::kNone)
    problems.add("bridge",
                 "the last state of the encoder is of the whole source, which wait_k has not read: "
                 "use none");
}

void RnnDecoderConfig::check_output_state(Problems& problems) const {
  if (output_state == OutputState::kCurrent) return;
  const char* reason =
      attend == Attend::kDeepFusion
          ? "with `attend: deep_fusion` the output layer reads the source through s_t alone: use "
            "`attend: before`"
      : attend != Attend::kBefore ? "the context vector is computed from s_t: use `attend: before`"
      : past                      ? "`past` reads s_t: leave one of them out"
      : residual && layers > 1    ? "with `residual` the top layer's output is not its state"
                                  : nullptr;
  if (reason != nullptr) problems.add("output_state", fmt::format("previous, but {}", reason));
}

void RnnDecoderConfig::check_bridge(const SourceDims& source, Problems& problems) const {
  if (bridge == Bridge::kBackward && source.backward_width == 0)
    problems.add("bridge",
                 "backward needs the backward state at the first position, which only a recurrent "
                 "encoder with `bidirectional: true` and `reverse: false` has: use tanh");
  if (bridge != Bridge::kLast) return;
  if (source.cell != cell_name(cell) || source.layers != layers || source.final_width != width) {
    problems.add("bridge",
                 fmt::format("last copies the encoder state ({} layers of {} of width {}) to the "
                             "decoder ({} layers of {} of width {}): make them equal, or use tanh",
                             source.layers, source.cell.empty() ? "a Transformer" : source.cell,
                             source.final_width, layers, cell_name(cell), width));
  }
}

int64_t RnnDecoderConfig::base_depth() const {
  const int64_t least = attend == Attend::kConditional ? 2 : 1;
  return base_transition_depth.value_or(std::max(transition_depth, least));
}

std::string RnnDecoderConfig::first_state_of(const DecoderDims& dims) const {
  if (dims.sources.empty()) return "";
  return bridge_from ? *bridge_from : dims.sources.begin()->first;
}

SourceAttention RnnDecoderConfig::source_attention(const DecoderDims& dims) const {
  return source_attention_of(*attention, attention_dims(dims));
}

namespace kinds {
Kind<DecoderConfig> rnn_decoder() {
  return kind<RnnDecoderConfig, DecoderConfig>(
      "rnn", "recurrent, with attention before, after or between its cells");
}
}  // namespace kinds

}  // namespace heed
