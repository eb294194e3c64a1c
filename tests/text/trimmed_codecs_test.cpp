#include "text/trimmed_codecs.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
#include "holds.h"
#include "text/byte_bpe.h"
#include "text/characters.h"
#include "text/sentencepiece_pieces.h"
#include "text/sentencepiece_trainer.h"
#include "text/words.h"
#include "text_test_tools.h"

namespace heed {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using TextLines = std::vector<std::string>;

TextLines part_of(const TextLines& lines, size_t begin, size_t count) {
  return {lines.begin() + static_cast<std::ptrdiff_t>(begin),
          lines.begin() + static_cast<std::ptrdiff_t>(begin + count)};
}

// Codecs of both sides; `target` shares unless it is given.
struct TrimTrial {
  TextConfigs text;
  Codecs codecs;

  explicit TrimTrial(const std::shared_ptr<TokenizerConfig>& source, bool shares = true,
                     const TextLines& lines = some_sentences(500)) {
    text["source"].tokenizer = source;
    text["target"].tokenizer = source;
    if (shares) {
      text["target"].tokenizer = make_kind<WordsConfig>("words");
      text["target"].tokenizer->share = "source";
    }
    codecs = build_codecs(text, {{"source", source_of(lines)}, {"target", source_of(lines)}}, 1);
  }
  Codecs trimmed(const std::map<std::string, TextLines>& corpus,
                 const TrimSettings& settings = {}) const {
    CorpusTokens tokens(text, codecs);
    for (const auto& [side, lines] : corpus) tokens.add(side, source_of(lines));
    const TemporaryFolder folder;
    return tokens.trimmed(folder.path(), settings);
  }
  Codecs trimmed_to(const TextLines& lines, const TrimSettings& settings = {}) const {
    return trimmed({{"source", lines}, {"target", lines}}, settings);
  }
};

TokenizationChange change_of(const Codec& before, const Codec& now, const TextLines& lines) {
  TokenizationChange change;
  for (const std::string& line : lines) change.add(before, now, line);
  return change;
}

TextLines pieces_of(const Vocabulary& vocabulary) {
  TextLines pieces;
  for (int32_t id = kSpecials; id < vocabulary.size(); ++id) pieces.push_back(vocabulary.piece(id));
  return pieces;
}

std::shared_ptr<SentencePieceConfig> subword_config(SubwordModel kind, bool bytes = false,
                                                    bool is_counted = false) {
  auto config = make_kind<SentencePieceConfig>("sentencepiece");
  config->size = bytes ? 380 : 120;
  config->model_type = kind;
  config->byte_fallback = bytes;
  if (is_counted) config->vocabulary.emplace();
  return config;
}

class SubwordTrimming : public testing::TestWithParam<std::tuple<SubwordModel, bool, bool>> {
 protected:
  std::shared_ptr<SentencePieceConfig> config() const {
    return std::apply(subword_config, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(All, SubwordTrimming,
                         testing::Combine(testing::Values(SubwordModel::kBpe,
                                                          SubwordModel::kUnigram),
                                          testing::Bool(), testing::Bool()));

TEST_P(SubwordTrimming, KeepsTheTokensOfItsCorpus) {
  holds({"heed trim"});
  const TrimTrial trial(config());
  const TextLines all = some_sentences(125);
  for (const size_t begin : {0, 20, 77}) {
    for (const size_t count : {1, 5, 20}) {
      TextLines corpus = part_of(all, begin, count);
      corpus.push_back("Fluß xyz \xE4\xB8\xAD\xE6\x96\x87 3");  // with unknown characters
      const Codecs small = trial.trimmed_to(corpus);
      const Codec &before = *trial.codecs.at("source"), &now = *small.at("source");
      EXPECT_EQ(small.at("target"), small.at("source"));
      EXPECT_EQ(change_of(before, now, corpus).changed_lines, 0) << begin << " " << count;
      EXPECT_LT(now.vocabulary().size(), before.vocabulary().size());
      // The order stays, so equal scores are decided as before.
      int32_t last = 0;
      for (const std::string& piece : pieces_of(now.vocabulary())) {
        EXPECT_GT(before.vocabulary().id(piece), last);
        last = before.vocabulary().id(piece);
      }
    }
  }
}

// Pieces without a row are never written, so what has known characters stays known. A counted vocabulary
// may lack characters that its text has only in longer pieces.
TEST_P(SubwordTrimming, SpellsOtherTextInItsTokens) {
  const TrimTrial trial(config());
  const Codec& before = *trial.codecs.at("source");
  const TextLines all = some_sentences(125);
  const auto used = trial.trimmed_to(all).at("source")->vocabulary().size();
  const Codecs small = trial.trimmed_to(all, {.size = used - 12});
  const Codec& now = *small.at("source");
  const TokenizationChange change = change_of(before, now, all);
  EXPECT_EQ(now.vocabulary().size(), used - 12);
  EXPECT_EQ(change.unknown_before, 0);
  EXPECT_GT(change.changed_lines, 0);
  EXPECT_GT(change.tokens, change.tokens_before);
  if (std::get<2>(GetParam())) return;
  EXPECT_EQ(change.unknown, 0);
  for (const std::string& line : all) EXPECT_EQ(now.decode(now.encode(line)), line);
}

TEST_P(SubwordTrimming, OfATrimmedVocabularyKeepsTheTokensToo) {
  const TrimTrial trial(config());
  TrimTrial again = trial;
  const TextLines all = some_sentences(125), corpus = part_of(all, 3, 9);
  again.codecs = trial.trimmed_to(part_of(all, 0, 40));
  const Codecs smallest = again.trimmed_to(corpus);
  EXPECT_EQ(change_of(*trial.codecs.at("source"), *smallest.at("source"), corpus).changed_lines, 0);
  const Codecs at_once = trial.trimmed_to(corpus);
  EXPECT_EQ(pieces_of(smallest.at("source")->vocabulary()),
            pieces_of(at_once.at("source")->vocabulary()));
}

// Merges of BPE go through pieces that no line has.
TEST(SubwordPieces, OfMergesStayUnused) {
  const auto config = subword_config(SubwordModel::kBpe);
  config->size = 60;
  const TextLines lines(50, "abcdefgh abcdefgh");
  const TrimTrial trial(config, /*shares=*/true, lines);
  const auto model_of = [](const Codec& codec) {
    return dynamic_cast<const SentencePieceTokenizer&>(codec.tokenizer()).model();
  };
  const Codecs small = trial.trimmed_to({"abcdefgh"});
  int64_t unused = 0;
  for (const SubwordPiece& piece : sentencepiece_pieces(model_of(*small.at("source"))))
    unused += piece.type == SubwordPiece::Type::kUnused;
  EXPECT_GE(unused, 6);
  EXPECT_EQ(change_of(*trial.codecs.at("source"), *small.at("source"), {"abcdefgh"}).changed_lines,
            0);
  // The piece, its nine characters with the space, and the special ones.
  EXPECT_EQ(small.at("source")->vocabulary().size(), kSpecials + 1 + 9);
}

TEST(SubwordPieces, AreReadAsSentencePieceReadsThem) {
  const TrimTrial trial(subword_config(SubwordModel::kUnigram, /*bytes=*/true));
  const auto& tokenizer =
      dynamic_cast<const SentencePieceTokenizer&>(trial.codecs.at("source")->tokenizer());
  TextLines texts;
  int64_t bytes = 0;
  for (const SubwordPiece& piece : sentencepiece_pieces(tokenizer.model())) {
    texts.push_back(piece.text);
    bytes += piece.type == SubwordPiece::Type::kByte;
  }
  EXPECT_EQ(texts, tokenizer.all_pieces());
  EXPECT_EQ(bytes, 256);
  EXPECT_EQ(trimmed_sentencepiece(tokenizer.model(), [](const auto&) { return true; }),
            tokenizer.model());
}

// Merges of the pairs that are the most frequent in the lines.
std::string learned_merges(const TextLines& lines, int count) {
  std::string merges;
  std::set<std::string> known;
  for (int i = 0; i < count; ++i) {
    const ByteBpeTokenizer tokenizer(merges, "m", false, false);
    std::map<std::string, int64_t> counts;
    for (const std::string& line : lines) {
      const TextLines pieces = tokenizer.encode(line);
      for (size_t at = 1; at < pieces.size(); ++at) {
        const std::string pair = pieces[at - 1] + " " + pieces[at];
        if (!known.contains(pair)) ++counts[pair];
      }
    }
    const auto best =
        std::ranges::max_element(counts, {}, [](const auto& counted) { return counted.second; });
    known.insert(best->first);
    merges += best->first + "\n";
  }
  return merges;
}

// The parameter: has the tokenizer a vocabulary of its own?
class ByteTrimming : public testing::TestWithParam<bool> {
 protected:
  std::shared_ptr<ByteBpeConfig> config(const std::string& merges) const {
    write_file(folder_ / "merges", merges);
    auto config = make_kind<ByteBpeConfig>("byte_bpe");
    config->merges = folder_ / "merges";
    if (!GetParam()) return config;
    Vocabulary(ByteBpeTokenizer(merges, "m", false, false).own_pieces()).save(folder_ / "all");
    config->vocabulary.emplace().file = folder_ / "all";
    return config;
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, ByteTrimming, testing::Bool());

TEST_P(ByteTrimming, KeepsTheTokensOfItsCorpusAndAllBytes) {
  holds({"heed trim"});
  const TextLines all = some_sentences(125);
  const TrimTrial trial(config("#version: 0.2\n" + learned_merges(all, 100)));
  TextLines others = all;
  others.push_back("\xE4\xB8\xAD \xCE\xA9~\t0");
  for (const size_t begin : {0, 20, 77}) {
    TextLines corpus = part_of(all, begin, 5);
    corpus.push_back("Fluß xyz \xE4\xB8\xAD\xE6\x96\x87 3");
    const Codecs small = trial.trimmed_to(corpus);
    const Codec &before = *trial.codecs.at("source"), &now = *small.at("source");
    EXPECT_EQ(small.at("target"), small.at("source"));
    EXPECT_EQ(change_of(before, now, corpus).changed_lines, 0) << begin;
    EXPECT_LT(now.vocabulary().size(), before.vocabulary().size());
    EXPECT_GT(now.vocabulary().size(), kSpecials + 256);
    EXPECT_EQ(change_of(before, now, others).unknown, 0);
    for (const std::string& line : others) EXPECT_EQ(now.decode(now.encode(line)), line);
    for (const std::string& byte : byte_pieces()) EXPECT_NE(now.vocabulary().id(byte), kUnknown);
    int32_t last = 0;
    for (const std::string& piece : pieces_of(now.vocabulary())) {
      EXPECT_GT(before.vocabulary().id(piece), last);
      last = before.vocabulary().id(piece);
    }
  }
}

TEST_P(ByteTrimming, SpellsOtherTextInItsTokens) {
  const TextLines all = some_sentences(125);
  const TrimTrial trial(config(learned_merges(all, 100)));
  const Codec& before = *trial.codecs.at("source");
  const int64_t used = trial.trimmed_to(all).at("source")->vocabulary().size();
  const Codecs small = trial.trimmed_to(all, {.size = used - 12});
  const Codec& now = *small.at("source");
  const TokenizationChange change = change_of(before, now, all);
  EXPECT_LE(now.vocabulary().size(), used - 12);
  EXPECT_GT(now.vocabulary().size(), kSpecials + 256);
  EXPECT_EQ(change.unknown, 0);
  EXPECT_GT(change.tokens, change.tokens_before);
  EXPECT_ERROR(trial.trimmed_to(all, {.size = 50}), ErrorKind::kUsage, "needs 260 tokens");
  EXPECT_EQ(trial.trimmed_to(all, {.size = 260}).at("source")->vocabulary().size(), 260);
}

TEST_P(ByteTrimming, KeepsWhatTokensAreMergedFrom) {
  const TrimTrial trial(config("a b\nb c\nab c\na bc\nc d\nabc d\nd e\n"));
  const TextLines kept =
      pieces_of(trial.trimmed_to({"abc x"}, {.all_characters = true}).at("source")->vocabulary());
  EXPECT_EQ(TextLines(kept.begin() + 256, kept.end()), (TextLines{"ab", "bc", "abc"}));
}

TEST(Trimming, OfWordsAndCharactersKeepsTheIdsOfTheCorpus) {
  const std::vector<std::pair<std::shared_ptr<TokenizerConfig>, TextLines>> cases = {
      {make_kind<WordsConfig>("words"), {"der", "Bär", "sieht"}},
      {make_kind<CharactersConfig>("characters"),
       {"d", "e", "r", "\xE2\x96\x81", "B", "ä", "s", "i", "h", "t", "n"}}};
  for (const auto& [config, expected] : cases) {
    const TrimTrial trial(config);
    const Codecs small = trial.trimmed_to({"der Bär sieht nie"});
    const Vocabulary& now = small.at("source")->vocabulary();
    EXPECT_EQ(change_of(*trial.codecs.at("source"), *small.at("source"), {"der Bär sieht nie"})
                  .changed_lines,
              0);
    EXPECT_EQ(now.id("Zeichnet"), kUnknown);
    EXPECT_THAT(pieces_of(now), testing::UnorderedElementsAreArray(expected));
  }
}

TEST(Trimming, TakesTheMostFrequentTokens) {
  holds({"--min-count", "--size"});
  const TrimTrial trial(make_kind<WordsConfig>("words"));
  const TextLines corpus = {"der der der Bär Bär sieht", "hört"};
  const auto tokens = [&](const TrimSettings& settings) {
    return pieces_of(trial.trimmed_to(corpus, settings).at("source")->vocabulary());
  };
  EXPECT_THAT(tokens({.min_count = 2}),
              testing::UnorderedElementsAre("der", "Bär", "sieht", "hört"));
  EXPECT_THAT(tokens({.min_count = 4}), testing::UnorderedElementsAre("der", "Bär"));
  EXPECT_THAT(tokens({.size = kSpecials + 1}), testing::ElementsAre("der"));
  EXPECT_THAT([&] { tokens({.min_count = 7}); },
              testing::ThrowsMessage<Error>(HasSubstr("lower --min-count")));
}

TEST(Trimming, CountsATextOfAllSidesOnce) {
  for (const bool shares : {true, false}) {
    const TrimTrial trial(make_kind<WordsConfig>("words"), shares);
    CorpusTokens tokens(trial.text, trial.codecs);
    tokens.add_to_all(source_of({"der der Bär"}));
    const TemporaryFolder folder;
    const Codecs small = tokens.trimmed(folder.path(), {.min_count = 2});
    EXPECT_THAT(pieces_of(small.at("source")->vocabulary()), testing::ElementsAre("der"));
    EXPECT_THAT(pieces_of(small.at("target")->vocabulary()), testing::ElementsAre("der"));
  }
}

TEST(Trimming, NeedsRoomForCharacters) {
  const TrimTrial trial(subword_config(SubwordModel::kUnigram));
  EXPECT_THAT([&] { trial.trimmed_to({"der Bär"}, {.size = 8}); },
              testing::ThrowsMessage<Error>(HasSubstr("--size 8: the vocabulary of source and "
                                                      "target needs")));
}

TEST(Trimming, KeepsOtherCharactersOnRequest) {
  holds({"--all-characters"});
  const TrimTrial trial(subword_config(SubwordModel::kUnigram));
  const Codecs some = trial.trimmed_to({"der"}),
               all = trial.trimmed_to({"der"}, {.all_characters = true});
  EXPECT_EQ(some.at("source")->vocabulary().id("z"), kUnknown);
  EXPECT_NE(all.at("source")->vocabulary().id("z"), kUnknown);
  EXPECT_EQ(change_of(*trial.codecs.at("source"), *all.at("source"), some_sentences(125)).unknown,
            0);
}

TEST(Trimming, LeavesVocabulariesWithoutTextAsTheyAre) {
  const auto words = make_kind<WordsConfig>("words");
  TrimTrial trial(words, /*shares=*/false);
  // Equal vocabularies may have one matrix.
  EXPECT_THAT(
      [&] {
        trial.trimmed({{"source", {"der Bär"}}});
      },
      testing::ThrowsMessage<Error>(HasSubstr("there is no text for target")));
  trial.codecs["target"] = std::make_shared<const Codec>(
      std::make_shared<const WordTokenizer>("", false),
      std::make_shared<const Vocabulary>(TextLines{"nichts", "sieht"}));
  const Codecs small = trial.trimmed({{"source", {"der Bär"}}});
  EXPECT_EQ(small.at("target"), trial.codecs.at("target"));
  EXPECT_THAT(pieces_of(small.at("source")->vocabulary()),
              testing::UnorderedElementsAre("der", "Bär"));
}

TEST(Trimming, KeepsEqualVocabulariesEqual) {
  const TrimTrial trial(make_kind<WordsConfig>("words"), /*shares=*/false);
  const Codecs small = trial.trimmed({{"source", {"der Bär"}}, {"target", {"nichts, ein"}}});
  EXPECT_EQ(small.at("source")->vocabulary(), small.at("target")->vocabulary());
  EXPECT_THAT(pieces_of(small.at("source")->vocabulary()),
              testing::UnorderedElementsAre("der", "Bär", "nichts,", "ein"));
}

TEST(Trimming, NeedsTextOfTheModel) {
  const TrimTrial trial(make_kind<WordsConfig>("words"));
  EXPECT_THAT(
      [&] {
        trial.trimmed_to({"", "  "});
      },
      testing::ThrowsMessage<Error>(HasSubstr("has no tokens")));
  EXPECT_THAT([&] { trial.trimmed_to({"le chat"}); },
              testing::ThrowsMessage<Error>(HasSubstr("give a text of its language")));
}

TEST(Trimming, KeepsLanguagesMarkersAndLabels) {
  const auto config = make_kind<WordsConfig>("words");
  config->marker = "|";
  config->features = ";";
  TextLines lines = some_sentences(20);
  lines.push_back(">>deu<< ein | Kind\tV;PST");
  lines.push_back(">>fra<< ein");
  const TrimTrial trial(config, /*shares=*/true, lines);
  const TextLines kept = pieces_of(trial.trimmed_to({"ein"}).at("source")->vocabulary());
  for (const char* piece : {">>deu<<", ">>fra<<", "\xE2\x90\x9E", "\xE2\x90\x9FV", "ein"})
    EXPECT_THAT(kept, Contains(piece));
  EXPECT_THAT(kept, Not(Contains("Kind")));
}

}  // namespace
}  // namespace heed
