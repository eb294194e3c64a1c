#include <algorithm>

#include "base/error.h"
#include "config/kinds_in.h"
#include "config/sizes.h"
#include "model/decoders/rnn.h"
#include "model/encoders/rnn.h"
#include "model/outputs/vocabulary.h"
#include "model/seq2seq.h"
#include "nn/attention/stages.h"

namespace heed {

void EmbeddingConfig::fields(Fields& f) {
  static const Words<Tie> words = {
      {"none", Tie::kNone}, {"target", Tie::kTarget}, {"all", Tie::kAll}};
  f.field("width", width, kWidths, "width of the embeddings");
  f.field("dropout", dropout, kDropout, "dropout probability of the embeddings");
  f.choice("tie", tie, words,
           "weight tying: none, of target embedding and output layer, or of source embedding, "
           "target embedding and output layer");
  static const Words<TagPlace> places = {{"none", TagPlace::kNone},
                                         {"source", TagPlace::kSource},
                                         {"target", TagPlace::kTarget},
                                         {"both", TagPlace::kBoth}};
  f.choice("tag", tag, places,
           "if data.train has tags, where the embedding of the tag is added: to every source "
           "token, to the first target token, or to both");
}

ModelConfig::ModelConfig()
    : encoder(make_kind<RnnEncoderConfig>("rnn")),
      decoder(make_kind<RnnDecoderConfig>("rnn")),
      output(make_kind<VocabularyOutputConfig>("vocabulary")) {}

void ModelConfig::fields(Fields& f) {
  f.section("embedding", embedding, "embeddings of source and target tokens");
  f.map_of("encoders", encoders, heed::encoders(),
           "encoders of several sources, by name, instead of `encoder`");
  if (encoders.empty()) f.one_of("encoder", encoder, heed::encoders(), "encoder");
  f.one_of("join", join, joiners(),
           "layer between encoder and decoder: pooling, co-attention, or the initial decoder state "
           "of several sources",
           true);
  f.one_of("decoder", decoder, decoders(), "decoder");
  f.one_of("output", output, outputs(), "output layer: distribution over the next token");
  f.section("initializer", initializer, "parameter initialization");
}

namespace {

constexpr const char* kNoEncoder = "none";

std::string shared_with(const EncoderConfig& encoder) {
  const auto* shared = dynamic_cast<const SharedEncoderConfig*>(&encoder);
  return shared == nullptr ? "" : shared->with;
}

// The first one, if the name is none of them; of a language model, which has none, nothing.
SourceDims source_named(const AllSourceDims& sources, const std::string& name) {
  if (sources.empty()) return {};
  const auto found = sources.find(name);
  return found == sources.end() ? sources.begin()->second : found->second;
}

void check_sharing(const ModelConfig& config, Problems& problems) {
  if (config.encoders.empty() && config.encoder->type == "shared")
    problems.add("encoder", "shares the encoder of another source, but there is only one source");
  for (const auto& [source, encoder] : config.encoders) {
    if (encoder->type == kNoEncoder)
      problems.add("encoders." + source,
                   "needs a source, and `encoder: none` has none: leave it out");
    if (encoder->type != "shared") continue;
    const std::string with = shared_with(*encoder);
    const auto found = config.encoders.find(with);
    if (found != config.encoders.end() && found->second->type != "shared") continue;
    problems.add(
        fmt::format("encoders.{}.with", source),
        found == config.encoders.end()
            ? fmt::format("there is no encoder of '{}'", with)
            : fmt::format("{} shares an encoder itself: name the source that has it", with));
  }
}

}  // namespace

std::vector<std::string> ModelConfig::sources() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : encoders) names.push_back(name);
  if (names.empty() && encoder->type != kNoEncoder) names.emplace_back(kSourceSide);
  return names;
}

std::string ModelConfig::encoder_owner(const std::string& source) const {
  const auto found = encoders.find(source);
  const std::string with = found == encoders.end() ? "" : shared_with(*found->second);
  return with.empty() ? source : with;
}

const EncoderConfig& ModelConfig::encoder_of(const std::string& source) const {
  return encoders.empty() ? *encoder : *encoders.at(encoder_owner(source));
}

bool ModelConfig::has_all_encoders() const {
  const auto has = [this](const std::string& source) {
    const auto owner = encoders.find(encoder_owner(source));
    return owner != encoders.end() && owner->second->type != "shared" &&
           owner->second->type != kNoEncoder;
  };
  return encoders.empty() ? encoder->type != "shared" : std::ranges::all_of(sources(), has);
}

AllSourceDims ModelConfig::source_dims() const {
  AllSourceDims dims;
  for (const std::string& source : sources())
    dims[source] = encoder_of(source).dims(embedding.width);
  return dims;
}

void ModelConfig::validate(Problems& problems) const {
  check_sharing(*this, problems);
  if (!has_all_encoders()) return;
  for (const std::string& source : sources()) {
    ProblemsAt at_encoder(problems, encoders.empty() ? "encoder" : "encoders." + source);
    if (encoder_owner(source) == source) encoder_of(source).check(embedding.width, at_encoder);
  }
  if (join && sources().empty()) return problems.add("join", "needs a source, and there is none");
  if (join) {
    ProblemsAt at_join(problems, "join");
    join->check(source_dims(), at_join);
  }
  ProblemsAt at_decoder(problems, "decoder");
  const DecoderDims dims = decoder_dims();
  decoder->check(dims, at_decoder);
  ProblemsAt at_output(problems, "output");
  output->check(output_dims(dims), at_output);
}

DecoderDims ModelConfig::decoder_dims() const {
  DecoderDims dims{.input = embedding.width, .sources = source_dims()};
  if (join) dims.sources = join->dims(dims.sources);
  const std::string copied = decoder->source_attention(dims).source;
  dims.input = output->input_width(embedding.width, source_named(dims.sources, copied));
  return dims;
}

bool ModelConfig::has_source_weights() const {
  return decoder->source_attention(decoder_dims()).heads > 0;
}

OutputDims ModelConfig::output_dims(const DecoderDims& decoder_dims) const {
  const SourceAttention attention = decoder->source_attention(decoder_dims);
  return {.input = decoder_dims.input,
          .hidden = decoder->hidden_width(),
          .attention = attention,
          .source = source_named(decoder_dims.sources, attention.source),
          .vocabulary = 0,
          .embedding = nullptr,
          .tie = embedding.tie != Tie::kNone,
          .norm = decoder->output_norm()};
}

bool attends_by_tag(ModelConfig config) {
  return kinds_in(config, attentions()).contains("task_specific");
}

bool reads_edges(ModelConfig config) { return kinds_in(config, terms()).contains("edges"); }

}  // namespace heed
