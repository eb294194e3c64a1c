// Sites and parts of the attentions of a model.
#include <gtest/gtest.h>

#include "config/reader.h"
#include "model/seq2seq.h"
#include "nn/torch.h"

namespace heed {
namespace {

// Part of an attention, with the parts inside: " (hop 0, hop 1)".
std::string part_of(const Attended& attended) {
  static const std::map<Part, std::string> parts = {{Part::kWhole, ""},
                                                    {Part::kHop, "hop"},
                                                    {Part::kSource, "source"},
                                                    {Part::kWrite, "write"},
                                                    {Part::kOverSources, "over"},
                                                    {Part::kForward, "forward"},
                                                    {Part::kBackward, "backward"},
                                                    {Part::kRead, "read"},
                                                    {Part::kInCell, "cell"}};
  std::string text = parts.at(attended.part);
  if (attended.part == Part::kHop) text += fmt::format(" {}", attended.hop);
  if (attended.part == Part::kSource) text += " " + attended.source;
  std::vector<std::string> inside;
  for (const Attended& part : attended.parts) inside.push_back(part_of(part));
  if (!inside.empty()) text += fmt::format(" ({})", fmt::join(inside, ", "));
  return text;
}
// Site and parts of an attention: "cross 0 (hop 0, hop 1)"
std::string site_of(const Attended& attended) {
  static const std::map<Place, std::string> names = {
      {Place::kEncoderSelf, "encoder"}, {Place::kDecoderSelf, "decoder"},
      {Place::kCross, "cross"},         {Place::kCoAttention, "co"},
      {Place::kPooling, "pool"},        {Place::kDocument, "document"}};
  const std::string text = part_of(attended), reader = attended.site.reader;
  return fmt::format("{} {}{}{}", names.at(attended.site.place), attended.site.layer,
                     reader.empty() ? "" : " " + reader,
                     text.empty() || text[0] == ' ' ? text : " " + text);
}

// Sites of the decoder, then of the encoders.
std::vector<std::string> sites(const std::string& config_text) {
  ModelConfig config;
  read_config_text(config_text, "test", config);
  VocabularySizes sizes{.sources = {}, .target = 9};
  std::map<std::string, SourceBatch> sources;
  for (const std::string& name : config.sources()) {
    sizes.sources[name] = 9;
    sizes.markers[name] = 8;
    sources[name] = source_batch({{5, 8, 6}, {7}}, torch::kCPU);
  }
  Seq2Seq model(config, sizes, 1);
  Pass pass;
  pass.keep_weights = true;
  EncoderOutput encoded;
  State state = model.start(SourceBatches(sources), pass, encoded);
  const Step step = model.advance(torch::tensor({{kBegin, 5}, {kBegin, 6}}, torch::kLong), state);
  std::vector<std::string> found;
  for (const Attended& attended : step.attended) found.push_back(site_of(attended));
  for (const Attended& attended : encoded.attended) found.push_back(site_of(attended));
  return found;
}
using Sites = std::vector<std::string>;

const std::string kTransformerModel = "{type: transformer, layers: 2, width: 8, feed_forward: 8}";
std::string with_decoder(const std::string& decoder) {
  return "{embedding: {width: 8}, encoder: {type: rnn, width: 8}, decoder: " + decoder + "}";
}
std::string with_attention(const std::string& attention) {
  return with_decoder("{type: rnn, width: 8, attention: " + attention + "}");
}
std::string with_sources(const std::string& rest) {
  return "{embedding: {width: 8}, encoders: {a: {type: rnn, width: 8}, b: {type: rnn, width: "
         "8}}, " +
         rest + "}";
}

TEST(Sites, CountLayers) {
  EXPECT_EQ(sites("{embedding: {width: 8}, encoder: " + kTransformerModel +
                  ", decoder: " + kTransformerModel + "}"),
            (Sites{"decoder 0", "cross 0", "decoder 1", "cross 1", "encoder 0", "encoder 1"}));
  EXPECT_EQ(sites(with_decoder("{type: convolution, layers: 2, width: 8}")),
            (Sites{"cross 0", "cross 1"}));
  EXPECT_EQ(sites(with_decoder("{type: rnn, width: 8, past: {}}")),
            (Sites{"cross 0", "decoder 0"}));
  EXPECT_EQ(sites(with_decoder("{type: rnn, layers: 2, width: 8, intra_attention: {}, past: {}}")),
            (Sites{"cross 0", "decoder 0 cell", "decoder 1 cell", "decoder 0"}));
  EXPECT_EQ(sites("{embedding: {width: 8}, encoder: {type: rnn, width: 8, intra_attention: {}}, "
                  "decoder: {type: rnn, width: 8}}"),
            (Sites{"cross 0", "encoder 0 forward", "encoder 0 backward"}));
}

TEST(Sites, TellPartsApart) {
  EXPECT_EQ(sites(with_attention("{type: hops, hops: 2, attention: {score: dot}}")),
            (Sites{"cross 0 (hop 0, hop 1)"}));
  EXPECT_EQ(sites(with_attention("{type: memory_network, hops: 2}")),
            (Sites{"cross 0 (hop 0, hop 1)"}));
  EXPECT_EQ(sites(with_attention("memory")), (Sites{"cross 0 (write)"}));
  EXPECT_EQ(sites(with_attention("{type: memory, initial: learned, rows: 3}")),
            (Sites{"cross 0 (read, write)"}));
  EXPECT_EQ(sites(with_attention("{type: episodic, passes: 2}")),
            (Sites{"cross 0 (hop 0, hop 1)"}));
  EXPECT_EQ(sites("{embedding: {width: 8}, encoder: {type: disan, layers: 1, width: 8}, "
                  "decoder: {type: rnn, width: 8}}"),
            (Sites{"cross 0", "encoder 0 forward", "encoder 0 backward"}));
}

TEST(Sites, OfSeveralSources) {
  const std::string decoder = "decoder: {type: rnn, width: 8, attention: {type: multi_source, ";
  EXPECT_EQ(sites(with_sources(decoder + "combine: hierarchical, attention: {score: dot}}}")),
            (Sites{"cross 0 (source a, source b, over)"}));
  EXPECT_EQ(sites(with_sources(decoder + "combine: flat, attention: {score: dot}}}")),
            (Sites{"cross 0 (source a, source b)"}));
  EXPECT_EQ(sites(with_sources(decoder + "attention: {type: hops, hops: 1, attention: {score: "
                                         "dot}}}}")),
            (Sites{"cross 0 (source a (hop 0), source b (hop 0))"}));
  EXPECT_EQ(sites(with_sources(
                "decoder: {type: answer, question: b, attention: {type: key_value_memory, keys: a, "
                "values: b, hops: 1}}")),
            (Sites{"cross 0 (hop 0)"}));
  EXPECT_EQ(sites(with_sources("join: co_attention, decoder: {type: rnn, width: 8, attention: "
                               "{type: one_source}}")),
            (Sites{"cross 0", "co 0 b", "co 0 a"}));
  EXPECT_EQ(sites(with_sources("join: attention_flow, decoder: {type: rnn, width: 8, attention: "
                               "{type: one_source}}")),
            (Sites{"cross 0", "co 0 a", "pool 0"}));
  EXPECT_EQ(sites(with_sources("join: attentive_pooling, decoder: {type: rnn, width: 8, attention: "
                               "{type: one_source}}")),
            (Sites{"cross 0", "pool 0", "pool 0"}));
}

TEST(Sites, OfPoolings) {
  EXPECT_EQ(sites("{embedding: {width: 8}, encoder: {type: rnn, width: 8}, join: self_attentive, "
                  "decoder: {type: rnn, width: 8}}"),
            (Sites{"cross 0", "pool 0"}));
  EXPECT_EQ(sites("{embedding: {width: 8}, encoder: {type: hierarchical, last: attention, "
                  "word_encoder: {type: rnn, width: 8}, sentence_encoder: {type: rnn, width: 8}}, "
                  "decoder: {type: rnn, width: 8}}"),
            (Sites{"cross 0", "pool 0", "document 0"}));
}

}  // namespace
}  // namespace heed
