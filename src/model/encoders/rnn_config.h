// Settings of the recurrent encoder (rnn.cpp).
#pragma once

#include <optional>

#include "model/cell_attention_config.h"
#include "model/encoder_config.h"
#include "nn/halting_config.h"

namespace heed {

struct RnnEncoderConfig final : EncoderConfig {
  enum class Directions { kConcatenate, kSum };
  enum class Stacks { kJoint, kSeparate, kAlternating };
  CellKind cell = CellKind::kLstm;
  Reset reset = Reset::kAfter;
  int64_t layers = 1;
  int64_t width = 512;           // of the output
  int64_t transition_depth = 1;  // cells of a layer within a time step
  bool bidirectional = true;
  Directions directions = Directions::kConcatenate;
  Stacks stacks = Stacks::kJoint;
  bool residual = false;
  RecurrentNorm norm;
  double dropout = 0;
  DropoutMask dropout_mask = DropoutMask::kStep;
  double variational_dropout = 0;
  bool reverse = false;
  std::optional<CellAttentionConfig> intra_attention;
  std::optional<AdaptiveStepConfig> adaptive;
  bool memory_tape = false;
  void fields(Fields& f) override;
  bool can_recompute() const override { return !intra_attention; }
  void validate(Problems& problems) const override;
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
  void check_causal(Problems& problems) const override;
  // Width of the cells of one direction.
  int64_t cell_width() const {
    return bidirectional && directions == Directions::kConcatenate ? width / 2 : width;
  }
  // True if a layer reads one of the two stacks of layers below, not both.
  bool reads_own_stack() const { return stacks != Stacks::kJoint; }
  // Direction of a layer in the first or the second stack.
  bool runs_backwards(int64_t layer, bool second) const {
    return stacks == Stacks::kAlternating && layer % 2 == 1 ? !second : second;
  }
  // A layer in one direction; input: width of the embeddings.
  RecurrentDims layer_dims(int64_t layer, int64_t input) const;
};

}  // namespace heed
