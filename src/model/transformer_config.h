// Settings that the encoder and the decoder of a Transformer have in common (Vaswani et al. 2017).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/notes.h"
#include "model/layer_attentions_config.h"
#include "nn/layer_config.h"
#include "nn/position_config.h"

namespace heed {

// Names in other toolkits of the settings that self-attention and the attention over the source have.
inline constexpr Peers kHeadPeers{
    .joeynmt = "num_heads", .opennmt = "heads", .marian = "transformer-heads"};
inline constexpr Peers kWeightDropoutPeers{.opennmt = "attention_dropout",
                                           .marian = "transformer-dropout-attention"};

struct TransformerSettings : PositionSettings, Noting {
  TransformerSettings() : PositionSettings("sinusoidal") {}
  int64_t layers = 6;
  int64_t width = 512;
  int64_t feed_forward = 2048;
  Activation activation = Activation::kRelu;
  NormPlace norm = NormPlace::kPre;
  NormType norm_type = NormType::kLayer;
  bool final_norm = true;  // with kPre
  bool scale_embedding = true;
  bool embedding_norm = false;
  double dropout = 0.1;
  double activation_dropout = 0;
  double layer_dropout = 0;
  std::shared_ptr<AttentionConfig> self_attention = StagedConfig::with("scaled_dot", kBlockHeads);
  LayerAttentions self_attention_by_layer;

  void common_fields(Fields& f);
  bool has_final_norm() const { return norm == NormPlace::kPre && final_norm; }
  // Self-attention of a layer, counted from 0.
  const AttentionConfig& self_attention_of(int64_t layer) const {
    return *attention_of_layer(layer, self_attention_by_layer, self_attention);
  }
  void check_self_attention(const AttentionDims& dims, Problems& problems) const;
  AttentionDims self_dims(Place place) const;
  std::vector<std::string> notes() const override;
};

}  // namespace heed
