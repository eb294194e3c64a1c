#include "text/sentencepiece.h"

#include <gmock/gmock.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "base/hash.h"
#include "base/log.h"
#include "captured_log.h"
#include "config/reader.h"
#include "holds.h"
#include "text/codec.h"
#include "text/line_language.h"
#include "text/sample.h"
#include "text/sentencepiece_file.h"
#include "text/sentencepiece_trainer.h"
#include "text_test_tools.h"

namespace heed {
namespace {

using testing::HasSubstr;
using Pieces = std::vector<std::string>;

std::shared_ptr<Tokenizer> train(SentencePieceConfig config,
                                 const std::vector<std::string>& lines = some_sentences(500)) {
  return config.make(source_of(lines), 1);
}

SentencePieceConfig small(SubwordModel model = SubwordModel::kBpe) {
  SentencePieceConfig config;
  config.size = 80;
  config.model_type = model;
  return config;
}

Codec codec_of(const std::shared_ptr<Tokenizer>& tokenizer) {
  return {tokenizer, std::make_shared<Vocabulary>(tokenizer->own_pieces())};
}

class SentencePieceModels : public testing::TestWithParam<SubwordModel> {};
INSTANTIATE_TEST_SUITE_P(Both, SentencePieceModels,
                         testing::Values(SubwordModel::kBpe, SubwordModel::kUnigram));

TEST_P(SentencePieceModels, HasAsManyIdsAsAskedFor) {
  holds({"text.NAME.size"});
  SentencePieceConfig config = small(GetParam());
  config.size = 60;
  EXPECT_EQ(codec_of(train(config)).vocabulary().size(), 60);
}

TEST_P(SentencePieceModels, TextComesBack) {
  holds({"text.NAME.model_type", "text.NAME=sentencepiece"});
  const Codec codec = codec_of(train(small(GetParam())));
  for (const std::string& line : some_sentences(60)) {
    EXPECT_EQ(codec.decode(codec.encode(line)), line);
  }
}

TEST_P(SentencePieceModels, ALanguageCodeIsOneToken) {
  holds({"text.NAME.language_code"});
  SentencePieceConfig config = small(GetParam());
  const std::string line = some_sentences(1).front();
  const Pieces plain = train(config)->encode(line);
  config.language_code = true;
  const auto tokenizer = with_language(train(config), config.line_language());
  Pieces expected = {">>deu<<"};
  expected.insert(expected.end(), plain.begin(), plain.end());
  EXPECT_EQ(tokenizer->encode(">>deu<< " + line), expected);
  EXPECT_EQ(tokenizer->encode(line), plain);
  EXPECT_NE(tokenizer->encode(line + " >>deu<<").back(), ">>deu<<");
}

// Language codes at the beginning of training lines are added to the vocabulary that the text
// without them gives; elsewhere in a line they are text.
TEST_P(SentencePieceModels, LearnsTheLanguageCodesOfItsText) {
  SentencePieceConfig config = small(GetParam());
  const std::vector<std::string> text = some_sentences(500);
  const auto lines = [&](const auto& take) {
    for (size_t i = 0; i < text.size(); ++i) take((i % 2 == 0 ? ">>deu<< " : ">>fra<< ") + text[i]);
  };
  const auto sorted = [](Pieces pieces) {
    std::ranges::sort(pieces);
    return pieces;
  };
  config.size -= 2;
  Pieces expected = train(config, text)->own_pieces();
  expected.insert(expected.end(), {">>deu<<", ">>fra<<"});
  config.size += 2;
  config.language_code = true;
  const auto tokenizer = with_language(config.make(lines, 1), config.line_language());
  EXPECT_EQ(sorted(tokenizer->own_pieces()), sorted(expected));
  EXPECT_EQ(tokenizer->encode(">>deu<< " + text[0]).front(), ">>deu<<");
  EXPECT_EQ(std::ranges::count(tokenizer->encode(text[0] + " >>deu<<"), ">>deu<<"), 0);
}

// A line begins with the language of the config, unless it names another.
TEST_P(SentencePieceModels, ALineBeginsWithItsLanguage) {
  holds({"text.NAME.language"});
  SentencePieceConfig config = small(GetParam());
  const std::string line = some_sentences(1).front();
  const Pieces plain = train(config)->encode(line);
  config.language = "deu_Latn";
  const auto tokenizer = with_language(train(config), config.line_language());
  const auto behind = [&plain](const std::string& token) {
    Pieces pieces = {token};
    pieces.insert(pieces.end(), plain.begin(), plain.end());
    return pieces;
  };
  EXPECT_EQ(tokenizer->opening(), ">>deu_Latn<<");
  EXPECT_EQ(tokenizer->encode(line), behind(">>deu_Latn<<"));
  EXPECT_EQ(tokenizer->encode(">>fra_Latn<< " + line), behind(">>fra_Latn<<"));
  EXPECT_TRUE(tokenizer->encode("").empty());
  EXPECT_EQ(tokenizer->decode(behind(">>deu_Latn<<")), line);
  const PieceWords words = tokenizer->piece_words(line, behind(">>deu_Latn<<"));
  EXPECT_EQ(words.at(0), (WordRange{0, 1})) << "goes with the first word";
  EXPECT_EQ(words.at(1), (WordRange{0, 1}));
  EXPECT_EQ(words.back().end, std::ranges::count(line, ' ') + 1);
  EXPECT_EQ(tokenizer->written_words(behind(">>deu_Latn<<")), words);
  const PieceWords named = tokenizer->piece_words(">>fra_Latn<< " + line, behind(">>fra_Latn<<"));
  EXPECT_EQ(named.at(0), (WordRange{0, 1})) << "stands in the line";
  EXPECT_EQ(named.at(1), (WordRange{1, 2}));
  EXPECT_EQ(tokenizer->written_words({">>deu_Latn<<"}), PieceWords{WordRange{}})
      << "a text without words";
}

TEST(SentencePieceLanguage, NeedsAVocabularyThatHasIt) {
  SentencePieceConfig config;
  EXPECT_ERROR(read_config_text("{language: 'a b'}", "c.yaml", config), ErrorKind::kUsage,
               "expected a code of letters");
  EXPECT_ERROR(read_config_text("{language: deu}", "c.yaml", config), ErrorKind::kUsage,
               "needs a separate vocabulary");
  EXPECT_ERROR(read_config_text("{language: deu, vocabulary: {}, marker: '|'}", "c.yaml", config),
               ErrorKind::kUsage, "a marker between sentences is not possible with it");
}

TEST_P(SentencePieceModels, TextComesBackNormalised) {
  const Codec codec = codec_of(train(small(GetParam())));
  // NFKC combines the accent with its letter; spaces at the ends are removed, runs of spaces become
  // one; U+2581 in the text is a space.
  EXPECT_EQ(codec.decode(codec.encode("  der   Ba\xCC\x88r  ")), "der Bär");
  EXPECT_EQ(codec.decode(codec.encode("der▁Bär")), "der Bär");
  EXPECT_EQ(codec.encode(""), Ids());
  EXPECT_EQ(codec.encode("   "), Ids());
  EXPECT_EQ(codec.decode(Ids()), "");
}

TEST_P(SentencePieceModels, FiveRunsGiveTheSameModel) {
  std::vector<std::string> models;
  for (int run = 0; run < 5; ++run) {
    SubwordTraining training;
    training.size = 70;
    training.sample = 300;
    training.model_type = GetParam() == SubwordModel::kBpe ? "bpe" : "unigram";
    models.push_back(train_sentencepiece(training, source_of(some_sentences(1000))));
  }
  for (const std::string& model : models) EXPECT_EQ(hash_bytes(model), hash_bytes(models[0]));
}

TEST_P(SentencePieceModels, TakesWhatTheTextGives) {
  SentencePieceConfig config = small(GetParam());
  config.size = 30000;
  const Codec codec = codec_of(train(config));
  EXPECT_LT(codec.vocabulary().size(), 30000);
  EXPECT_GT(codec.vocabulary().size(), 50);
}

TEST_P(SentencePieceModels, SaysWhichSizeIsNeeded) {
  SentencePieceConfig config = small(GetParam());
  config.size = 10;
  std::string message;
  try {
    train(config);
  } catch (const Error& caught) {
    message = caught.what();
  }
  ASSERT_NE(message.find("need "), std::string::npos) << message;
  // The size in the message is enough, and one less is not.
  config.size = std::stoll(message.substr(message.find("need ") + 5));
  EXPECT_EQ(codec_of(train(config)).vocabulary().size(), config.size);
  --config.size;
  EXPECT_ERROR(train(config), ErrorKind::kUsage, "too small");
}

// Repeats the text until there are at least `bytes` bytes.
std::string repeated(const std::string& text, size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += text;
  return all;
}

TEST_P(SentencePieceModels, LongLinesTakeNoLongTime) {
  const auto start = std::chrono::steady_clock::now();
  const auto tokenizer = train(small(GetParam()));
  const std::string unknown = repeated("漢", 3'000'000);
  EXPECT_EQ(tokenizer->encode(unknown), (Pieces{"▁", unknown}));
  const std::string words = repeated("der Bär hört ", 1'000'000) + "x";
  EXPECT_EQ(tokenizer->decode(tokenizer->encode(words)), words);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(2));
}

// Model file that the SentencePiece library trains.
std::string train_by_library(std::unordered_map<std::string, std::string> options,
                             const std::vector<std::string>& lines) {
  const TemporaryFolder folder;
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_plainly(folder / "text", text);
  options.insert(
      {{"input", (folder / "text").string()}, {"hard_vocab_limit", "false"}, {"minloglevel", "3"}});
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(options, nullptr, &model);
  EXPECT_TRUE(status.ok()) << status.message();
  return model;
}

// Models trained by the library itself, for scripts with and without spaces.
using LibraryOptions = std::unordered_map<std::string, std::string>;

class SentencePieceOfTheLibrary
    : public testing::TestWithParam<std::tuple<const char*, LibraryOptions>> {
 protected:
  void SetUp() override {
    auto [type, options] = GetParam();
    options.insert({{"model_type", type}, {"vocab_size", "420"}});
    std::vector<std::string> lines = some_sentences(300);
    for (int i = 0; i < 100; ++i)
      lines.insert(lines.end(), {"一个男人在长椅上睡觉", "男人睡觉", "человек спит на скамейке",
                                 "मनुष्य सोता है", "رجل ينام على مقعد"});
    const std::string model = train_by_library(options, lines);
    ASSERT_TRUE(library_.LoadFromSerializedProto(model).ok());
    tokenizer_ = std::make_shared<SentencePieceTokenizer>(model, "test", /*lower=*/false);
  }
  void expect_same(const std::string& line, const std::string& what) const {
    Pieces expected;
    ASSERT_TRUE(library_.Encode(line, &expected).ok());
    EXPECT_TRUE(tokenizer_->encode(line) == expected) << what << ", " << line.size() << " bytes";
  }

  sentencepiece::SentencePieceProcessor library_;
  std::shared_ptr<SentencePieceTokenizer> tokenizer_;
};
INSTANTIATE_TEST_SUITE_P(
    All, SentencePieceOfTheLibrary,
    testing::Combine(testing::Values("bpe", "unigram"),
                     testing::Values(LibraryOptions{},
                                     LibraryOptions{{"add_dummy_prefix", "false"}},
                                     LibraryOptions{{"remove_extra_whitespaces", "false"}},
                                     LibraryOptions{{"add_dummy_prefix", "false"},
                                                    {"remove_extra_whitespaces", "false"}},
                                     LibraryOptions{{"treat_whitespace_as_suffix", "true"}},
                                     LibraryOptions{{"byte_fallback", "true"}},
                                     LibraryOptions{{"split_by_whitespace", "false"}},
                                     LibraryOptions{{"normalization_rule_name", "identity"}})));

TEST_P(SentencePieceOfTheLibrary, EncodesLongLinesAsItDoes) {
  const std::vector<std::pair<const char*, std::string>> texts = {
      {"words", "Der Bär sieht zwei Bäume, ein Kind hört nichts. "},
      {"no spaces", "DerBärsiehtzweiBäume"},
      {"Chinese", "一个男人在长椅上睡觉"},
      {"Russian", "человек спит на скамейке, и "},
      {"Hindi", "मनुष्य सोता है "},
      {"Arabic", "رجل ينام على مقعد "},
      {"unknown characters", "日本語ひらがな"},
      {"unknown words", "日本 語 "},
      {"many spaces", "der   Bär    "},
      {"spaces alone", " "},
      {"compositions", "a\u0308o\u0301\uFB01\uFF21"}};
  for (const auto& [what, text] : texts) {
    for (const size_t size : {16'400, 70'000}) expect_same(repeated(text, size), what);
    expect_same("  " + repeated(text, 20'000) + "  ", what);
  }
}

// The lines are so long that a run of unknown characters is encoded in parts.
TEST_P(SentencePieceOfTheLibrary, EncodesRunsOfUnknownCharactersAsItDoes) {
  const std::string words = repeated("der Bär sieht ", 90'000);
  const std::string run = repeated("日本語ひらがな", 50'000);
  expect_same(words + run + " " + words, "run between words");
  expect_same(run + words, "run at the beginning");
  expect_same(words + run, "run at the end");
  expect_same(words + repeated("\uFF21\uFF42", 50'000), "letters that are known when normalized");
  expect_same(words + repeated("\u3042\u3099", 50'000), "letters and marks");
  expect_same(words + repeated("\u1100\u1161\u11A8", 50'000), "parts of syllables");
}

// A vocabulary of other pieces: every second one.
TEST_P(SentencePieceOfTheLibrary, IsRestrictedToAVocabularyAsItIs) {
  const std::vector<std::string> all = tokenizer_->all_pieces();
  std::vector<std::string> some;
  for (size_t i = 0; i < all.size(); i += 2) some.push_back(all[i]);
  if (std::get<1>(GetParam()).contains("byte_fallback")) {
    EXPECT_EQ(restricted_sentencepiece(tokenizer_->model(), "model", some), tokenizer_->model());
    return;
  }
  const SentencePieceTokenizer restricted(
      restricted_sentencepiece(tokenizer_->model(), "model", some), "model", false);
  ASSERT_TRUE(library_.SetVocabulary({some.begin(), some.end()}).ok());
  int changed = 0;
  for (const std::string& line : some_sentences(60)) {
    std::vector<std::string> expected;
    ASSERT_TRUE(library_.Encode(line, &expected).ok());
    EXPECT_EQ(restricted.encode(line), expected);
    changed += expected == tokenizer_->encode(line) ? 0 : 1;
  }
  EXPECT_GT(changed, 0);
}

TEST(SentencePiece, LearnsPiecesAsTheModelTypeSays) {
  holds({"text.NAME.model_type", "text.NAME=sentencepiece"});
  EXPECT_NE(train(small(SubwordModel::kBpe))->own_pieces(),
            train(small(SubwordModel::kUnigram))->own_pieces());
}

TEST(SentencePiece, OwnPiecesAreAllButItsSpecials) {
  const auto tokenizer = train(small());
  const Pieces pieces = tokenizer->own_pieces();
  EXPECT_EQ(pieces.size(), 76U);
  for (const std::string& piece : pieces) EXPECT_FALSE(is_special_piece(piece)) << piece;
}

TEST_P(SentencePieceModels, TakesAnotherOrder) {
  const auto tokenizer =
      std::dynamic_pointer_cast<SentencePieceTokenizer>(train(small(GetParam())));
  Pieces order = tokenizer->own_pieces();
  std::ranges::reverse(order);
  order.insert(order.begin(), {"</s>", "<unk>"});
  order.emplace_back("<unused:0>");
  const SentencePieceTokenizer other(sentencepiece_in_order(tokenizer->model(), order), "other",
                                     /*lower=*/false);
  EXPECT_EQ(other.all_pieces(), order);
  for (const std::string& line : some_sentences(40))
    EXPECT_EQ(other.encode(line), tokenizer->encode(line)) << line;
  EXPECT_THAT(other.encode("<unused:0>"), testing::Not(testing::Contains("<unused:0>")));
  sentencepiece::SentencePieceProcessor processor;
  ASSERT_TRUE(processor.LoadFromSerializedProto(other.model()).ok());
  EXPECT_EQ(processor.eos_id(), 0);
  EXPECT_EQ(processor.unk_id(), 1);
  EXPECT_EQ(processor.bos_id(), -1);
}

// No line can contain this piece, so it has no id; the other pieces have ids.
TEST(SentencePiece, LeavesOutAPieceOfALineFeed) {
  const TemporaryFolder folder;
  const std::vector<std::string> text = some_sentences(300);
  const std::string model = train_by_library(
      {{"vocab_size", "80"}, {"model_type", "bpe"}, {"user_defined_symbols", "\n"}}, text);
  write_plainly(folder / "m.model", model);
  sentencepiece::SentencePieceProcessor library;
  ASSERT_TRUE(library.LoadFromSerializedProto(model).ok());
  ASSERT_FALSE(library.IsUnknown(library.PieceToId("\n")));
  SentencePieceConfig config;
  config.model = (folder / "m.model").string();
  const auto tokenizer = config.make({}, 1);
  Pieces expected;
  for (int id = 0; id < library.GetPieceSize(); ++id) {
    const std::string& piece = library.IdToPiece(id);
    if (!is_special_piece(piece) && piece != "\n") expected.push_back(piece);
  }
  EXPECT_EQ(tokenizer->own_pieces(), expected);
  const Codec codec = codec_of(tokenizer);
  codec.vocabulary().save(folder / "v");
  EXPECT_EQ(Vocabulary::load_saved(folder / "v"), codec.vocabulary());
  EXPECT_EQ(codec.decode(codec.encode(text[0])), text[0]);
}

TEST(SentencePiece, WritesUnknownPiecesAsTheyAre) {
  const Codec codec = codec_of(train(small()));
  Pieces surface;
  const Ids ids = codec.encode("der 漢字 Bär", &surface);
  EXPECT_EQ(std::ranges::count(ids, kUnknown), 1);
  EXPECT_EQ(surface[std::ranges::find(ids, kUnknown) - ids.begin()], "漢字");
  EXPECT_EQ(codec.decode(ids), "der <unk> Bär");
  EXPECT_EQ(codec.decode(surface), "der 漢字 Bär");
  // A source word replaced an unknown piece, with and without its space sign.
  EXPECT_EQ(codec.decode(Pieces{"▁Ωmega", "▁der", "▁Ωmega"}), "Ωmega der Ωmega");
  EXPECT_EQ(codec.decode(Pieces{"▁der", "▁", "Ω"}), "der Ω");
}

TEST(SentencePiece, SpecialsOfTheTextAreText) {
  // The letters occur elsewhere too: SentencePiece does not learn from its own special tokens.
  const Codec codec = codec_of(train(small(), {"a <s> b </s> <unk> <pad>", "s/ < > unk a"}));
  for (const int32_t id : codec.encode("<s> a </s> <unk>")) EXPECT_GE(id, kSpecials);
  EXPECT_EQ(codec.decode(codec.encode("<s> a </s> <unk>")), "<s> a </s> <unk>");
}

TEST(SentencePiece, ByteFallbackLeavesNothingUnknown) {
  holds({"text.NAME.byte_fallback"});
  SentencePieceConfig config = small();
  config.size = 400;
  config.byte_fallback = true;
  const Codec codec = codec_of(train(config));
  const Ids ids = codec.encode("der 漢字 😀");
  EXPECT_EQ(std::ranges::count(ids, kUnknown), 0);
  EXPECT_EQ(codec.decode(ids), "der 漢字 😀");
}

// One letter is one of 802 characters.
TEST(SentencePiece, LeavesOutTheRarestCharacters) {
  holds({"text.NAME.character_coverage"});
  std::vector<std::string> lines(200, "a b");
  lines.emplace_back("z");
  const auto unknown = [&](double coverage) {
    SentencePieceConfig config = small();
    config.character_coverage = coverage;
    return std::ranges::count(codec_of(train(config, lines)).encode("a z"), kUnknown);
  };
  EXPECT_EQ(unknown(1), 0);
  EXPECT_EQ(unknown(0.99), 1);
}

// Coverage is the minimum that SentencePiece itself accepts; lower values are refused by the
// reader.
TEST(SentencePiece, LearnsWithTheLeastCoverageThatIsAllowed) {
  const auto coverage = [](const std::string& value) {
    SentencePieceConfig config = small();
    read_config_text("character_coverage: " + value + "\n", "c.yaml", config);
    return config;
  };
  EXPECT_NO_THROW(train(coverage("0.98")));
  EXPECT_ERROR(coverage("0.97"), ErrorKind::kUsage, "from 0.98 to 1");
}

// The text has a ligature and a full-width letter, which NFKC replaces by plain letters.
TEST(SentencePiece, NormalizesAsItsConfigSays) {
  holds({"text.NAME.normalization"});
  const std::string text = "\uFB01 \uFF41";
  for (const auto& [name, expected] : {std::pair<std::string, std::string>{"identity", text},
                                       {"nfkc", "fi a"},
                                       {"nmt_nfkc", "fi a"}}) {
    SentencePieceConfig config;
    read_config_text("{size: 40, normalization: " + name + "}", name, config);
    const auto tokenizer = train(config, {"fi a \uFB01 \uFF41", "a fi"});
    EXPECT_EQ(tokenizer->decode(tokenizer->encode(text)), expected) << name;
  }
}

TEST(SentencePiece, LearnsFromASampleOfItsLines) {
  holds({"text.NAME.sample"});
  std::vector<std::string> lines(1000, "a b");
  lines.resize(2000, "c d");
  const auto pieces = [&](int64_t sample) {
    SentencePieceConfig config = small();
    config.size = 12;
    config.sample = sample;
    const Pieces own = train(config, lines)->own_pieces();
    return std::set<std::string>(own.begin(), own.end());
  };
  const std::set<std::string> all = pieces(2000), one = pieces(1);
  EXPECT_TRUE(all.contains("b") && all.contains("d"));
  EXPECT_NE(one.contains("b"), one.contains("d")) << "of one line";
}

TEST(SentencePiece, LowerCases) {
  holds({"text.NAME.lower"});
  SentencePieceConfig config = small();
  config.lower = true;
  const Codec codec = codec_of(train(config));
  EXPECT_EQ(codec.decode(codec.encode("Überall JEMAND")), "überall jemand");
  for (const std::string& piece : codec.tokenizer().own_pieces()) EXPECT_NE(piece, "M");
}

TEST(SentencePiece, BeginsWordsWithItsSpaceSign) {
  const PieceWords words = {{0, 1}, {0, 1}, {1, 2}, {1, 2}, {1, 2}};
  EXPECT_EQ(train(small())->written_words({"▁d", "er", "▁", "B", "är"}), words);
  EXPECT_EQ(train(small())->piece_words("der Ba\xCC\x88r", {"▁d", "er", "▁", "B", "är"}), words);
}

TEST(SentencePiece, KnowsWhatMakesAWordLonger) {
  SentencePieceConfig config;
  config.size = 80;
  std::vector<std::string> lines = some_sentences(500);
  lines.insert(lines.end(), 50, "日本");
  const Codec codec = codec_of(train(config, lines));
  const std::vector<bool> continues = codec.word_joins().open_start;
  ASSERT_EQ(std::ssize(continues), codec.vocabulary().size());
  for (int32_t id = 0; id < codec.vocabulary().size(); ++id) {
    const std::string& piece = codec.vocabulary().piece(id);
    const bool is_other = id < kSpecials || piece.starts_with("\u2581") ||
                          piece.find_first_of(".,!") == 0 || piece.find_first_of("日本") == 0;
    EXPECT_EQ(continues[static_cast<size_t>(id)], !is_other) << piece;
  }
}

TEST(SentencePiece, PhrasesOfTextWithoutSpacesStandInsideIt) {
  SentencePieceConfig config;
  config.size = 60;
  const Codec codec = codec_of(train(config, {"我喜欢火", "火看木", "喜欢木火", "a b", "ab a"}));
  const auto inside = [&](const std::string& phrase) {
    return codec.pieces(codec.within_text(phrase, codec.encode(phrase)));
  };
  for (const std::string phrase : {"喜欢", "火", "木火"}) {
    std::string text;
    for (const std::string& piece : inside(phrase)) text += piece;
    EXPECT_EQ(text, phrase) << "no space sign";
  }
  EXPECT_EQ(inside("a b").front().substr(0, 3), "▁");
}

TEST(SentencePiece, LearnsFromLongLinesAndOddBytes) {
  std::string document;
  for (const std::string& line : some_sentences(2000)) document += line + " ";
  ASSERT_GT(document.size(), 50'000U);
  const std::string odd = std::string("nul\0byte \xE2\x96\x85 sign\r", 18);
  const auto tokenizer =
      train(small(), {document, odd, std::string(10'000, 'q'), "", "der Bär\xFF"});
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("der Bär")), "der Bär");
}

TEST(SentencePiece, TellsOfItsOwnSignInTheTrainingText) {
  std::vector<std::string> lines = some_sentences(200);
  for (size_t i = 0; i < 3; ++i) lines[i] += " \xE2\x96\x85";
  CapturedLog captured("warn");
  train(small(), lines);
  EXPECT_THAT(captured.end(), HasSubstr("3 lines of its training have U+2585"));
}

// The lines have more than 4,000 bytes without a space; SentencePiece itself drops such lines.
TEST(SentencePiece, LearnsFromLongTextWithoutSpaces) {
  std::string line, wide;
  for (int i = 0; i < 3000; ++i) {
    line += i % 3 == 0 ? "gat" : "ca";
    wide += "日本";
  }
  SentencePieceConfig config = small();
  config.size = 20;
  const Pieces pieces = train(config, {line, wide})->own_pieces();
  EXPECT_NE(std::ranges::find(pieces, "ca"), pieces.end());
  EXPECT_NE(std::ranges::find(pieces, "日本"), pieces.end());
  for (const std::string& piece : pieces) EXPECT_EQ(piece.find("\uFFFD"), std::string::npos);
}

TEST(SentencePiece, RefusesEmptyText) {
  EXPECT_ERROR(train(small(), {}), ErrorKind::kData, "the training text is empty");
  EXPECT_ERROR(train(small(), {"", "  "}), ErrorKind::kData, "the training text is empty");
}

TEST(SentencePiece, ComesBackFromAFolder) {
  holds({"text.NAME.model"});
  const TemporaryFolder folder;
  const auto tokenizer = train(small());
  tokenizer->save(folder.path(), "source");
  EXPECT_EQ(folder.names(), Pieces{"source.model"});
  const auto loaded = small().load(folder.path(), "source");
  EXPECT_EQ(loaded->own_pieces(), tokenizer->own_pieces());
  EXPECT_EQ(loaded->encode("der Bär hört"), tokenizer->encode("der Bär hört"));
  SentencePieceConfig named;
  named.model = (folder / "source.model").string();
  EXPECT_EQ(named.make({}, 1)->own_pieces(), tokenizer->own_pieces());
}

TEST(SentencePiece, RefusesEveryTruncation) {
  const TemporaryFolder folder;
  train(small())->save(folder.path(), "whole");
  const std::string whole = read_plainly(folder / "whole.model");
  for (size_t size = 0; size < whole.size(); size += size < 3000 ? 7 : 4001) {
    write_plainly(folder / "cut.model", whole.substr(0, size));
    EXPECT_ERROR(small().load(folder.path(), "cut"), ErrorKind::kModel, "cut.model");
  }
}

TEST(SentencePiece, RefusesWhatIsNoModel) {
  const TemporaryFolder folder;
  write_plainly(folder / "text.model", "This is a text, not a model.\n");
  EXPECT_ERROR(small().load(folder.path(), "text"), ErrorKind::kModel, "text.model");
  EXPECT_ERROR(small().load(folder.path(), "missing"), ErrorKind::kIo, "missing.model");
}

// Field of a protocol-buffer message whose content has a length.
std::string proto_field(char number, const std::string& content) {
  std::string field(1, static_cast<char>(number << 3 | 2));
  size_t size = content.size();
  for (; size >= 128; size >>= 7) field += static_cast<char>((size & 127) | 128);
  return field + static_cast<char>(size) + content;
}

TEST(SentencePiece, NeverSeesAHugePiece) {
  const TemporaryFolder folder;
  train(small())->save(folder.path(), "good");
  const std::string good = read_plainly(folder / "good.model");
  write_plainly(folder / "small.model", proto_field(1, proto_field(1, "piece")) + good);
  EXPECT_NO_THROW(small().load(folder.path(), "small"));
  write_plainly(folder / "huge.model",
                proto_field(1, proto_field(1, std::string(200'000, 'x'))) + good);
  EXPECT_ERROR(small().load(folder.path(), "huge"), ErrorKind::kModel, "200000 bytes");
}

TEST(SentencePiece, EncodesFromSeveralThreads) {
  const auto tokenizer = train(small());
  const auto lines = some_sentences(200);
  std::vector<Pieces> expected;
  for (const std::string& line : lines) expected.push_back(tokenizer->encode(line));
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < lines.size() * 5; ++i) {
        const size_t n = (i * 7 + t) % lines.size();
        wrong[t] += tokenizer->encode(lines[n]) != expected[n];
        wrong[t] += tokenizer->decode(expected[n]) != lines[n];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::vector<int>{0, 0, 0, 0}));
}

TEST(Sample, IsBoundedAndFair) {
  std::vector<std::string> lines;
  for (int i = 0; i < 1000; ++i) lines.push_back(std::to_string(i));
  EXPECT_EQ(draw_sample(source_of(lines), 2000, 1), lines);
  EXPECT_EQ(draw_sample(source_of(lines), 10, 1), draw_sample(source_of(lines), 10, 1));
  EXPECT_NE(draw_sample(source_of(lines), 10, 1), draw_sample(source_of(lines), 10, 2));
  // In 2,000 draws of 10 from 1,000 the mean of the numbers is 499.5, with a standard error of
  // 288.7 / sqrt(20,000) = 2.04.
  double sum = 0;
  for (uint64_t key = 0; key < 2000; ++key) {
    for (const std::string& line : draw_sample(source_of(lines), 10, key)) sum += std::stod(line);
  }
  EXPECT_NEAR(sum / 20'000, 499.5, 5 * 2.04);
}

}  // namespace
}  // namespace heed
