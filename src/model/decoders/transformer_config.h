// Settings of the self-attention decoder (transformer.cpp).
#pragma once

#include <memory>

#include "model/decoder_config.h"
#include "model/decoders/alignment_config.h"
#include "model/transformer_config.h"

namespace heed {

struct TransformerDecoderConfig final : DecoderConfig, TransformerSettings {
  std::shared_ptr<AttentionConfig> attention =
      StagedConfig::with("scaled_dot", kBlockHeads);  // over the source
  LayerAttentions attention_by_layer;
  AlignmentConfig alignment;
  void fields(Fields& f) override;
  int64_t hidden_width(const DecoderDims&) const override { return width; }
  bool can_recompute() const override { return true; }
  int64_t reading_layers() const override;
  SourceAttention source_attention(const DecoderDims& dims) const override;
  // The layer that alignments are made from, counted from 0: that of `alignment`, or the last one
  // that has weights over the source; the last layer if none has weights.
  int64_t aligned_layer(const DecoderDims& dims) const;
  void check(const DecoderDims& dims, Problems& problems) const override;
  void check_unread(Problems& problems) const override;
  AttentionDims cross_dims(const DecoderDims& dims) const;
  // Attention over the source in a layer, counted from 0.
  const AttentionConfig& attention_of(int64_t layer) const {
    return *attention_of_layer(layer, attention_by_layer, attention);
  }
};

}  // namespace heed
