#include "model/seq2seq.h"

#include "nn/torch.h"

#include "base/error.h"
#include "data/example.h"
#include "model/builders.h"
#include "model/parameter_names_spec.h"
#include "nn/chunks.h"
#include "nn/initialize.h"

namespace heed {

namespace {

// Origins [R,S',S] by source. A single source has the key kOnly, because attentions then have no
// source name.
constexpr const char* kOnly = "";
using Origins = std::map<std::string, Tensor>;

void map_to_source_positions(Attended& attended, const Origins& origins) {
  const auto origin = origins.find(origins.contains(kOnly) ? kOnly : attended.source);
  if (attended.weights.defined() && origin != origins.end())
    attended.weights = torch::matmul(attended.weights, origin->second.unsqueeze(1));
  for (Attended& part : attended.parts) map_to_source_positions(part, origins);
}

// Maps attention weights over the rows of a joiner to the positions of the source.
void map_to_source_positions(Step& step, const Origins& origins) {
  for (Attended& attended : step.attended) {
    if (attended.site.place == Place::kCross) map_to_source_positions(attended, origins);
  }
}

// The same batch for a model whose sources do not end in kEnd. Positions stay, so that attention
// weights have the same columns; the last one is 0.
SourceBatch without_end(const SourceBatch& batch) {
  SourceBatch shorter = batch;
  shorter.lengths = torch::where(batch.lengths > 1, batch.lengths - 1, batch.lengths);
  shorter.mask = length_mask(shorter.lengths, batch.ids.size(1));
  const Tensor shut = shorter.mask.logical_not();
  shorter.ids = batch.ids.masked_fill(shut, kPad);
  if (batch.copies.defined()) shorter.copies = batch.copies.masked_fill(shut, kPad);
  return shorter;
}

// Sets the source of the encoders' attention results from `begin` on.
void name_source(EncoderOutput& encoded, size_t begin, const std::string& name) {
  for (size_t i = begin; i < encoded.attended.size(); ++i)
    heed::name_source(encoded.attended[i], name);
}

}  // namespace

Seq2Seq::Seq2Seq(const ModelConfig& config, const VocabularySizes& sizes, uint64_t seed)
    : config_(config), plan_(plan_of(config)), sizes_(sizes) {
  target_embedding_ = register_module(
      "target",
      std::make_shared<Embedding>(sizes.target, config.embedding.width, config.embedding.dropout));
  make_sources();
  if (config.join) joiner_ = register_module("join", build(*config.join, plan_.encoded()));
  make_tags();
  DecoderDims dims = plan_.decoder;
  dims.tags = sizes.tags;
  decoder_ = register_module(names::kDecoder, build(*config.decoder, dims));
  for (const auto& [name, encoder] : encoders_) encoder->read_by(*config.decoder);
  output_ =
      register_module(names::kOutputLayer, build(*config.output, plan_.output, target_embedding_));
  keep_state();
  initialize(*this, config.initializer, seed);
  if (config.embedding.zero_begin) {
    const torch::NoGradGuard no_grad;
    target_embedding_->weight()[kBegin].zero_();
  }
}

void Seq2Seq::keep_state() {
  decoder_state_ = layout_.block("decoder", decoder_->layout());
  output_state_ = layout_.block("output", output_->layout());
  for (const auto& [name, unused] : plan_.decoder.sources)
    origins_[name] = layout_.memory("origin." + name);
  tags_ = layout_.memory("tags");
}

void Seq2Seq::make_sources() {
  HEED_CHECK(plan_.sources.size() == sizes_.sources.size(), "an encoder for each source");
  for (const SourcePlan& source : plan_.sources) {
    if (source.shares()) continue;
    source_embeddings_[source.name] = make_embedding(source);
    encoders_[source.name] = register_module(names::encoder(source.name),
                                             build(*source.encoder, source.input, sizes_.tags));
  }
  for (const SourcePlan& source : plan_.sources) {
    if (!source.shares()) continue;
    source_embeddings_[source.name] = make_embedding(source);
    encoders_[source.name] = encoders_.at(source.owner);
  }
}

std::shared_ptr<Embedding> Seq2Seq::embedding_of(const SourcePlan& source) {
  const EmbeddingConfig& embedding = config_.embedding;
  const int64_t vocabulary = sizes_.sources.at(source.name);
  if (embedding.ties_source()) {
    HEED_CHECK(vocabulary == sizes_.target, "tied embeddings need one vocabulary");
    return target_embedding_;
  }
  const auto vocabulary_of = [this](const std::string& name) {
    const auto found = sizes_.owners.find(name);
    return found == sizes_.owners.end() ? name : found->second;
  };
  if (source.shares() && vocabulary_of(source.owner) == vocabulary_of(source.name))
    return source_embeddings_.at(source.owner).tokens();
  for (const auto& [name, other] : source_embeddings_) {
    if (embedding.share_sources && vocabulary_of(name) == vocabulary_of(source.name))
      return other.tokens();
  }
  return register_module(
      "source_" + source.name,
      std::make_shared<Embedding>(vocabulary, embedding.width, embedding.dropout));
}

SourceEmbedding Seq2Seq::make_embedding(const SourcePlan& source) {
  const EmbeddingConfig& embedding = config_.embedding;
  std::shared_ptr<Embedding> tokens = embedding_of(source);
  std::vector<SourceEmbedding::Factor> factors;
  for (const auto& [name, factor] : embedding.source_factors) {
    if (!factor.is_of(source.name)) continue;
    const auto labels = std::make_shared<Embedding>(
        sizes_.factors.at(name), factor.width.value_or(embedding.width), /*dropout=*/0);
    factors.push_back({register_module("factor_" + name, labels), factor.combine});
  }
  return {std::move(tokens), std::move(factors)};
}

// Makes tag embeddings, similar to language embeddings (Conneau and Lample 2019).
void Seq2Seq::make_tags() {
  const TagPlace place = config_.embedding.tag;
  const auto make = [this](const char* name, int64_t width) {
    return register_module(name, std::make_shared<Embedding>(sizes_.tags, width, 0));
  };
  if (sizes_.tags == 0) return;
  if (place == TagPlace::kSource || place == TagPlace::kBoth)
    source_tag_ = make("source_tag", config_.embedding.width);
  if (place == TagPlace::kTarget || place == TagPlace::kBoth)
    target_tag_ = make("target_tag", plan_.decoder.input);
}

SourceBatch Seq2Seq::with_chunks(const std::string& source, const SourceBatch& batch) const {
  const auto marker = sizes_.markers.find(source);
  if (marker == sizes_.markers.end()) return batch;
  SourceBatch chunked = batch;
  chunked.features[kChunks] = chunks_of(batch.ids == marker->second);
  return chunked;
}

Tensor Seq2Seq::embedded_source(const std::string& name, const SourceBatch& source,
                                const Tensor& tags, const Pass& pass) const {
  const Tensor x = word_dropout(source_embeddings_.at(name).embed(source, pass),
                                config_.embedding.source_word_dropout, pass);  // [R,S,E]
  if (!source_tag_) return x;
  const Tensor tag = source_tag_->embed(tags.unsqueeze(1), pass);  // [R,1,E of tokens]
  const int64_t beside = x.size(2) - tag.size(2);                  // width of concatenated factors
  return x + (beside == 0 ? tag : torch::constant_pad_nd(tag, {0, beside}));
}

State Seq2Seq::start(const SourceBatches& sources, const Pass& pass) {
  EncoderOutput encoded;
  return start(sources, pass, encoded);
}

State Seq2Seq::start(const SourceBatches& sources, const Pass& wanted, EncoderOutput& encoded) {
  Pass pass = wanted;
  pass.keep_weights = wanted.keep_weights || config_.output->reads_weights();
  HEED_CHECK(sizes_.tags == 0 || !sources.named.empty(), "tags come with a source");
  const Tensor tags = sizes_.tags > 0 ? sources.named.begin()->second.features.at(kTag) : Tensor();
  for (const auto& [name, given] : sources.named) {
    const SourceBatch batch = with_chunks(name, config_.source_end ? given : without_end(given));
    const Tensor x = embedded_source(name, batch, tags, pass);  // [R,S,E]
    const size_t attended = encoded.attended.size();
    EncodedSource source = encoders_.at(name)->encode(x, batch, pass, encoded);
    name_source(encoded, attended, name);
    source.copies = batch.copies;
    encoded.sources.emplace(name, std::move(source));
  }
  if (joiner_) encoded = joiner_->join(std::move(encoded), pass);
  for (auto& [name, source] : encoded.sources) {
    if (tags.defined()) source.source.features[kTag] = tags;
  }
  pass.recomputes = pass.recomputes && !output_->stepwise();
  State state(layout(), sources.rows, pass, device());
  const StateView view = state.view();
  for (const auto& [name, source] : encoded.sources) {
    if (pass.keep_weights && source.origin.defined()) view.put(origins_.at(name), source.origin);
  }
  if (target_tag_) view.put(tags_, tags);
  decoder_->start(encoded, view[decoder_state_]);
  output_->start(encoded, view[output_state_]);
  return state;
}

Tensor Seq2Seq::with_word_dropout(const Tensor& x, const Pass& pass) const {
  const double p = config_.embedding.target_word_dropout;
  const int64_t width = target_embedding_->width(), rest = x.size(2) - width;
  if (!pass.training || p == 0) return x;
  if (rest == 0) return word_dropout(x, p, pass);
  return torch::cat({word_dropout(x.narrow(2, 0, width), p, pass), x.narrow(2, width, rest)}, 2);
}

Tensor Seq2Seq::embedded(const Tensor& tokens, State& state) {
  const StateView view = state.view();
  const Tensor x = with_word_dropout(output_->embed(tokens, view[output_state_]), state.pass);
  if (!target_tag_) return x;
  const Tensor is_first =
      state.positions.unsqueeze(1) + torch::arange(tokens.size(1), tokens.options()) == 0;  // [R,T]
  return x +
         target_tag_->embed(view.by_row(tags_).unsqueeze(1), state.pass) * is_first.unsqueeze(2);
}

Step Seq2Seq::advance(const Tensor& tokens, State& state) {
  if (!output_->stepwise() || tokens.size(1) == 1) {
    const StateView view = state.view();
    Step step = decoder_->advance(embedded(tokens, state), view[decoder_state_]);
    output_->observe(tokens, step, view[output_state_]);
    Origins origins;
    for (const auto& [name, slot] : origins_) {
      if (view.has(slot)) origins[origins_.size() == 1 ? kOnly : name] = view.by_row(slot);
    }
    if (!origins.empty()) map_to_source_positions(step, origins);
    return step;
  }
  std::vector<Step> steps;
  for (int64_t t = 0; t < tokens.size(1); ++t)
    steps.push_back(advance(tokens.narrow(1, t, 1), state));
  return join_steps(steps);
}

Tensor Seq2Seq::log_probs(const Step& step, State& state) {
  return output_->log_probs(step, state.view()[output_state_]);
}

Tensor Seq2Seq::target_log_probs(const Step& step, const Tensor& targets, State& state) {
  return output_->target_log_probs(step, targets, state.view()[output_state_]);
}

TokenLoss Seq2Seq::loss(const Step& step, const Tensor& targets, double label_smoothing,
                        State& state) {
  return output_->loss(step, targets, label_smoothing, state.view()[output_state_]);
}

torch::Device Seq2Seq::device() const { return target_embedding_->weight().device(); }

std::shared_ptr<Seq2Seq> Seq2Seq::replica(const ModelConfig& config) const {
  auto copy = std::make_shared<Seq2Seq>(config, sizes_, 0);
  auto own = copy->named_parameters();
  for (const auto& item : named_parameters()) {
    own[item.key()].set_data(item.value().detach());
    own[item.key()].set_requires_grad(item.value().requires_grad());
  }
  auto buffers = copy->named_buffers();
  for (const auto& item : named_buffers()) buffers[item.key()].set_data(item.value());
  return copy;
}

}  // namespace heed
