// Encoders: embedded sources to states that attention reads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "model/batch_tensors.h"
#include "nn/attention/attention.h"
#include "nn/module.h"
#include "nn/sources.h"

namespace heed {

// What a recurrent decoder may start from, lowest layer first; a Transformer gives the mean of its
// states as one layer.
struct FinalState {
  std::vector<Tensor> hidden;  // [R,W] a layer
  std::vector<Tensor> cell;    // the same of an LSTM, else empty
};

struct EncodedSource {
  Source source;
  FinalState final_state;
  Tensor origin;  // [R,S',S] how much of each position of the sentence is in each of what is read;
                  // undefined where these are the same positions
  Tensor copies;  // SourceBatch's, for outputs that copy; else undefined

  // What is read becomes `pooled`, whose positions are made of its own by weights [R,S'',S'].
  void pool(Source pooled, const Tensor& weights);
};

struct EncoderOutput {
  std::map<std::string, EncodedSource> sources;
  std::vector<Attended> attended;  // what the encoders' own attentions read
  std::vector<SideLoss> losses;  // [R,S], a value for each position, or [R,1], one for the sentence

  Sources memories() const;  // the sources alone, as attentions take them

  // Takes losses of the readers at `positions` [R,S].
  void take_losses(std::vector<SideLoss> found, const Tensor& counted);
  // Takes the result of an attention with queries at `positions` [R,S]: its losses, its weights if the
  // pass keeps them; returns its context.
  Tensor take(const Site& site, Attended one, const Tensor& counted, const Pass& pass);
  // Takes the weights [R,T,S] of a pooling of a source if the pass keeps weights.
  void take_weights(const Site& site, const std::string& source, const Tensor& weights,
                    const Pass& pass);
};

// States [R,S,W] of a sentence as what is read of it, keys and values alike; their mean is the final
// state.
EncodedSource encoded_states(const Tensor& states, const SourceBatch& source);

// Self-attention of a sentence x [R,S,W].
Attended attend_own_sentence(Attention& attention, const Tensor& x, const SourceBatch& source,
                             const Pass& pass);

class Encoder : public Module {
 public:
  // x [R,S,E] embedded, of `source`; fills what it attended and its losses into `output`.
  virtual EncodedSource encode(const Tensor& x, const SourceBatch& source, const Pass& pass,
                               EncoderOutput& output) = 0;
  // Told once: how many attentions of the decoder there are that ask for scaled gradients.
  virtual void read_by(int64_t attentions) {}
};

// What is known of an encoder's output before a tensor exists.
struct SourceDims {
  SourceSpec source{};  // of the states
  std::string cell;     // of a recurrent encoder, else ""
  int64_t layers = 1;   // of the final state
  int64_t final_width = 0;
  bool of_text = true;  // whether the positions are those of the text
};

struct EncoderConfig : KindSettings {
  // Whether there is a source for it: `none` has none.
  virtual bool reads() const { return true; }
  // The source whose encoder this one is; none: it is one of its own.
  virtual std::optional<std::string> shared_with() const { return std::nullopt; }
  virtual SourceDims dims(int64_t input) const = 0;
  virtual void check(int64_t input, Problems& problems) const {}
  // input: width of the embeddings; tags: AttentionDims'.
  virtual std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const = 0;
};
const Registry<EncoderConfig>& encoders();

// `type: none`: there is no source, as in a language model.
struct NoEncoderConfig final : EncoderConfig {
  bool reads() const override { return false; }
  void fields(Fields&) const override {}
  SourceDims dims(int64_t input) const override;
  std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const override;
};

// `type: shared`: the encoder of another source, which is named; ModelPlan looks through it.
struct SharedEncoderConfig final : EncoderConfig {
  std::string with;
  std::optional<std::string> shared_with() const override { return with; }
  void fields(Fields& f) const override;
  SourceDims dims(int64_t input) const override;
  std::shared_ptr<Encoder> build(int64_t input, int64_t tags) const override;
};

}  // namespace heed
