// The `model:` section.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/fields.h"
#include "model/decoder_config.h"
#include "model/encoder_config.h"
#include "model/factor_config.h"
#include "model/joiner_config.h"
#include "model/output_config.h"
#include "nn/initializer_config.h"

namespace heed {

enum class Tie { kNone, kInputs, kTarget, kAll };
enum class TagPlace { kNone, kSource, kTarget, kBoth };

struct EmbeddingConfig final : Settings {
  int64_t width = 256;
  double dropout = 0;
  double source_word_dropout = 0;
  double target_word_dropout = 0;
  Tie tie = Tie::kTarget;
  bool share_sources = false;
  bool zero_begin = false;
  TagPlace tag = TagPlace::kBoth;
  FactorConfigs source_factors;
  void fields(Fields& f) override;
  bool ties_source() const { return tie == Tie::kInputs || tie == Tie::kAll; }
  bool ties_output() const { return tie == Tie::kTarget || tie == Tie::kAll; }
  // Width of the embedded tokens of a source with its factors, the input of its encoder.
  int64_t source_width(const std::string& source) const {
    return width + concatenated_width(source_factors, source);
  }
};

struct ModelConfig final : Settings {
  EmbeddingConfig embedding;
  std::shared_ptr<EncoderConfig> encoder;                          // of the only source
  std::map<std::string, std::shared_ptr<EncoderConfig>> encoders;  // of several, by their names
  bool source_end = true;                                          // each source ends in kEnd
  std::shared_ptr<JoinerConfig> join;  // none: the decoder attends to the encoder output
  std::shared_ptr<DecoderConfig> decoder;
  std::shared_ptr<OutputConfig> output;
  InitializerConfig initializer;
  ModelConfig();
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  // Names of the sources, in order; empty: a language model.
  std::vector<std::string> sources() const;
};

// The settings of each part, defined in its file NAME_config.cpp.
namespace kinds {
#define KIND(Config, part) Kind<Config> part();
#include "model/parts.def"
#undef KIND
}  // namespace kinds

}  // namespace heed
