// Dimensions of the models that RecurrentEngine supports: a decoder of RNN, LSTM or GRU cells (Bahdanau
// et al. 2015, Luong et al. 2015) and attention over its sources, or none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inference/encoder_shape.h"
#include "inference/joiner_shape.h"
#include "inference/past_attention.h"
#include "inference/sources_attention_shape.h"
#include "inference/vocabulary_shape.h"
#include "model/decoders/rnn_config.h"
#include "model/model_config.h"

namespace heed {

struct RecurrentDecoderShape {
  using Bridge = RnnDecoderConfig::Bridge;  // the first state, from the encoder's last
  // kMaxout: of pairs; kNone: h̃ is the state
  using OutputActivation = RnnDecoderConfig::OutputActivation;
  CellKind cell = CellKind::kLstm;
  Reset reset = Reset::kAfter;  // of a GRU
  int64_t layers = 0, width = 0;
  int64_t output_width = 0;           // of h̃
  bool reads_previous_state = false;  // h̃ of s_{t-1} instead of s_t
  bool attends_before = true;         // the cell
  bool input_feeding = false;
  bool context_feeding = false;  // the input is x_t = W [e_t; c_{t-1}] + b instead of e_t
  bool reads_memory = false;     // the attention reads [h_t; c_t] of an LSTM instead of h_t
  OutputActivation output_activation = OutputActivation::kMaxout;
  bool deep_output = true;
  bool residual = false;
  Bridge bridge = Bridge::kTanh;
  size_t first_source = 0;   // whose last state begins
  int64_t first_width = 0;   // of that state
  int64_t bridge_input = 0;  // the end of that state, which the bridge reads
  bool has_bridge_of_each_state() const {
    return bridge == Bridge::kTanh || bridge == Bridge::kRelu || bridge == Bridge::kBackward;
  }
  bool operator==(const RecurrentDecoderShape&) const = default;
};

struct RecurrentShape {
  VocabularyShape vocabulary;
  std::vector<EncoderShape> encoders;  // of each source
  JoinerShape joiner;
  RecurrentDecoderShape decoder;
  SourcesAttentionShape attention;
  std::optional<PastShape> past;  // attention to the states of the decoder
  // Width of the states that the output reads: [p; r] with a past.
  int64_t read_width() const { return past ? past->output() : decoder.width; }
  int64_t context_width() const { return attention.context; }
  // True if there are attention weights over the source, or alignments of the output.
  bool has_weights() const;
  int64_t cell_input() const;    // of the decoder's first layer: token, context vector, fed state
  int64_t output_input() const;  // of the layer of h̃: state, context vector, token
  int64_t output_pieces() const {
    return decoder.output_activation == RecurrentDecoderShape::OutputActivation::kMaxout ? 2 : 1;
  }
  bool operator==(const RecurrentShape&) const = default;
};

// nullopt if RecurrentEngine does not support the encoder or the decoder.
std::optional<RecurrentShape> recurrent_shape(const ModelConfig& model, const ModelPlan& plan,
                                              const VocabularyShape& vocabulary);

ParameterShapes::Map parameter_shapes(const RecurrentShape& shape, const VocabularySize& size);

}  // namespace heed
