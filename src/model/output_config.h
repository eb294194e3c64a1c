// Settings of an output layer, without tensors (output.h).
#pragma once

#include <optional>
#include <string>

#include "data/copyable.h"
#include "model/decoder_config.h"

namespace heed {

struct OutputDims {
  int64_t input = 0, hidden = 0;  // widths of Step::input and Step::hidden
  int64_t state = 0;              // DecoderConfig::state_width
  SourceAttention attention{};
  SourceSpec source{};           // the source to copy from
  std::string source_name{};     // of several sources; empty: the only one
  bool of_text = true;           // true if its positions are those of the text
  bool tie = false;              // the softmax weights are those of the embedding
  std::optional<double> norm{};  // DecoderConfig::output_norm
  bool source_end = true;        // ModelConfig::source_end
};

struct OutputConfig : KindSettings {
  // True if it copies tokens of the source; of the first one if there are several.
  virtual bool copies() const { return false; }
  // The targets that it can produce.
  virtual WritableTargets writes() const { return WritableTargets::kAnything; }
  // Output::stepwise()
  virtual bool stepwise() const { return false; }
  // True if it reads the weights of the decoder's attention.
  virtual bool reads_weights() const { return false; }
  // True if it aligns the target with the source itself (Step::log_alignment).
  virtual bool aligns() const { return false; }
  // True if it reads the states of the source itself, not by the decoder's attention.
  virtual bool reads_source() const { return false; }
  // Width of the result of embed().
  virtual int64_t input_width(int64_t embedding, const SourceSpec& source) const {
    return embedding;
  }
  virtual void check(const OutputDims& dims, Problems& problems) const {}
};
const Registry<OutputConfig>& outputs();

}  // namespace heed
