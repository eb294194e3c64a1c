// A whole model: embeddings, an encoder for each source, decoder, output.
//
//   State state = model.start(sources, pass);
//   Step step = model.advance(tokens, state);               // [R,T] tokens
//   Tensor log_probs = model.log_probs(step, state);        // [R,T,V]
//
// Training calls advance once with all tokens, search once per token; both give the same result.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/batch_tensors.h"
#include "model/decoder.h"
#include "model/encoder.h"
#include "model/joiner.h"
#include "model/model_spec.h"
#include "model/output.h"
#include "model/saved_model_config.h"
#include "model/source_embedding.h"
#include "nn/module.h"

namespace heed {

class Seq2Seq : public Module {
 public:
  // Initializes parameters from `seed`, each from a separate random stream selected by its name.
  Seq2Seq(const ModelConfig& config, const VocabularySizes& sizes, uint64_t seed);

  State start(const SourceBatches& sources, const Pass& pass);
  // The same; `encoded` receives the encoder outputs, with the results of their attentions.
  State start(const SourceBatches& sources, const Pass& pass, EncoderOutput& encoded);
  Step advance(const Tensor& tokens, State& state);
  Tensor log_probs(const Step& step, State& state);
  // [R,T] of the targets, 0 for kPad
  Tensor target_log_probs(const Step& step, const Tensor& targets, State& state);
  TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing, State& state);

  torch::Device device() const;
  int64_t target_vocabulary() const { return sizes_.target; }  // V

  // A model with the same parameters but separate gradients, for a training worker.
  std::shared_ptr<Seq2Seq> replica() const { return replica(config_); }
  // The same with other dropout probabilities.
  std::shared_ptr<Seq2Seq> replica(const ModelConfig& config) const;

 private:
  void make_sources();
  // Adds the chunks of a source that has a sentence marker.
  SourceBatch with_chunks(const std::string& source, const SourceBatch& batch) const;
  // Embedding of the source's tokens, possibly shared.
  std::shared_ptr<Embedding> embedding_of(const SourcePlan& source);
  // Makes the embedding of a source with its factors.
  SourceEmbedding make_embedding(const SourcePlan& source);
  // Embeds the tokens of a source; adds the tag of each sentence.  [R,S,E]
  Tensor embedded_source(const std::string& name, const SourceBatch& source, const Tensor& tags,
                         const Pass& pass) const;
  void make_tags();
  void keep_state();
  // Drops whole token embeddings, with which x [R,T,·] begins. Source data that an output reads for
  // a token (CopyNet) is not dropped.
  Tensor with_word_dropout(const Tensor& x, const Pass& pass) const;
  // Embeds target tokens [R,T]; adds the tag of a sentence to its first token.  [R,T,E]
  Tensor embedded(const Tensor& tokens, State& state);

  std::shared_ptr<Embedding> target_embedding_;
  std::shared_ptr<Embedding> source_tag_, target_tag_;  // null if no tag is added
  // Embeddings and encoders by source. Sources with a shared encoder have the same encoder, and the
  // same embedding if they have one vocabulary.
  std::map<std::string, SourceEmbedding> source_embeddings_;
  std::map<std::string, std::shared_ptr<Encoder>> encoders_;
  std::shared_ptr<Joiner> joiner_;
  std::shared_ptr<Decoder> decoder_;
  std::shared_ptr<Output> output_;
  ModelConfig config_;
  ModelPlan plan_;
  VocabularySizes sizes_;

  StateBlock decoder_state_, output_state_;
  std::map<std::string, MemorySlot> origins_;  // EncodedSource::origin, if weights are kept
  MemorySlot tags_;                            // [N]
};

}  // namespace heed
