// A whole model: embeddings, an encoder for each source, decoder, output.
//
//   State state = model.start(sources, pass);
//   Step step = model.advance(tokens, state);               // [R,T] tokens
//   Tensor log_probs = model.log_probs(step, state);        // [R,T,V]
//
// Training calls advance once with all tokens, search once a token; both give the same.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <torch/nn/module.h>

#include "config/fields.h"
#include "model/batch_tensors.h"
#include "model/decoder.h"
#include "model/encoder.h"
#include "model/joiner.h"
#include "model/output.h"
#include "nn/initialize.h"

namespace heed {

enum class Tie { kNone, kTarget, kAll };
enum class TagPlace { kNone, kSource, kTarget, kBoth };

struct EmbeddingConfig final : Settings {
  int64_t width = 256;
  double dropout = 0;
  Tie tie = Tie::kTarget;
  TagPlace tag = TagPlace::kBoth;
  void fields(Fields& f) override;
};

struct ModelConfig final : Settings {
  EmbeddingConfig embedding;
  std::shared_ptr<EncoderConfig> encoder;                          // of the only source
  std::map<std::string, std::shared_ptr<EncoderConfig>> encoders;  // of several, by their names
  std::shared_ptr<JoinerConfig> join;  // none: the decoder reads what the encoder gives
  std::shared_ptr<DecoderConfig> decoder;
  std::shared_ptr<OutputConfig> output;
  InitializerConfig initializer;
  ModelConfig();
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  // The names of what is read.
  std::vector<std::string> sources() const;
  // The source whose encoder this source has: itself, unless it shares.
  std::string encoder_owner(const std::string& source) const;
  const EncoderConfig& encoder_of(const std::string& source) const;
  AllSourceDims source_dims() const;  // of what the encoders give
  // Whether every source has an encoder in the end; else nothing of the above can be asked.
  bool has_all_encoders() const;
  DecoderDims decoder_dims() const;
  // Whether the decoder's attention over the source has weights: coverage and alignments want them.
  bool has_source_weights() const;
  // What the output is built for, but for vocabulary and embedding.
  OutputDims output_dims(const DecoderDims& decoder_dims) const;
};

// Whether an attention reads along edges, which then have to come with every sentence.
bool reads_edges(ModelConfig config);
// Whether an attention goes by the tags of the sentences, which then have to have some.
bool attends_by_tag(ModelConfig config);

struct VocabularySizes {
  std::map<std::string, int64_t> sources;
  int64_t target = 0;
  // The side whose vocabulary a source uses; what is not there uses its own.
  std::map<std::string, std::string> owners{};
  // The id of what stands between the sentences of a source, where they are marked.
  std::map<std::string, int32_t> markers{};
  int64_t tags = 0;  // of the sentences; 0: they have none
};

class Seq2Seq : public torch::nn::Module {
 public:
  // Parameters are initialised from `seed`, each from the stream of its own name.
  Seq2Seq(const ModelConfig& config, const VocabularySizes& sizes, uint64_t seed);

  State start(const SourceBatches& sources, const Pass& pass);
  // The same, keeping what the encoders attended.
  State start(const SourceBatches& sources, const Pass& pass, EncoderOutput& encoded);
  Step advance(const Tensor& tokens, State& state);
  Tensor log_probs(const Step& step, const State& state);
  TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                 const State& state);

  int64_t vocabulary_size() const { return sizes_.target; }
  torch::Device device() const;

  // A model that shares this one's parameters but has gradients of its own: for a second worker.
  std::shared_ptr<Seq2Seq> replica() const;

 private:
  void make_sources();
  // With the chunks that a source has.
  SourceBatch with_chunks(const std::string& source, const SourceBatch& batch) const;
  // Its own, or what it shares.
  std::shared_ptr<Embedding> embedding_of(const std::string& source);
  void make_tags(int64_t decoder_input);
  // Target tokens [R,T], the first of a sentence with its tag.  [R,T,E]
  Tensor embedded(const Tensor& tokens, State& state);

  std::shared_ptr<Embedding> target_embedding_;
  std::shared_ptr<Embedding> source_tag_, target_tag_;  // none where nothing is added
  // By the source; sources that share an encoder share it, and the embedding of one vocabulary.
  std::map<std::string, std::shared_ptr<Embedding>> source_embeddings_;
  std::map<std::string, std::shared_ptr<Encoder>> encoders_;
  std::shared_ptr<Joiner> joiner_;
  std::shared_ptr<Decoder> decoder_;
  std::shared_ptr<Output> output_;
  ModelConfig config_;
  VocabularySizes sizes_;
};

}  // namespace heed
