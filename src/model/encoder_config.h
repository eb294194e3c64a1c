// Settings of an encoder, without tensors. The module is built from them (builders.h).
#pragma once

#include <optional>
#include <string>

#include "nn/attention/attention_config.h"

namespace heed {

// Dimensions of an encoder output, known from the config.
struct SourceDims {
  SourceSpec source{};  // of the states
  std::string cell;     // of a recurrent encoder, else ""
  int64_t layers = 1;   // of the final state
  int64_t final_width = 0;
  // Width of the backward state at the first position, the end of the final state; 0: none.
  int64_t backward_width = 0;
  bool of_text = true;        // true if the positions are those of the text
  bool of_sentences = false;  // true if each position is a sentence of the text
  // Width of the memories of an LSTM, the last part of the values; 0: they are not among them.
  int64_t memory = 0;

  // The final state becomes one vector of this width, which no recurrent encoder has made.
  void summarize(int64_t width) {
    cell.clear();
    layers = 1;
    final_width = width;
    backward_width = 0;
  }
};

struct EncoderConfig : KindSettings {
  // False for `none`: no source.
  virtual bool reads() const { return true; }
  // True if its layers can be recomputed in the backward pass (recomputed_layer.h).
  virtual bool can_recompute() const { return false; }
  // The source whose encoder is used; nullopt if the encoder is not shared.
  virtual std::optional<std::string> shared_with() const { return std::nullopt; }
  virtual SourceDims dims(int64_t input) const = 0;
  virtual void check(int64_t input, Problems& problems) const {}
  // Reports settings by which the state of a source token depends on later tokens.
  virtual void check_causal(Problems& problems) const;
};
const Registry<EncoderConfig>& encoders();

// `type: none`: without a source, as in a language model.
struct NoEncoderConfig final : EncoderConfig {
  bool reads() const override { return false; }
  void fields(Fields&) override {}
  SourceDims dims(int64_t input) const override;
};

// `type: shared`: the encoder of another source, named by `with`; ModelPlan resolves it.
struct SharedEncoderConfig final : EncoderConfig {
  std::string with;
  std::optional<std::string> shared_with() const override { return with; }
  void fields(Fields& f) override;
  SourceDims dims(int64_t input) const override;
};

}  // namespace heed
