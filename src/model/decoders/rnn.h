// A recurrent decoder.
//   attend: before   c_t = attention(s_{t-1}); s_t = cell([e_t; c_t], s_{t-1})
//   attend: after    s_t = cell(e_t, s_{t-1}); c_t = attention(s_t)
//   attend: conditional   s'_t = cell_1(e_t, s_{t-1}); c_t = attention(s'_t);
//                    s_t = cell_2(c_t, s'_t) (Firat and Cho 2016; Sennrich et al. 2017, section 2)
//   readout: tanh    h̃_t = tanh(W x_t) of x_t = [s_t; c_t], with deep output [s_t; c_t; e_t]
//   readout: linear  h̃_t = W x_t
//   readout: maxout  h̃_t,j = max of positions 2j-1 and 2j of W x_t (Goodfellow et al. 2013)
// Of several layers the first has these cells; of the others s^l_t = cell(s^{l-1}_t, s^l_{t-1}).
// The query is the state of the top layer, with `conditional` s'_t of the first one.
// With deep context (GNMT; Wu et al. 2016, section 3) the query is always of the first layer, and
// s^l_t = cell([s^{l-1}_t; c_t], s^l_{t-1}) for l > 1.
// A layer has `transition_depth` cells within a time step (nn/transition.h), the first layer
// `base_transition_depth`, the cell_1 and cell_2 of `conditional` among them:
//   u_2 = cell_2(c_t, s'_t); u_k = cell_k(u_{k-1}) for 2 < k <= N; s_t = u_N
// (Miceli Barone et al. 2017).
// Variational dropout multiplies the state that a cell reads, in its products, with one mask for all
// time steps; every cell has its own mask (Gal and Ghahramani 2016).
// Input feeding concatenates h̃_{t-1} to e_t. With a `past` h̃_t is computed from [p_t; r_t]
// instead of s_t (past.h). A preset has the settings of a paper, each of which can be overridden:
//   bahdanau   before the cell, no input feeding, additive score, a maxout layer of state, context
//              and token (Bahdanau et al. 2015, equations 4 to 6 and appendix A.2)
//   luong      after the cell, input feeding, general score, tanh(W [c; h])
//              (Luong et al. 2015, equations 5 and 8 and section 3.3)
// A preset does not set the cell: Bahdanau's is a gru, Luong's an lstm.
#pragma once

#include "model/decoder.h"
#include "model/decoders/past.h"
#include "nn/time_dropout.h"
#include "nn/transition.h"

namespace heed {

struct RnnDecoderConfig final : DecoderConfig {
  enum class Preset { kBahdanau, kLuong };
  enum class Attend { kBefore, kAfter, kConditional };
  enum class ReadOut { kTanh, kMaxout, kLinear };
  enum class Bridge { kNone, kLast, kTanh, kShared };
  Preset preset = Preset::kBahdanau;
  CellKind cell = CellKind::kLstm;
  int64_t layers = 1;
  int64_t transition_depth = 1;
  std::optional<int64_t> base_transition_depth;
  int64_t width = 512;
  Attend attend = Attend::kBefore;
  bool deep_context = false;
  bool input_feeding = false;
  ReadOut readout = ReadOut::kMaxout;
  bool deep_output = true;
  Bridge bridge = Bridge::kTanh;
  std::optional<std::string> bridge_from;
  bool residual = false;
  bool layer_norm = false;
  double dropout = 0;
  DropoutMask dropout_mask = DropoutMask::kStep;
  double variational_dropout = 0;
  std::shared_ptr<AttentionConfig> attention;
  std::optional<PastConfig> past;
  RnnDecoderConfig();
  void fields(Fields& f) const override;
  int64_t hidden_width() const override { return width; }
  SourceAttention source_attention(const DecoderDims& dims) const override;
  void check(const DecoderDims& dims, Problems& problems) const override;
  std::shared_ptr<Decoder> build(const DecoderDims& dims) const override;
  AttentionDims attention_dims(const DecoderDims& dims) const;
  // The source whose final state initializes the decoder; empty without a source.
  std::string first_state_of(const DecoderDims& dims) const;
  // Cells of the first layer within a time step.
  int64_t base_depth() const;
  // Width of the part of a state that the output layer gets.
  int64_t output_width() const { return past ? past->output_width(width) : width; }

 private:
  void take_preset();
};

}  // namespace heed
