#include "nn/layer_config.h"

#include "config/idle.h"

namespace heed {

const Words<NormPlace>& norm_place_words() {
  static const Words<NormPlace> words = {{"pre", NormPlace::kPre},
                                         {"post", NormPlace::kPost},
                                         {"deep", NormPlace::kDeep},
                                         {"admin", NormPlace::kAdmin}};
  return words;
}

const Words<NormType>& norm_type_words() {
  static const Words<NormType> words = {{"layer", NormType::kLayer}, {"rms", NormType::kRms}};
  return words;
}

const Words<Activation>& activation_words() {
  static const Words<Activation> words = {{"relu", Activation::kRelu},
                                          {"gelu", Activation::kGelu},
                                          {"silu", Activation::kSilu},
                                          {"gated", Activation::kGated},
                                          {"gated_gelu", Activation::kGatedGelu},
                                          {"gated_gelu_tanh", Activation::kGatedGeluTanh}};
  return words;
}

const Words<CellKind>& cell_words() {
  static const Words<CellKind> words = {
      {"rnn", CellKind::kRnn}, {"lstm", CellKind::kLstm}, {"gru", CellKind::kGru}};
  return words;
}

const char* cell_name(CellKind kind) { return cell_words()[static_cast<size_t>(kind)].first; }

void reset_field(Fields& f, Reset& reset, CellKind cell) {
  static const Words<Reset> words = {{"before", Reset::kBefore}, {"after", Reset::kAfter}};
  f.choice("reset", reset, words,
           "gru: the reset gate is applied before the product with the state, U (r ∘ h) (Cho 2014, "
           "Bahdanau 2015), or after it, r ∘ (U h), as in PyTorch");
  if (cell != CellKind::kGru) idle(f, "reset", "unless `cell` is gru");
}

CellNorm RecurrentNorm::of_cells() const {
  if (!layer_norm) return CellNorm::kNone;
  return form == LayerNormForm::kMarian ? CellNorm::kTogether : CellNorm::kApart;
}

void RecurrentNorm::fields(Fields& f) {
  static const Words<LayerNormForm> words = {{"ba", LayerNormForm::kBa},
                                             {"marian", LayerNormForm::kMarian}};
  f.field("layer_norm", layer_norm, "layer normalization inside the cell (Ba 2016)");
  f.choice("layer_norm_form", form, words,
           "what is normalized: of a GRU r and z together and n by itself, of an LSTM all gates "
           "together and c' (ba, Ba 2016); or all gates together, and in a decoder also the "
           "projection of the first state and each part of the output layer (marian)");
  if (!layer_norm) idle(f, "layer_norm_form", "with `layer_norm: false`");
  f.peers("layer_norm", {.marian = "layer-normalization"});
  f.peers("layer_norm_form: marian", {.marian = "layer-normalization"});
}

void RecurrentNorm::check(CellKind cell, Reset reset, Problems& problems) const {
  if (has_marian_form() && cell == CellKind::kGru && reset == Reset::kBefore)
    problems.add("layer_norm_form",
                 "marian normalizes the products of all gates together, and with `reset: before` "
                 "that of n is computed from the others: use `reset: after`");
}

void recurrent_dropout_fields(Fields& f, double& dropout, DropoutMask& mask,
                              double& variational_dropout) {
  static const Words<DropoutMask> masks = {{"step", DropoutMask::kStep},
                                           {"sequence", DropoutMask::kSequence}};
  f.field("dropout", dropout, kDropout, "dropout probability between layers and on the output");
  f.choice("dropout_mask", mask, masks,
           "one mask of `dropout` for each time step, or one for all time steps of a sentence (Gal "
           "2016)");
  if (dropout == 0) idle(f, "dropout_mask", "with `dropout: 0`");
  f.field("variational_dropout", variational_dropout, kDropout,
          "dropout probability of the recurrent state, one mask for each sentence (Gal 2016)");
  f.may_change(ChangeAt::kPhase, {"dropout", "dropout_mask", "variational_dropout"});
  f.peers("dropout", {.joeynmt = "dropout", .opennmt = "dropout", .marian = "dropout-rnn"});
  f.peers("dropout_mask: sequence", {.marian = "(`dropout-rnn` has one mask for all time steps)"});
  f.peers("variational_dropout", {.marian = "(`dropout-rnn` has one mask for all time steps)"});
}

}  // namespace heed
