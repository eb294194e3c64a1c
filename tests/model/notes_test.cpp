#include "config/notes.h"

#include <gmock/gmock.h>

#include "config/reader.h"
#include "model/seq2seq.h"
#include "nn/torch.h"
#include "one_thread.h"

namespace heed {
namespace {

using testing::HasSubstr;

std::vector<std::string> notes_of(const std::string& encoder, const std::string& decoder) {
  ModelConfig config;
  read_config_text("{encoder: " + encoder + ", decoder: " + decoder + "}", "test", config);
  return notes_on(config, "model");
}
std::string transformer(const std::string& more) {
  return "{type: transformer, layers: 1, width: 16, feed_forward: 8" + more + "}";
}

TEST(Notes, NameWhatHasPositionsOfItsOwnBesideOthers) {
  for (const char* attention : {"{score: relative, heads: 2}", "{score: rotary, heads: 2}",
                                "{terms: [alibi], heads: 2}", "{terms: [bucket_bias], heads: 2}"}) {
    const std::string own = std::string(", self_attention: ") + attention;
    const auto notes = notes_of(transformer(own), transformer(own + ", positions: learned"));
    ASSERT_EQ(notes.size(), 2U) << attention;
    EXPECT_THAT(notes[0], HasSubstr("model.encoder.positions: sinusoidal"));
    EXPECT_THAT(notes[0], HasSubstr("positions: none"));
    EXPECT_THAT(notes[1], HasSubstr("model.decoder.positions: learned"));
    EXPECT_TRUE(
        notes_of(transformer(own + ", positions: none"), transformer(own + ", positions: none"))
            .empty());
  }
  EXPECT_TRUE(notes_of(transformer(""), transformer("")).empty());
}

TEST(Notes, LookIntoEncodersInsideOthers) {
  const std::string rotary = transformer(", self_attention: {score: rotary, heads: 2}"),
                    values =
                        transformer(", self_attention: {score: dot, read: relative, heads: 2}");
  const auto notes = notes_of(fmt::format("{{type: hierarchical, word_encoder: {}, "
                                          "sentence_encoder: {}}}",
                                          rotary, values),
                              "rnn");
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_THAT(notes[0], HasSubstr("model.encoder.word_encoder.positions: sinusoidal"));
  EXPECT_THAT(notes[1], HasSubstr("model.encoder.sentence_encoder.positions: sinusoidal"));
}

TEST(Notes, NameTwoClips) {
  const auto with = [](const std::string& read) {
    return notes_of("rnn", transformer(", positions: none, self_attention: {score: {type: "
                                       "relative, clip: 3}, heads: 2" +
                                       read + "}"));
  };
  EXPECT_TRUE(with("").empty());
  EXPECT_TRUE(with(", read: {type: relative, clip: 3}").empty());
  const auto notes = with(", read: {type: relative, clip: 16}");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("model.decoder.self_attention.read.clip: 16, but 3"));
}

// Raffel 2017, equation 16.
TEST(Notes, NameAMonotonicAttentionWithoutItsNormalizedEnergy) {
  const auto with = [](const std::string& score, const std::string& normalizer) {
    return notes_of("rnn", fmt::format("{{type: rnn, attention: {{score: {}, normalizer: {}}}}}",
                                       score, normalizer));
  };
  for (const char* normalizer : {"monotonic", "{type: monotonic, chunk: 2}"}) {
    EXPECT_THAT(
        with("additive", normalizer),
        testing::ElementsAre("model.decoder.attention.score.normalize: false, but Raffel 2017 has "
                             "g v / |v| with normalizer: monotonic: set score: {type: additive, "
                             "normalize: true}"));
    EXPECT_THAT(with("location", normalizer),
                testing::ElementsAre(HasSubstr("score: {type: location, normalize: true}")));
    EXPECT_TRUE(with("{type: additive, normalize: true}", normalizer).empty());
    EXPECT_TRUE(with("general", normalizer).empty());
  }
  EXPECT_TRUE(with("additive", "softmax").empty());
}

TEST(Notes, NameAHiddenLayerThatIsMuchWiderThanTheQuery) {
  const auto with = [](const std::string& score, int width) {
    return notes_of(
        "rnn", fmt::format("{{type: rnn, width: {}, attention: {{score: {}}}}}", width, score));
  };
  const auto notes = with("additive", 128);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0],
            "model.decoder.attention.score.hidden: 512 by default, but the query has width 128: "
            "set hidden: 128 to compare this score with others");
  EXPECT_EQ(with("concat", 128).size(), 1U);
  EXPECT_EQ(with("location", 128).size(), 1U);
  EXPECT_THAT(with("{type: multi_dim, form: full}", 128),
              testing::ElementsAre(HasSubstr("model.decoder.attention.score.form.hidden: 512")));
  EXPECT_TRUE(with("additive", 256).empty()) << "twice is usual";
  EXPECT_TRUE(with("{type: additive, hidden: 512}", 128).empty()) << "as it was meant";
  EXPECT_TRUE(with("general", 128).empty());
  EXPECT_EQ(notes_of("rnn", "{type: rnn, width: 128}").size(), 1U) << "the default score";
}

}  // namespace
}  // namespace heed
