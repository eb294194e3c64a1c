#include "text/codecs.h"

#include "holds.h"
#include "text/characters.h"
#include "text/sentencepiece.h"
#include "text/words.h"
#include "text_test_tools.h"

namespace heed {
namespace {

using Lines = std::map<std::string, LineSource>;

TextConfig word_side(int64_t min_count = 1) {
  auto config = make_kind<WordsConfig>("words");
  config->vocabulary.min_count = min_count;
  return {config};
}

TextConfig shared_side(const std::string& with) {
  TextConfig side;
  side.tokenizer->share = with;
  return side;
}

TEST(Codecs, SeparateSidesHaveTheirOwnWords) {
  const TextConfigs text = {{"source", word_side()}, {"target", word_side()}};
  const Codecs codecs =
      build_codecs(text, {{"source", source_of({"a b", "b"})}, {"target", source_of({"x"})}}, 1);
  EXPECT_EQ(codecs.at("source")->vocabulary(), Vocabulary({"b", "a"}));
  EXPECT_EQ(codecs.at("target")->vocabulary(), Vocabulary({"x"}));
}

TEST(Codecs, SharedSidesLearnFromBoth) {
  holds({"text.NAME.share", "text.NAME.vocabulary.min_count"});
  const TextConfigs text = {{"source", word_side(2)}, {"target", shared_side("source")}};
  const Codecs codecs =
      build_codecs(text, {{"source", source_of({"a b"})}, {"target", source_of({"b c c"})}}, 1);
  EXPECT_EQ(codecs.at("source"), codecs.at("target"));
  EXPECT_EQ(codecs.at("source")->vocabulary(), Vocabulary({"b", "c"}));
}

TEST(Codecs, SharedSubwordsLearnFromBoth) {
  holds({"text.NAME.share", "text.NAME.size"});
  TextConfigs text = {{"source", {}}, {"target", shared_side("source")}};
  const auto subwords = make_kind<SentencePieceConfig>("sentencepiece");
  subwords->size = 90;
  text.at("source").tokenizer = subwords;
  const Lines lines = {{"source", source_of(some_sentences(200))},
                       {"target", source_of({"xylophone xylophone Ψ", "xylophone"})}};
  const Codecs codecs = build_codecs(text, lines, 1);
  EXPECT_EQ(codecs.at("target")->decode(codecs.at("target")->encode("Ψ xylophone")), "Ψ xylophone");
}

TEST(Codecs, ComeBackFromAFolder) {
  const TemporaryFolder folder;
  TextConfigs text = {{"source", {}}, {"target", word_side()}, {"third", shared_side("source")}};
  const auto subwords = make_kind<SentencePieceConfig>("sentencepiece");
  subwords->size = 70;
  text.at("source").tokenizer = subwords;
  const Lines lines = {{"source", source_of(some_sentences(200))},
                       {"target", source_of(some_sentences(50))},
                       {"third", source_of({"der"})}};
  const Codecs codecs = build_codecs(text, lines, 1);
  save_codecs(folder.path(), text, codecs);
  EXPECT_EQ(folder.names(),
            (std::vector<std::string>{"source.model", "source.vocabulary", "target.vocabulary"}));
  const Codecs loaded = load_codecs(folder.path(), text);
  EXPECT_EQ(loaded.at("third"), loaded.at("source"));
  for (const auto& [side, codec] : codecs) {
    EXPECT_EQ(loaded.at(side)->vocabulary(), codec->vocabulary());
    EXPECT_EQ(loaded.at(side)->encode("der Bär hört"), codec->encode("der Bär hört"));
  }
}

// The model stores whether words are separated by spaces, as found in training.
TEST(Codecs, HowWordsAreWrittenComesBack) {
  struct Case {
    std::vector<std::string> lines;
    std::string file;  // "": none
    std::vector<std::string> words;
  };
  const std::string line = "我们 喜欢猫";
  const std::vector<std::string> by_characters = {"我", "们", "喜", "欢", "猫"},
                                 by_spaces = {"我们", "喜欢猫"};
  for (const auto& [lines, file, words] :
       {Case{{"猫が好き", "犬"}, "characters\n", by_characters},
        Case{{"我们 喜欢 猫", "狗 也 好"}, "spaces\n", by_spaces}, Case{{"a b"}, "", by_spaces}}) {
    const TemporaryFolder folder;
    const TextConfigs text = {{"source", {make_kind<CharactersConfig>("characters")}}};
    save_codecs(folder.path(), text, build_codecs(text, {{"source", source_of(lines)}}, 1));
    EXPECT_EQ(file.empty() ? "" : read_plainly(folder / "source.words"), file);
    EXPECT_EQ(folder.names().size(), file.empty() ? 1U : 2U);
    EXPECT_EQ(load_codecs(folder.path(), text).at("source")->tokenizer().words(line), words);
  }
  const TemporaryFolder folder;
  const TextConfigs words = {{"source", word_side()}};
  save_codecs(folder.path(), words, build_codecs(words, {{"source", source_of({"猫が好き"})}}, 1));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"source.vocabulary"}) << "always spaces";
}

// The first 100,000 lines decide whether words are separated by spaces; counting the vocabulary
// reads all lines.
TEST(Codecs, ReadNoMoreThanShowsHowWordsAreWritten) {
  int64_t read = 0;
  const LineSource lines = [&](const std::function<void(std::string_view)>& take) {
    for (int i = 0; i < 150'000; ++i) {
      ++read;
      take(i < 100'000 ? "猫が好き" : "a b");
    }
  };
  const TextConfigs text = {{"source", {make_kind<CharactersConfig>("characters")}}};
  const Codecs codecs = build_codecs(text, {{"source", lines}}, 1);
  EXPECT_EQ(codecs.at("source")->tokenizer().word_unit(), WordUnit::kCharacters);
  EXPECT_EQ(read, 100'001 + 150'000);
}

TEST(Codecs, DamagedFoldersAreNoModel) {
  const TemporaryFolder folder;
  const TextConfigs text = {{"source", word_side()}};
  EXPECT_ERROR(load_codecs(folder.path(), text), ErrorKind::kModel, "source.vocabulary");
  write_plainly(folder / "source.vocabulary", "a\na\n");
  EXPECT_ERROR(load_codecs(folder.path(), text), ErrorKind::kModel, "line 2");
  const TextConfigs characters = {{"source", {make_kind<CharactersConfig>("characters")}}};
  write_plainly(folder / "source.vocabulary", "a\n");
  write_plainly(folder / "source.words", "letters\n");
  EXPECT_ERROR(load_codecs(folder.path(), characters), ErrorKind::kModel,
               "source.words: expected the line spaces or characters");
}

TEST(Codecs, NamedVocabularyIsTakenAsItStands) {
  holds({"text.NAME.vocabulary.file"});
  const TemporaryFolder folder;
  write_plainly(folder / "words", "zebra\nape\n");
  TextConfigs text = {{"source", word_side()}};
  text.at("source").tokenizer->vocabulary_config()->file = "words";
  resolve_text_paths(text, folder.path());
  const Codecs codecs = build_codecs(text, {{"source", source_of({"ape"})}}, 1);
  EXPECT_EQ(codecs.at("source")->vocabulary(), Vocabulary({"zebra", "ape"}));
}

TEST(Codecs, VocabularyKeepsToItsLargestSize) {
  holds({"text.NAME.vocabulary.max_size"});
  TextConfigs text = {{"source", word_side()}};
  text.at("source").tokenizer->vocabulary_config()->max_size = 2;
  const Codecs codecs = build_codecs(text, {{"source", source_of({"a b c", "c b", "c"})}}, 1);
  EXPECT_EQ(codecs.at("source")->vocabulary(), Vocabulary({"c", "b"}));
}

TEST(Codecs, SayWhenNoPieceIsLeft) {
  holds({"text.NAME.vocabulary.min_count"});
  const TextConfigs text = {{"source", word_side(5)}};
  EXPECT_ERROR(build_codecs(text, {{"source", source_of({"a b c"})}}, 1), ErrorKind::kData,
               "min_count");
  EXPECT_ERROR(build_codecs(text, {{"source", source_of({})}}, 1), ErrorKind::kData,
               "the vocabulary is empty");
}

// Python's str.splitlines() splits at all of these characters.
TEST(Codecs, DecodeToOneLine) {
  const Codec words(std::make_shared<WordTokenizer>("", false), std::make_shared<Vocabulary>());
  const Codec letters(std::make_shared<CharacterTokenizer>(false), std::make_shared<Vocabulary>());
  for (const std::string separator :
       {"\n", "\v", "\f", "\r", "\x1c", "\x1d", "\x1e", "\u0085", "\u2028", "\u2029"}) {
    EXPECT_EQ(words.decode(std::vector<std::string>{"a" + separator, "b"}), "a  b");
    EXPECT_EQ(letters.decode(std::vector<std::string>{"a", separator, "b"}), "a b");
  }
  const Codec vocabulary_has_it(std::make_shared<WordTokenizer>("", false),
                                std::make_shared<Vocabulary>(std::vector<std::string>{"a\u2028b"}));
  EXPECT_EQ(vocabulary_has_it.decode(vocabulary_has_it.encode("a\u2028b")), "a b");
}

// The model has pieces for single bytes, which can spell every character.
TEST(Codecs, DecodeBytesToOneLine) {
  SentencePieceConfig config;
  config.size = 340;
  config.byte_fallback = true;
  const auto tokenizer = config.make(source_of(some_sentences(200)), 1);
  const Codec codec(tokenizer, std::make_shared<Vocabulary>(tokenizer->own_pieces()));
  const auto decoded = [&](std::vector<std::string> pieces) { return codec.decode(pieces); };
  for (const char* byte : {"<0x0A>", "<0x0B>", "<0x0C>", "<0x0D>", "<0x1C>", "<0x1D>", "<0x1E>"})
    EXPECT_EQ(decoded({"a", byte, "b"}), "a b") << byte;
  EXPECT_EQ(decoded({"a", "<0xC2>", "<0x85>", "b"}), "a b");
  EXPECT_EQ(decoded({"a", "<0xE2>", "<0x80>", "<0xA8>", "b"}), "a b");
  EXPECT_EQ(decoded({"a", "<0x1F>", "<0xC3>", "<0xA4>"}), "a\x1F\u00E4");
}

}  // namespace
}  // namespace heed
