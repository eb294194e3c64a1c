// Dimensions of the encoders that the engines support: Transformers and recurrent ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "inference/attention_shape.h"
#include "inference/positions.h"
#include "inference/vocabulary_shape.h"
#include "model/convolution_config.h"
#include "model/model_spec.h"
#include "model/transformer_config.h"
#include "nn/deep_norm_spec.h"
#include "nn/layer_config.h"

namespace heed {

// Layers of a Transformer, of the encoder or the decoder.
struct StackShape {
  int64_t width = 0, feed_forward = 0;
  std::vector<SelfAttentionShape> self_attention{};  // of each layer
  PositionShape positions{};
  Activation activation = Activation::kRelu;
  NormPlace norm = NormPlace::kPre;
  NormType norm_type = NormType::kLayer;
  double alpha = 1;  // of residual connections; not 1 with kDeep
  bool scale_embedding = true;
  bool embedding_norm = false;
  bool final_norm = true;  // with kPre

  int64_t layers() const { return std::ssize(self_attention); }
  bool post_norm() const { return norm != NormPlace::kPre; }
  bool has_final_norm() const { return !post_norm() && final_norm; }
  bool operator==(const StackShape&) const = default;
};

// nullopt if the engines do not support the layers.
std::optional<StackShape> stack_shape(const TransformerSettings& settings, Place place,
                                      const DeepNorm& depth);

int64_t gates_of(CellKind cell);

struct RecurrentEncoderShape {
  CellKind cell = CellKind::kLstm;
  Reset reset = Reset::kAfter;  // of a GRU
  int64_t layers = 0, width = 0;
  bool bidirectional = true, residual = false;
  bool reverse = false;  // reads the source from its last token to its first
  int64_t cell_width() const { return bidirectional ? width / 2 : width; }
  bool operator==(const RecurrentEncoderShape&) const = default;
};

// Gated convolutions (Gehring et al. 2017), of an encoder or a decoder.
struct ConvolutionStackShape {
  ConvolutionStackShape() = default;
  explicit ConvolutionStackShape(const ConvolutionSettings& settings);
  int64_t layers = 0, width = 0, kernel = 0;
  bool weight_norm = true;  // of the linear layers; the convolutions have it
  PositionShape positions{};
  bool operator==(const ConvolutionStackShape&) const = default;
};

struct ConvolutionEncoderShape {
  ConvolutionStackShape stack{};
  int64_t width = 0;  // of the states: that of the embedded tokens
  bool operator==(const ConvolutionEncoderShape&) const = default;
};

// An encoder of the words of each sentence, and one of the sentences (Yang et al. 2016).
struct HierarchicalEncoderShape {
  enum class Pool { kAttention, kMean, kSum, kLast };  // of the words of a sentence
  RecurrentEncoderShape words{}, sentences{};
  Pool pool = Pool::kAttention;
  int64_t pool_hidden = 0;  // of kAttention
  int64_t document_hidden =
      0;  // of attention over the sentences; 0: the last state is the encoder's
  bool words_of_text = false;  // the encoder of the words runs over the text
  bool marker_is_word = true;
  int64_t width = 0;  // of the sentences
  bool operator==(const HierarchicalEncoderShape&) const = default;
};

struct EncoderShape {
  std::variant<StackShape, RecurrentEncoderShape, ConvolutionEncoderShape, HierarchicalEncoderShape>
      kind{};
  bool operator==(const EncoderShape&) const = default;
  int64_t width() const {
    return std::visit([](const auto& own) { return own.width; }, kind);
  }
  // True if its states are not those of the tokens.
  bool pools() const { return std::holds_alternative<HierarchicalEncoderShape>(kind); }
  const StackShape& stack() const { return std::get<StackShape>(kind); }
  const RecurrentEncoderShape& recurrent() const { return std::get<RecurrentEncoderShape>(kind); }
};

// nullopt if the engines do not support the encoder.
std::optional<EncoderShape> encoder_shape(const SourcePlan& source, const DecoderConfig& decoder);
// The encoders of each source.
std::optional<std::vector<EncoderShape>> encoder_shapes(const ModelPlan& plan,
                                                        const DecoderConfig& decoder);

// Parameters of a stack with this name; of a residual connection, named by its norm and ω; of a cell;
// of an encoder. embedding: width of the embedded tokens
void add_stack(ParameterShapes& shapes, const std::string& name, const StackShape& shape,
               int64_t embedding);
void add_stack(ParameterShapes& shapes, const std::string& name, const ConvolutionStackShape& shape,
               int64_t embedding);
void add_convolution(ParameterShapes& shapes, const std::string& name,
                     const ConvolutionStackShape& stack);
void add_residual(ParameterShapes& shapes, const std::string& norm, const std::string& omega,
                  const StackShape& stack);
void add_cell(ParameterShapes& shapes, const std::string& layer, CellKind cell, int64_t input,
              int64_t width);
void add_encoder(ParameterShapes& shapes, const EncoderShape& shape,
                 const VocabularyShape& vocabulary, size_t source = 0);

}  // namespace heed
