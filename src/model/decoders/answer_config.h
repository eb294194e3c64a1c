// Settings of the decoder of answers (answer.cpp).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/decoder_config.h"

namespace heed {

struct AnswerDecoderConfig final : DecoderConfig {
  enum class From { kContext, kQuestionAndContext };
  enum class Recurrence { kNone, kGru };
  std::optional<std::string> question;
  std::shared_ptr<AttentionConfig> attention;
  From from = From::kContext;
  Recurrence recurrence = Recurrence::kNone;
  AnswerDecoderConfig();
  void fields(Fields& f) override;
  int64_t hidden_width(const DecoderDims& dims) const override;
  SourceAttention source_attention(const DecoderDims& dims) const override;
  void check(const DecoderDims& dims, Problems& problems) const override;
  AttentionDims attention_dims(const DecoderDims& dims) const;
  // The source whose final state is the question; empty if there is no such source.
  std::string question_of(const DecoderDims& dims) const;
};

}  // namespace heed
