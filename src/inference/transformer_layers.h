// Parameters and layers of a Transformer, over contiguous rows [rows,W].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "inference/light_attention.h"
#include "inference/multi_head_attention.h"
#include "inference/outputs/output.h"
#include "inference/source_input.h"
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

  // The memory of each sentence.  states: [tokens,W of the encoder]
  std::vector<std::shared_ptr<SourceMemory>> encode(const std::vector<const Example*>& sentences,
                                                    const SourceTokens& tokens,
                                                    AlignedFloats& states, Workspace& room) const;
  // State of no rows.
  TargetState start() const;
  // Vectors of a step.
  struct StepResult {
    AlignedFloats& hidden;             // [R,W]
    StepWeights* weights = nullptr;    // of alignments; nullptr: not wanted
    AlignedFloats* context = nullptr;  // [R,W], of the same layer; nullptr: not wanted
  };
  // Computes those of tokens, which `past` counts already, from those of before.
  // embedded: [R,E], overwritten
  void decode(AlignedFloats& embedded, const Sentences<SourceMemory>& sentences, TargetState& past,
              const StepResult& step, Workspace& room) const;

  const TransformerShape shape;
  const Embeddings embeddings;
  const std::unique_ptr<const OutputWeights> output;
  // Keys and values of source and target are in bfloat16, as factors of products are: those of a
  // batch do not fit in any cache, and attention waits for the memory.
  const bool rounds_memory;

 private:
  void advance(int64_t layer, TargetState& past, const float* x, float* y, Workspace& room) const;

  const Kernels& set_;
  SourceInput source_input_;
  InputLayer source_, target_;
  std::vector<EncoderLayerWeights> encoder_;
  std::vector<DecoderLayerWeights> decoder_;
  NormStep final_encoder_norm_, final_decoder_norm_;  // none with norm behind the sublayers
  std::vector<MemoryWidths> source_widths_;           // of each decoder layer
};

}  // namespace heed
