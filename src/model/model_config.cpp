#include "model/model_config.h"

#include "config/sizes.h"
#include "data/example.h"
#include "model/decoders/rnn_config.h"
#include "model/encoders/rnn_config.h"
#include "model/model_spec.h"
#include "model/outputs/vocabulary_config.h"
#include "model/presets_spec.h"

namespace heed {

void EmbeddingConfig::fields(Fields& f) {
  static const Words<Tie> words = {
      {"none", Tie::kNone}, {"inputs", Tie::kInputs}, {"target", Tie::kTarget}, {"all", Tie::kAll}};
  f.field("width", width, kWidths, "width of the embeddings");
  f.field("dropout", dropout, kDropout, "dropout probability of the embeddings");
  f.field("source_word_dropout", source_word_dropout, kDropout,
          "word dropout: probability that the whole embedding of a source token is dropped");
  f.field("target_word_dropout", target_word_dropout, kDropout,
          "the same of a target token as input of the decoder");
  f.choice("tie", tie, words,
           "weight tying (Press 2017): none; of source and target embedding; of target embedding "
           "and output "
           "layer; or of all three");
  f.field(
      "share_sources", share_sources,
      "several sources: those of one vocabulary share one embedding, without sharing an encoder");
  f.field("zero_begin", zero_begin,
          "the embedding of <s>, with which a target begins, is zeros and is not trained, as in "
          "Marian; `heed export marian` needs it");
  static const Words<TagPlace> places = {{"none", TagPlace::kNone},
                                         {"source", TagPlace::kSource},
                                         {"target", TagPlace::kTarget},
                                         {"both", TagPlace::kBoth}};
  f.choice("tag", tag, places,
           "if data.train has tags, where the embedding of the tag is added: to every source "
           "token, to the first target token, or to both");
  f.map("source_factors", source_factors,
        "source factors by name, whose labels data.train[].factors has: an embedding for each "
        "label, combined with that of the token (Sennrich 2016)");
  f.may_change(ChangeAt::kPhase, {"dropout", "source_word_dropout", "target_word_dropout"});
  f.peers("width", {.joeynmt = "embeddings.embedding_dim",
                    .opennmt = "word_vec_size",
                    .marian = "dim-emb",
                    .also = "emb_dim"});
  f.peers("dropout", {.joeynmt = "embeddings.dropout", .opennmt = "dropout"});
  f.peers("source_word_dropout", {.marian = "dropout-src"});
  f.peers("target_word_dropout", {.marian = "dropout-trg"});
  f.peers("tie: target", {.joeynmt = "tied_softmax",
                          .opennmt = "share_decoder_embeddings",
                          .marian = "tied-embeddings"});
  f.peers("tie: all", {.joeynmt = "tied_embeddings, tied_softmax",
                       .opennmt = "share_embeddings, share_decoder_embeddings",
                       .marian = "tied-embeddings-all",
                       .also = "tie_embeddings, tied_embeddings_src"});
}

ModelConfig::ModelConfig()
    : encoder(make_kind<RnnEncoderConfig>("rnn")),
      decoder(make_kind<RnnDecoderConfig>("rnn")),
      output(make_kind<VocabularyOutputConfig>("vocabulary")) {}

void ModelConfig::fields(Fields& f) {
  preset(
      f, "preset", model_presets(),
      "published model, whose keys the other keys of this section override; `heed config explain "
      "preset` lists what each sets");
  f.section("embedding", embedding, "embeddings of source and target tokens");
  f.map_of("encoders", encoders, heed::encoders(),
           "encoders of several sources, by name, instead of `encoder`");
  if (encoders.empty()) f.one_of("encoder", encoder, heed::encoders(), "encoder");
  f.field("source_end", source_end,
          "each source ends in </s>; false: it has its tokens alone, as in OpenNMT-py; an empty "
          "line of the only source is </s> all the same");
  f.one_of("join", join, joiners(),
           "layer between encoder and decoder: pooling, co-attention, or the initial decoder state "
           "of several sources",
           true);
  f.one_of("decoder", decoder, decoders(), "decoder");
  f.one_of("output", output, outputs(), "output layer: distribution over the next token");
  f.section("initializer", initializer, "parameter initialization");
  f.peers("embedding", {.also = "embeddings"});
  if (encoders.empty()) {
    f.peers("encoder: {type: rnn, bidirectional: true}",
            {.joeynmt = "encoder: {type: recurrent, bidirectional: True}",
             .opennmt = "encoder_type: brnn",
             .marian = "type: s2s, enc-type: bidirectional"});
    f.peers("encoder: {type: transformer}", {.joeynmt = "encoder: {type: transformer}",
                                             .opennmt = "encoder_type: transformer",
                                             .marian = "type: transformer"});
  }
  f.peers("source_end: false", {.opennmt = "(always: a source has no `</s>`)"});
  f.peers("decoder", {.joeynmt = "decoder", .opennmt = "decoder_type", .marian = "type"});
  f.peers("output: pointer_generator", {.opennmt = "copy_attn"});
  f.peers("output: copynet", {.opennmt = "copy_attn"});
  f.peers("output: {type: entmax, alpha}", {.opennmt = "generator_function: sparsemax"});
}

std::vector<std::string> ModelConfig::sources() const {
  std::vector<std::string> names;
  for (const auto& [name, unused] : encoders) names.push_back(name);
  if (names.empty() && encoder->reads()) names.emplace_back(kSourceSide);
  return names;
}

void ModelConfig::validate(Problems& problems) const {
  ProblemsAt at_factors(problems, "embedding.source_factors");
  check_factors(embedding.source_factors, sources(), at_factors);
  if (embedding.share_sources && sources().size() < 2)
    problems.add("embedding.share_sources", "is of several sources: leave it out");
  if (!source_end && sources().empty())
    problems.add("source_end", "is of sources, and there is none: leave it out");
  check_plan(*this, problems);
}

}  // namespace heed
