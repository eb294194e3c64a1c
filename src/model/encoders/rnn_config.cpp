#include "model/encoders/rnn_config.h"

#include "config/idle.h"
#include "config/sizes.h"

namespace heed {

void RnnEncoderConfig::fields(Fields& f) {
  f.choice("cell", cell, cell_words(), "recurrent cell: LSTM (Hochreiter 1997) or GRU (Cho 2014)");
  reset_field(f, reset, cell);
  f.field("layers", layers, kLayers, "number of layers");
  f.field("width", width, kWidths,
          "width of the output; a bidirectional encoder has half of it in each direction, unless "
          "the directions are summed");
  f.field("transition_depth", transition_depth, kRounds,
          "cells of a layer within a time step, of which the first has the input (Miceli Barone "
          "2017)");
  f.field("bidirectional", bidirectional, "bidirectional");
  static const Words<Directions> words = {{"concatenate", Directions::kConcatenate},
                                          {"sum", Directions::kSum}};
  f.choice("directions", directions, words,
           "outputs of the two directions: concatenated, or summed (Xiong 2016)");
  static const Words<Stacks> stacks_words = {{"joint", Stacks::kJoint},
                                             {"separate", Stacks::kSeparate},
                                             {"alternating", Stacks::kAlternating}};
  f.choice(
      "stacks", stacks, stacks_words,
      "a layer reads both directions of the layer below (joint), or its own: a forward and a "
      "backward stack of layers, whose last outputs are concatenated (separate), or two stacks "
      "that turn round at each layer (alternating; Miceli Barone 2017)");
  if (layers == 1) idle(f, "stacks", "with one layer");
  f.field("residual", residual, "residual connections, from the second layer on");
  norm.fields(f);
  recurrent_dropout_fields(f, dropout, dropout_mask, variational_dropout);
  f.field("reverse", reverse, "reverse the source (Sutskever 2014)");
  f.section("intra_attention", intra_attention,
            "attention over the states so far, in place of the last state of a cell (LSTMN, Cheng "
            "2016)");
  f.section("adaptive", adaptive,
            "adaptive computation time: a learned number of cell updates in a time step (Graves "
            "2016)");
  f.field("memory_tape", memory_tape,
          "the values of attention are hidden and cell states of an LSTM, for a decoder with "
          "`attend: deep_fusion` (Cheng 2016)");
  f.peers("cell", {.joeynmt = "rnn_type", .opennmt = "rnn_type", .marian = "enc-cell"});
  f.peers("layers", {.joeynmt = "num_layers",
                     .opennmt = "enc_layers",
                     .marian = "enc-depth",
                     .also = "n_layers"});
  f.peers("width", {.joeynmt = "hidden_size",
                    .opennmt = "hidden_size",
                    .marian = "dim-rnn",
                    .also = "hid_dim, rnn_size, d_model",
                    .note = "of a bidirectional encoder it counts both directions, twice the "
                            "hidden_size of JoeyNMT and the dim-rnn of Marian"});
  f.peers("transition_depth", {.marian = "enc-cell-depth"});
  f.peers("stacks: separate", {.marian = "enc-type: bidirectional"});
  f.peers("stacks: alternating", {.marian = "enc-type: alternating"});
  f.peers("residual", {.marian = "skip"});
}

void RnnEncoderConfig::validate(Problems& problems) const {
  if (!bidirectional && directions == Directions::kSum)
    problems.add("directions", "sum needs two directions, and `bidirectional` is false");
  if (bidirectional && directions == Directions::kConcatenate && width % 2 != 0)
    problems.add("width", fmt::format("{} cannot be divided by two directions", width));
  if (reads_own_stack() && !(bidirectional && directions == Directions::kConcatenate))
    problems.add("stacks", fmt::format("{} are two stacks, whose outputs are concatenated: use "
                                       "`bidirectional: true` and `directions: concatenate`",
                                       stacks == Stacks::kSeparate ? "separate" : "alternating"));
  norm.check(cell, reset, problems);
  if (memory_tape && cell != CellKind::kLstm)
    problems.add("memory_tape",
                 fmt::format("has the cell states of an LSTM, but the cell is {}: use `cell: lstm`",
                             cell_name(cell)));
}

void RnnEncoderConfig::check(int64_t input, Problems& problems) const {
  if (!intra_attention) return;
  ProblemsAt at(problems, "intra_attention");
  intra_attention->check(layer_dims(0, input), at);
  if (layers > 1 && layer_dims(1, input).input != input)
    intra_attention->check(layer_dims(1, input), at);
}

RecurrentDims RnnEncoderConfig::layer_dims(int64_t layer, int64_t input) const {
  return {cell, layer == 0 ? input : reads_own_stack() ? cell_width() : width, cell_width()};
}

void RnnEncoderConfig::check_causal(Problems& problems) const {
  if (bidirectional)
    problems.add("bidirectional",
                 "the backward states depend on later tokens of the source, which wait_k has not "
                 "read: use false");
  if (reverse)
    problems.add("reverse", "reads the source from its end, which wait_k has not read: use false");
}

SourceDims RnnEncoderConfig::dims(int64_t) const {
  const int64_t memory = memory_tape ? width : 0;
  const bool has_backward_half = bidirectional && !reverse &&
                                 directions == Directions::kConcatenate &&
                                 runs_backwards(layers - 1, /*second=*/true);
  return {.source = {.key = width, .value = width + memory},
          .cell = cell_name(cell),
          .layers = layers,
          .final_width = width,
          .backward_width = has_backward_half ? width / 2 : 0,
          .memory = memory};
}

namespace kinds {
Kind<EncoderConfig> rnn_encoder() {
  return kind<RnnEncoderConfig, EncoderConfig>("rnn", "recurrent: simple RNN, LSTM or GRU");
}
}  // namespace kinds

}  // namespace heed
