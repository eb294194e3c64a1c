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
#include "inference/sources_reader.h"
#include "inference/sublayers.h"
#include "inference/target_state.h"
#include "inference/transformer_input.h"
#include "inference/transformer_shape.h"
#include "inference/vocabulary.h"

namespace heed {

struct DecoderLayerWeights {
  std::variant<SelfAttention, SsruStep, AverageStep> self;
  ResidualStep around_self;
  std::optional<CrossAttention> cross;  // none without attention over the source
  std::optional<ResidualStep> around_cross;
  FeedForwardStep feed_forward;
  ResidualStep around_feed_forward;
};

// Receives the weights and the context vectors of the attention over the source that alignments use;
// nullptr: not wanted.
struct AlignedAttention {
  StepWeights* weights = nullptr;
  AlignedFloats* context = nullptr;  // [R,W]
};

class TransformerLayers {
 public:
  TransformerLayers(const TransformerShape& shape, const Packer& packer, const Kernels& set);

  // Keys and values of the sources, from the states [tokens,W] of the encoder.
  std::vector<std::shared_ptr<SourceMemory>> memories(const std::vector<int64_t>& begins,
                                                      const AlignedFloats& states,
                                                      Workspace& room) const;
  // State of no rows.
  TargetState start() const;
  // Computes the hidden states of the tokens of a step, which `past` counts already, from those of
  // before.  embedded [R,E], overwritten; hidden: [R,W]. aligned: that of alignments
  void decode(AlignedFloats& embedded, const Sentences<SourceMemory>& sentences, TargetState& past,
              AlignedFloats& hidden, const AlignedAttention& aligned, Workspace& room) const;

  const TransformerShape shape;
  const Embeddings embeddings;
  const SourcesReader sources;
  const std::unique_ptr<const OutputWeights> output;
  // Keys and values of source and target are in bfloat16, as factors of products are: those of a
  // batch do not fit in any cache, and attention waits for the memory.
  const bool rounds_memory;

 private:
  void advance(int64_t layer, TargetState& past, const float* x, float* y, Workspace& room) const;

  const Kernels& set_;
  InputLayer target_;
  std::vector<DecoderLayerWeights> decoder_;
  NormStep final_norm_;                      // none with norm behind the sublayers
  std::vector<MemoryWidths> source_widths_;  // of each decoder layer
};

}  // namespace heed
