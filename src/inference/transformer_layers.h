// Parameters and layers of a Transformer, over contiguous rows [rows,W].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "inference/light_attention.h"
#include "inference/multi_head_attention.h"
#include "inference/sublayers.h"
#include "inference/target_state.h"
#include "inference/transformer_input.h"
#include "inference/transformer_shape.h"
#include "inference/vocabulary.h"

namespace heed {

struct EncoderLayerWeights {
  SelfAttention self;
  ResidualStep around_self;
  FeedForwardStep feed_forward;
  ResidualStep around_feed_forward;
};

struct DecoderLayerWeights {
  std::variant<SelfAttention, SsruStep, AverageStep> self;
  ResidualStep around_self;
  std::optional<CrossAttention> cross;  // none without attention over the source
  std::optional<ResidualStep> around_cross;
  FeedForwardStep feed_forward;
  ResidualStep around_feed_forward;
};

class TransformerLayers {
 public:
  TransformerLayers(const TransformerShape& shape, const Packer& packer, const Kernels& set);

  // Sentence i is tokens begins[i] to begins[i+1].  -> its memory
  std::vector<std::shared_ptr<SourceMemory>> encode(const std::vector<int32_t>& tokens,
                                                    const std::vector<int64_t>& begins,
                                                    Workspace& room) const;
  // State of no rows.
  TargetState start() const;
  // Computes the hidden states of the tokens of a step, which `past` counts already, from those of
  // before.  hidden: [R,W]. weights: those of alignments; nullptr: not wanted
  void decode(const std::vector<int32_t>& tokens, const Sentences<SourceMemory>& sentences,
              TargetState& past, AlignedFloats& hidden, StepWeights* weights,
              Workspace& room) const;

  const TransformerShape shape;
  const Embeddings embeddings;
  const OutputLayer output;
  // Keys and values of source and target are in bfloat16, as factors of products are: those of a
  // batch do not fit in any cache, and attention waits for the memory.
  const bool rounds_memory;

 private:
  void advance(int64_t layer, TargetState& past, const float* x, float* y, Workspace& room) const;

  const Kernels& set_;
  InputLayer source_, target_;
  std::vector<EncoderLayerWeights> encoder_;
  std::vector<DecoderLayerWeights> decoder_;
  NormStep final_encoder_norm_, final_decoder_norm_;  // none with norm behind the sublayers
  std::vector<MemoryWidths> source_widths_;           // of each decoder layer
};

}  // namespace heed
