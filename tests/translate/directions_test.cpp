#include "translate/directions.h"

#include <gmock/gmock.h>

#include "../base/temporary_folder.h"
#include "base/error.h"
#include "text/line_language.h"
#include "text/words.h"
#include "translate/line_translation.h"
#include "translate/split_line.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::shared_ptr<const Codec> codec_in(const LineLanguage& language) {
  const std::vector<std::string> pieces = {
      "a",  "b",  ">>s<<",        ">>eng_Latn<<", ">>deu_Latn<<",
      "x.", "y.", ">>zho_Hans<<", ">>zho_Hant<<"};
  return std::make_shared<const Codec>(
      with_language(std::make_shared<const WordTokenizer>("", false), language),
      std::make_shared<const Vocabulary>(pieces));
}

TextModel model_in(const LineLanguage& source, const LineLanguage& target) {
  TextModel model;
  model.sources = model.inputs = {"source"};
  model.codecs = {{"source", codec_in(source)}, {"target", codec_in(target)}};
  return model;
}

constexpr const char* kNoLanguage = "its source language is not known";
const LineLanguage kNeeded{.in_lines = true, .is_needed = true};

std::string piece_of(const TextModel& model, int32_t id) {
  return model.target_codec().vocabulary().piece(id);
}

TEST(ChosenDirections, AreLanguagesOfTheModel) {
  const TextModel model = model_in(kNeeded, kNeeded);
  const Directions directions(model);
  EXPECT_THAT(directions.sources(), ElementsAre("eng_Latn", "deu_Latn", "zho_Hans", "zho_Hant"));
  EXPECT_EQ(directions.targets(), directions.sources());
  EXPECT_TRUE(directions.needs_source() && directions.needs_target());
  const TextModel chosen = directions.choose({"en", "deu_Latn"});
  EXPECT_EQ(chosen.source_language + "-" + chosen.target_language, "en-de");
  EXPECT_EQ(chosen.aligned_codec().tokenizer().opening(), ">>eng_Latn<<");
  EXPECT_EQ(chosen.target_codec().tokenizer().opening(), ">>deu_Latn<<");
  EXPECT_FALSE(Directions(chosen).needs_source());
  EXPECT_TRUE(Directions(directions.choose({"en", ""})).needs_target());
  EXPECT_ERROR(directions.choose({"deu_Lat", ""}), ErrorKind::kUsage,
               "source language: found 'deu_Lat', expected a language of the model; did you mean "
               "'deu_Latn'?: eng_Latn deu_Latn");
  EXPECT_ERROR(directions.choose({"", "zh"}), ErrorKind::kUsage,
               "target language: 'zh' stands for several languages of the model: zho_Hans, "
               "zho_Hant");
  EXPECT_ERROR(directions.choose({"", "s"}), ErrorKind::kUsage, "found 's'");
}

TEST(ChosenDirections, TakeThePlaceOfTheUsualOne) {
  const TextModel model = model_in({.in_lines = true, .otherwise = "eng_Latn"}, kNeeded);
  const TextModel chosen = Directions(model).choose({"zho_Hans", "de"});
  EXPECT_EQ(chosen.aligned_codec().tokenizer().opening(), ">>zho_Hans<<");
  EXPECT_EQ(chosen.source_language, "zh");
}

// Models of OPUS-MT are so.
TEST(ChosenDirections, MayBeATargetThatTheSourceNames) {
  const TextModel model = model_in({.in_lines = true, .is_in_text = true}, {});
  const Directions directions(model);
  EXPECT_THAT(directions.sources(), IsEmpty());
  const TextModel chosen = directions.choose({"", "de"});
  EXPECT_THAT(chosen.aligned_codec().tokenizer().encode("a"), ElementsAre(">>deu_Latn<<", "a"));
  EXPECT_ERROR(directions.choose({"en", ""}), ErrorKind::kUsage,
               "source language: found en, but the model has no choice of it");
  EXPECT_ERROR(Directions(model_in({}, {})).choose({"", "de"}), ErrorKind::kUsage,
               "target language: found de, but the model has no choice of it");
}

TEST(DirectionsOfLines, AreReadFromTheirTokens) {
  const TextModel model = model_in(kNeeded, kNeeded);
  const LineOptions options;
  const LineTranslation lines(model, options);
  const LineInput both = lines.read({">>eng_Latn<< >>deu_Latn<< a b"}, 1);
  EXPECT_THAT(both.line.pieces.front(), ElementsAre(">>eng_Latn<<", "a", "b"));
  ASSERT_EQ(both.prefix.size(), 1u);
  EXPECT_EQ(piece_of(model, both.prefix.front()), ">>deu_Latn<<");
  EXPECT_EQ(both.given, 1);
  EXPECT_TRUE(both.has_target_word);
  const LineInput by_prefix =
      lines.read({">>eng_Latn<< a"}, 1, {.prefix = ">>deu_Latn<< b", .phrases = {}, .avoided = {}});
  EXPECT_EQ(piece_of(model, by_prefix.prefix.front()), ">>deu_Latn<<");
  EXPECT_EQ(piece_of(model, by_prefix.prefix.back()), "b");
  const LineInput phrases = lines.read({">>eng_Latn<< >>deu_Latn<< a"}, 1,
                                       {.prefix = "b", .phrases = {"a b"}, .avoided = {}});
  EXPECT_EQ(phrases.prefix.size(), 2u);
  EXPECT_EQ(phrases.phrases.front().forms.front().size(), 2u);
  EXPECT_ERROR(lines.read({"a"}, 7), ErrorKind::kData, std::string("line 7: ") + kNoLanguage);
  EXPECT_ERROR(lines.read({">>eng_Latn<< a"}, 7), ErrorKind::kData,
               "line 7: its target language is not known");
  EXPECT_ERROR(lines.read({">>eng_Latn<< >>deu_Lat<< a"}, 7), ErrorKind::kData,
               "line 7: >>deu_Lat<< is no language of the model");
  EXPECT_EQ(lines.read({""}, 1).length(), 0);
}

TEST(DirectionsOfLines, TakeThePlaceOfTheChosenOne) {
  const TextModel model = Directions(model_in(kNeeded, kNeeded)).choose({"eng_Latn", "deu_Latn"});
  const LineOptions options;
  const LineTranslation lines(model, options);
  EXPECT_EQ(piece_of(model, lines.read({"a"}, 1).prefix.front()), ">>deu_Latn<<");
  const LineInput other = lines.read({">>deu_Latn<< >>eng_Latn<< a"}, 1);
  EXPECT_THAT(other.line.pieces.front(), ElementsAre(">>deu_Latn<<", "a"));
  EXPECT_EQ(piece_of(model, other.prefix.front()), ">>eng_Latn<<");
}

TEST(DirectionsOfLines, AreThoseOfTheirSentences) {
  const TextModel model = model_in(kNeeded, kNeeded);
  LineOptions options;
  options.split = true;
  const SplitLine split =
      split_line(model, options, {">>eng_Latn<< >>deu_Latn<< A x. B y."}, "", false);
  ASSERT_EQ(split.sentences.size(), 2u);
  EXPECT_EQ(split.sentences[1].line.front(), ">>eng_Latn<< >>deu_Latn<< B y.");
  EXPECT_EQ(split.sentences[1].own_words, 2);
  const SplitLine by_prefix =
      split_line(model, options, {">>eng_Latn<< A x. B y."}, ">>deu_Latn<< A x. B", false);
  ASSERT_EQ(by_prefix.sentences.size(), 2u);
  EXPECT_EQ(by_prefix.sentences[1].prefix, ">>deu_Latn<<B");
}

}  // namespace
}  // namespace heed
