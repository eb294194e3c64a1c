// Settings of layers that several encoders and decoders have, without tensors.
#pragma once

#include "config/fields.h"

namespace heed {

// pre: x + dropout(f(norm(x))); post: norm(x + dropout(f(x))). As post with x scaled: deep, by a
// constant α (DeepNorm; Wang et al. 2022); admin, by a learned vector ω (Liu et al. 2020).
enum class NormPlace { kPre, kPost, kDeep, kAdmin };
const Words<NormPlace>& norm_place_words();

// Layer normalization (Ba et al. 2016); RMSNorm (Zhang and Sennrich 2019).
enum class NormType { kLayer, kRms };
const Words<NormType>& norm_type_words();

// relu, gelu, silu: W2 f(W1 x + b1) + b2; gated: W2 (f(W1 x + b1) ⊙ (W3 x + b3)) + b2, f = silu
// (SwiGLU), gated_gelu: f = gelu (GEGLU; Shazeer 2020), gated_gelu_tanh: f = gelu by tanh.
enum class Activation { kRelu, kGelu, kSilu, kGated, kGatedGelu, kGatedGeluTanh };
inline bool is_gated(Activation activation) {
  return activation == Activation::kGated || activation == Activation::kGatedGelu ||
         activation == Activation::kGatedGeluTanh;
}
const Words<Activation>& activation_words();

enum class CellKind { kRnn, kLstm, kGru };
const Words<CellKind>& cell_words();
const char* cell_name(CellKind kind);

// The reset gate r of a GRU multiplies the state that U reads, U (r ∘ h) (Cho et al. 2014, Bahdanau et
// al. 2015), or the product, r ∘ (U h + b), as in PyTorch and cuDNN.
enum class Reset { kBefore, kAfter };
// The key `reset` of a recurrent encoder or decoder.
void reset_field(Fields& f, Reset& reset, CellKind cell);

// Layer normalization in a recurrent network. kBa: inside the cells, of a GRU r and z together and n by
// itself, of an LSTM all gates together and c' (Ba et al. 2016). kMarian: inside the cells, all gates
// together and no c', and in a decoder also each part of the first state and of the output layer.
enum class LayerNormForm { kBa, kMarian };
// Layer normalization of a cell: kApart as kBa, kTogether as kMarian.
enum class CellNorm { kNone, kApart, kTogether };
// Added to the variance by kMarian.
inline constexpr double kMarianNormEpsilon = 1e-9;
// The keys `layer_norm` and `layer_norm_form` of a recurrent encoder or decoder.
struct RecurrentNorm {
  bool layer_norm = false;
  LayerNormForm form = LayerNormForm::kBa;
  CellNorm of_cells() const;
  bool has_marian_form() const { return layer_norm && form == LayerNormForm::kMarian; }
  void fields(Fields& f);
  void check(CellKind cell, Reset reset, Problems& problems) const;
};

// Masks of a recurrent network: one for each time step, or one for all time steps of a sentence
// (nn/time_dropout.h).
enum class DropoutMask { kStep, kSequence };

// The keys `dropout`, `dropout_mask` and `variational_dropout` of a recurrent encoder or decoder.
void recurrent_dropout_fields(Fields& f, double& dropout, DropoutMask& mask,
                              double& variational_dropout);

}  // namespace heed
