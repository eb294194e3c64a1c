// Encoders: map embedded sources to states for attention.
#pragma once

#include <string>
#include <vector>

#include "model/batch_tensors.h"
#include "model/encoder_config.h"
#include "nn/attention/attention.h"
#include "nn/module.h"
#include "nn/sources.h"

namespace heed {

// Final states, lowest layer first, from which a recurrent decoder may be initialized. A
// Transformer has the mean of its states as one layer.
struct FinalState {
  std::vector<Tensor> hidden;  // [R,W] per layer
  std::vector<Tensor> cell;    // the same for an LSTM, else empty
};

struct EncodedSource {
  Source source;
  FinalState final_state;
  Tensor origin;  // [R,S',S] weights of the source positions in each encoded position;
                  // undefined if the positions are the same
  Tensor copies;  // SourceBatch's, for outputs that copy; else undefined

  // Replaces the source by `pooled`. weights [R,S'',S']: weights of the old positions in the new
  // ones.
  void pool(Source pooled, const Tensor& weights);
};

struct EncoderOutput {
  std::map<std::string, EncodedSource> sources;
  std::vector<Attended> attended;  // results of the encoders' own attentions
  std::vector<SideLoss> losses;  // [R,S], a value for each position, or [R,1], one for the sentence

  Sources memories() const;  // the sources alone, as attentions take them

  // Adds losses of queries; counted [R,S]: mask of the queries that count.
  void take_losses(std::vector<SideLoss> found, const Tensor& counted);
  // Adds the result of an attention: its losses, and its weights if the pass keeps them. Returns
  // its context vectors.
  Tensor take(const Site& site, Attended one, const Tensor& counted, const Pass& pass);
  // Adds the weights [R,T,S] of a pooling of a source if the pass keeps weights.
  void take_weights(const Site& site, const std::string& source, const Tensor& weights,
                    const Pass& pass);
};

// States [R,S,W] of a sentence as its keys and values; the final state is their mean.
EncodedSource encoded_states(const Tensor& states, const SourceBatch& source);

// Self-attention of a sentence x [R,S,W].
Attended attend_own_sentence(Attention& attention, const Tensor& x, const SourceBatch& source,
                             const Pass& pass);

struct DecoderConfig;

class Encoder : public Module {
 public:
  // x [R,S,E]: embeddings of `source`. Adds results and losses of attentions to `output`.
  virtual EncodedSource encode(const Tensor& x, const SourceBatch& source, const Pass& pass,
                               EncoderOutput& output) = 0;
  // Called with the settings of the decoder, before parameters are initialized.
  virtual void read_by(const DecoderConfig& decoder) {}
};

}  // namespace heed
