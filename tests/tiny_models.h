// Models so small that a test can search them exhaustively or train them in a second.
#pragma once

#include <memory>

#include "attention_mechanisms.h"
#include "model/decoders/rnn_config.h"
#include "model/decoders/transformer_config.h"
#include "model/encoders/rnn_config.h"
#include "model/encoders/transformer_config.h"
#include "model/model_config.h"
#include "one_thread.h"

namespace heed {

inline ModelConfig tiny_rnn(double dropout = 0) {
  ModelConfig config;
  config.embedding.width = 8;
  config.embedding.dropout = dropout;
  auto encoder = make_kind<RnnEncoderConfig>("rnn");
  encoder->width = 8;
  auto decoder = make_kind<RnnDecoderConfig>("rnn");
  decoder->width = 8;
  decoder->dropout = dropout;
  decoder->input_feeding = true;
  decoder->attention = StagedConfig::with("additive", 1);
  config.encoder = encoder;
  config.decoder = decoder;
  return config;
}

inline ModelConfig tiny_transformer(double dropout = 0) {
  ModelConfig config;
  config.embedding.width = 8;
  config.embedding.dropout = dropout;
  const auto make_tiny = [dropout](TransformerSettings& settings) {
    settings.layers = 2;
    settings.dropout = dropout;
    settings.width = 8;
    settings.feed_forward = 16;
    settings.self_attention = StagedConfig::with("scaled_dot", 2);
  };
  auto encoder = make_kind<TransformerEncoderConfig>("transformer");
  auto decoder = make_kind<TransformerDecoderConfig>("transformer");
  make_tiny(*encoder);
  make_tiny(*decoder);
  decoder->attention = StagedConfig::with("scaled_dot", 2);
  config.encoder = encoder;
  config.decoder = decoder;
  return config;
}

inline ModelConfig with_attention(ModelConfig config, std::shared_ptr<AttentionConfig> attention) {
  if (auto* rnn = dynamic_cast<RnnDecoderConfig*>(config.decoder.get())) {
    rnn->attention = std::move(attention);
  } else {
    dynamic_cast<TransformerDecoderConfig&>(*config.decoder).attention = std::move(attention);
  }
  return config;
}

// With one of the mechanisms of the tests in the decoder; "": without.
inline ModelConfig tiny_rnn_with(const char* mechanism, double dropout = 0) {
  return with_attention(tiny_rnn(dropout), test_attention(mechanism, "additive", 1));
}
inline ModelConfig tiny_transformer_with(const char* mechanism, double dropout = 0) {
  return with_attention(tiny_transformer(dropout), test_attention(mechanism, "scaled_dot", 2));
}

}  // namespace heed
