// Settings of the hierarchical encoder (hierarchical.cpp).
#pragma once

#include "model/encoder_config.h"
#include "nn/needs_spec.h"

namespace heed {

// `pool:` of the words of a sentence, and `last:` of the sentences of a document.
struct SentencePoolConfig : KindSettings {
  enum class PoolMethod { kAttention, kMean, kSum, kPosition, kLast, kEncoder };
  explicit SentencePoolConfig(PoolMethod method) : method(method) {}
  void fields(Fields&) override {}
  virtual int64_t hidden_width() const { return 0; }
  virtual int64_t block_count() const { return 1; }
  PoolMethod method;
};

struct HierarchicalEncoderConfig final : EncoderConfig, Needing {
  enum class States { kSentences, kWords };
  enum class WordContext { kSentence, kText };
  std::shared_ptr<EncoderConfig> word_encoder, sentence_encoder;
  std::shared_ptr<SentencePoolConfig> pool, last;
  States states = States::kSentences;
  WordContext word_context = WordContext::kSentence;
  bool marker_is_word = true;
  HierarchicalEncoderConfig();
  void fields(Fields& f) override;
  void add_needs(Needs& needs) const override { needs.marker = true; }
  bool can_recompute() const override {
    return word_encoder->can_recompute() || sentence_encoder->can_recompute();
  }
  void check(int64_t input, Problems& problems) const override;
  SourceDims dims(int64_t input) const override;
};

}  // namespace heed
