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
  for (const char* attention :
       {"{score: relative, heads: 2}", "{score: rotary, heads: 2}", "{terms: [alibi], heads: 2}"}) {
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

}  // namespace
}  // namespace heed
