// Settings of the recurrent decoder (rnn.cpp).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/cell_attention_config.h"
#include "model/decoder_config.h"
#include "model/decoders/past_config.h"
#include "nn/halting_config.h"

namespace heed {

struct RnnDecoderConfig final : DecoderConfig {
  enum class Attend { kBefore, kAfter, kConditional, kDeepFusion };
  enum class OutputActivation { kTanh, kMaxout, kLinear, kNone };
  enum class OutputState { kCurrent, kPrevious };
  enum class Bridge { kNone, kLast, kTanh, kRelu, kShared, kBackward, kMean };
  enum class ReadState { kHidden, kHiddenAndCell };
  CellKind cell = CellKind::kLstm;
  Reset reset = Reset::kAfter;
  int64_t layers = 1;
  int64_t transition_depth = 1;
  std::optional<int64_t> base_transition_depth;
  int64_t width = 512;
  Attend attend = Attend::kBefore;
  bool deep_context = false;
  bool input_feeding = false;
  bool context_feeding = false;
  ReadState read_state = ReadState::kHidden;
  OutputActivation output_activation = OutputActivation::kMaxout;
  bool deep_output = true;
  OutputState output_state = OutputState::kCurrent;
  std::optional<int64_t> output_width;
  Bridge bridge = Bridge::kTanh;
  std::optional<std::string> bridge_from;
  bool residual = false;
  RecurrentNorm norm;
  double dropout = 0;
  DropoutMask dropout_mask = DropoutMask::kStep;
  double variational_dropout = 0;
  std::shared_ptr<AttentionConfig> attention;
  std::optional<PastConfig> past;
  std::optional<CellAttentionConfig> intra_attention;
  std::optional<AdaptiveStepConfig> adaptive;
  RnnDecoderConfig();
  void fields(Fields& f) override;
  // Width of h̃.
  int64_t activation_width() const {
    return output_activation == OutputActivation::kNone ? width : output_width.value_or(width);
  }
  int64_t hidden_width(const DecoderDims&) const override { return activation_width(); }
  int64_t state_width() const override {
    return read_state == ReadState::kHiddenAndCell ? 2 * width : width;
  }
  SourceAttention source_attention(const DecoderDims& dims) const override;
  void check(const DecoderDims& dims, Problems& problems) const override;
  void check_unread(Problems& problems) const override;
  AttentionDims attention_dims(const DecoderDims& dims) const;
  // The first layer, with the context vector of `attend: before` in its input, or one above it.
  RecurrentDims layer_dims(int64_t layer, const DecoderDims& dims) const;
  // The source of deep fusion.
  SourceDims fused_source(const DecoderDims& dims) const;
  // The source whose final state initializes the decoder; empty without a source.
  std::string first_state_of(const DecoderDims& dims) const;
  // Cells of the first layer within a time step.
  int64_t base_depth() const;
  // Width of the part of a state that the output layer gets.
  int64_t read_width() const { return past ? past->output_width(width) : width; }
  // True if the output layer gets the context vector; with deep fusion it is in the state.
  bool outputs_context() const { return attend != Attend::kDeepFusion; }

 private:
  // Width of the input of the first layer without the context vector of `attend: before`.
  int64_t first_input(const DecoderDims& dims) const {
    return dims.input + (input_feeding ? activation_width() : 0);
  }
  void check_output_state(Problems& problems) const;
  void check_bridge(const SourceDims& source, Problems& problems) const;
  void check_deep_fusion(const DecoderDims& dims, Problems& problems) const;
  void check_intra_attention(const DecoderDims& dims, Problems& problems) const;
};

}  // namespace heed
