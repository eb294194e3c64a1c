#include "model/seq2seq.h"

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

namespace {

constexpr const char* kOrigin = "origin";  // EncodedSource::origin, where weights are wanted

void tell_by_sentence(Attended& attended, const Tensor& origin) {
  if (attended.weights.defined())
    attended.weights = torch::matmul(attended.weights, origin.unsqueeze(1));
  for (Attended& part : attended.parts) tell_by_sentence(part, origin);
}

// What was read in the places that a joiner made, in the places of the sentence.
void tell_by_sentence(Step& step, const Tensor& origin) {
  for (Attended& attended : step.attended) {
    if (attended.place.starts_with("decoder.cross")) tell_by_sentence(attended, origin);
  }
}

}  // namespace

Seq2Seq::Seq2Seq(const ModelConfig& config, const VocabularySizes& sizes, uint64_t seed)
    : config_(config), sizes_(sizes) {
  const EmbeddingConfig& embedding = config.embedding;
  const auto make_embedding = [&](const std::string& name, int64_t vocabulary) {
    return register_module(
        name, std::make_shared<Embedding>(vocabulary, embedding.width, embedding.dropout));
  };
  DecoderDims dims;
  target_embedding_ = make_embedding("target", sizes.target);
  for (const auto& [name, vocabulary] : sizes.sources) {
    HEED_CHECK(embedding.tie != Tie::kAll || vocabulary == sizes.target,
               "tied embeddings want one vocabulary");
    source_embeddings_[name] = embedding.tie == Tie::kAll
                                   ? target_embedding_
                                   : make_embedding("source_" + name, vocabulary);
    encoders_[name] = register_module("encoder_" + name,
                                      config.encoder->build(embedding.width, "encoder." + name));
    dims.sources[name] = config.encoder->dims(embedding.width);
  }
  if (config.join) {
    joiner_ = register_module("join", config.join->build(dims.sources));
    dims.sources = config.join->dims(dims.sources);
  }
  dims.input = config.output->input_width(embedding.width, dims.sources.begin()->second);
  decoder_ = register_module("decoder", config.decoder->build(dims));
  OutputDims output_dims = config.output_dims(dims);
  output_dims.vocabulary = sizes.target;
  output_dims.embedding = target_embedding_;
  output_ = register_module("output", config.output->build(output_dims));
  initialize(*this, config.initializer, seed);
}

State Seq2Seq::start(const SourceBatches& sources, const Pass& pass) {
  EncoderOutput encoded;
  return start(sources, pass, encoded);
}

State Seq2Seq::start(const SourceBatches& sources, const Pass& wanted, EncoderOutput& encoded) {
  Pass pass = wanted;
  pass.keep_weights = wanted.keep_weights || config_.output->reads_weights();
  for (const auto& [name, batch] : sources) {
    const Tensor x = source_embeddings_.at(name)->embed(batch.ids, pass);  // [R,S,E]
    EncodedSource source = encoders_.at(name)->encode(x, batch, pass, encoded);
    source.copies = batch.copies;
    encoded.rows = batch.ids.size(0);
    encoded.sources.emplace(name, std::move(source));
  }
  if (joiner_) encoded = joiner_->join(std::move(encoded), pass);
  State state(encoded.rows, pass, device());
  if (pass.keep_weights && encoded.sources.size() == 1) {
    const Tensor& origin = encoded.sources.begin()->second.origin;
    if (origin.defined()) state.put_shared(kOrigin, origin);
  }
  decoder_->start(encoded, state);
  output_->start(encoded, state);
  return state;
}

Step Seq2Seq::advance(const Tensor& tokens, State& state) {
  if (!output_->stepwise() || tokens.size(1) == 1) {
    Step step = decoder_->advance(output_->embed(tokens, state), state);
    output_->observe(step, state);
    if (state.has(kOrigin)) tell_by_sentence(step, state.get(kOrigin));
    return step;
  }
  std::vector<Step> steps;
  for (int64_t t = 0; t < tokens.size(1); ++t)
    steps.push_back(advance(tokens.narrow(1, t, 1), state));
  return join_steps(steps);
}

Tensor Seq2Seq::log_probs(const Step& step, const State& state) {
  return output_->log_probs(step, state);
}

TokenLoss Seq2Seq::loss(const Step& step, const Tensor& targets, double label_smoothing,
                        const State& state) {
  return output_->loss(step, targets, label_smoothing, state);
}

torch::Device Seq2Seq::device() const { return target_embedding_->weight().device(); }

std::shared_ptr<Seq2Seq> Seq2Seq::replica() const {
  auto copy = std::make_shared<Seq2Seq>(config_, sizes_, 0);
  auto own = copy->named_parameters();
  for (const auto& item : named_parameters()) own[item.key()].set_data(item.value().detach());
  return copy;
}

}  // namespace heed
