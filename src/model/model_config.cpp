#include "base/error.h"
#include "config/kinds_in.h"
#include "model/decoders/rnn.h"
#include "model/encoders/rnn.h"
#include "model/outputs/vocabulary.h"
#include "model/seq2seq.h"
#include "nn/attention/stages.h"

namespace heed {

void EmbeddingConfig::fields(Fields& f) {
  static const Words<Tie> words = {
      {"none", Tie::kNone}, {"target", Tie::kTarget}, {"all", Tie::kAll}};
  f.field("width", width, kPositive, "width of the embeddings");
  f.field("dropout", dropout, kDropout, "probability on the embeddings");
  f.choice(
      "tie", tie, words,
      "what shares weights: nothing, target embedding and output, or source embedding as well");
}

ModelConfig::ModelConfig()
    : encoder(make_kind<RnnEncoderConfig>("rnn")),
      decoder(make_kind<RnnDecoderConfig>("rnn")),
      output(make_kind<VocabularyOutputConfig>("vocabulary")) {}

void ModelConfig::fields(Fields& f) {
  f.section("embedding", embedding, "pieces to vectors");
  f.one_of("encoder", encoder, encoders(), "source to states");
  f.one_of("join", join, joiners(), "what becomes of the states before they are read", true);
  f.one_of("decoder", decoder, decoders(), "states to target");
  f.one_of("output", output, outputs(),
           "what the decoder says to a distribution over the next token");
  f.section("initializer", initializer, "first values of the parameters");
}

void ModelConfig::validate(Problems& problems) const {
  ProblemsAt at_encoder(problems, "encoder"), at_decoder(problems, "decoder");
  encoder->check(embedding.width, at_encoder);
  if (join) {
    ProblemsAt at_join(problems, "join");
    join->check({{"source", encoder->dims(embedding.width)}}, at_join);
  }
  const DecoderDims dims = decoder_dims();
  decoder->check(dims, at_decoder);
  ProblemsAt at_output(problems, "output");
  output->check(output_dims(dims), at_output);
}

DecoderDims ModelConfig::decoder_dims() const {
  AllSourceDims sources{{"source", encoder->dims(embedding.width)}};
  if (join) sources = join->dims(sources);
  return {.input = output->input_width(embedding.width, sources.begin()->second),
          .sources = sources};
}

bool ModelConfig::has_source_weights() const {
  return decoder->source_attention(decoder_dims()).heads > 0;
}

OutputDims ModelConfig::output_dims(const DecoderDims& decoder_dims) const {
  return {.input = decoder_dims.input,
          .hidden = decoder->hidden_width(),
          .attention = decoder->source_attention(decoder_dims),
          .source = decoder_dims.sources.begin()->second,
          .joined = join != nullptr,
          .vocabulary = 0,
          .embedding = nullptr,
          .tie = embedding.tie != Tie::kNone};
}

bool reads_edges(ModelConfig config) { return kinds_in(config, terms()).contains("edges"); }

}  // namespace heed
