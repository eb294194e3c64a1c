#include "translate/translator.h"

#include <gtest/gtest.h>
#include "nn/torch.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "holds.h"
#include "text/characters.h"
#include "text/words.h"
#include "translate/line_scores.h"
#include "translate/random_models.h"
#include "translate/workers.h"

namespace heed {
namespace {

std::shared_ptr<const Codec> words_codec(const std::vector<std::string>& words) {
  return std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                       std::make_shared<const Vocabulary>(words));
}

std::vector<std::string> numbered_words(const std::string& stem, int count) {
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) words.push_back(stem + std::to_string(i));
  return words;
}

// Source words s0 …, target words t0 …; U+FFFD is a source word too.
TextModel tiny_text_model(uint64_t seed = 1) {
  std::vector<std::string> source = numbered_words("s", 15);
  source.emplace_back("\uFFFD");
  return {
      .networks = {random_model(tiny_rnn(), 20, seed)},
      .sources = {"source"},
      .inputs = {"source"},
      .codecs = {{"source", words_codec(source)}, {"target", words_codec(numbered_words("t", 16))}},
      .max_length = 30};
}

std::vector<std::string> random_lines(int64_t count, uint64_t seed) {
  std::vector<std::string> lines;
  const Codec codec = *words_codec(numbered_words("s", 15));
  for (const Ids& ids : random_sentences(count, 12, 19, seed)) lines.push_back(codec.decode(ids));
  return lines;
}

TranslatorOptions options_of(int64_t batch, int64_t workers) {
  TranslatorOptions options;
  options.search.beam = 3;
  options.search.min_length = 2;  // a random model may like to end at once
  options.batch = batch;
  options.workers = workers;
  return options;
}

// The best text of each line.
std::vector<std::string> texts_of(const Translator& translator,
                                  const std::vector<std::string>& lines) {
  std::vector<SourceLine> sources;
  for (const std::string& line : lines) sources.push_back({line});
  std::vector<std::string> texts;
  for (const Translation& translation : translator.translate(sources))
    texts.push_back(translation.text());
  return texts;
}

TEST(Translator, GivesLineNForLineNWhateverBatchAndWorkers) {
  const TextModel model = tiny_text_model();
  const std::vector<std::string> lines = random_lines(50, 3);
  std::vector<std::string> expected;
  for (const std::string& line : lines)
    expected.push_back(texts_of(Translator(model, options_of(1, 1)), {line})[0]);
  for (const auto& [batch, workers] :
       std::vector<std::pair<int, int>>{{1, 1}, {7, 1}, {7, 3}, {64, 2}})
    EXPECT_EQ(texts_of(Translator(model, options_of(batch, workers)), lines), expected);
}

TEST(Translator, GivesAnEmptyLineForAnEmptyOne) {
  const Translator translator(tiny_text_model(), options_of(4, 1));
  const auto texts = texts_of(translator, {"", "s1 s2", "  \t", "s3", ""});
  ASSERT_EQ(texts.size(), 5);
  EXPECT_EQ(texts[0], "");
  EXPECT_NE(texts[1], "");
  EXPECT_EQ(texts[2], "");
  EXPECT_NE(texts[3], "");
  EXPECT_EQ(texts[4], "");
  EXPECT_TRUE(texts_of(translator, {}).empty());
}

TEST(Translator, ReadsMalformedBytesAsTheReplacementCharacter) {
  const Translator translator(tiny_text_model(), options_of(4, 1));
  const auto texts = texts_of(translator, {"s1 \xFF s2", "s1 \uFFFD s2"});
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Translator, CutsWhatIsTooLongAndTranslatesLongLinesAlone) {
  holds({"--batch"});
  TranslatorOptions options = options_of(4, 1);
  options.longest_source = 5;
  std::atomic<int> batches = 0;
  options.before_batch = [&] { ++batches; };
  TextModel model = tiny_text_model();
  model.max_length = 4;
  const Translator translator(model, options);
  const auto texts =
      texts_of(translator, {"s1 s2 s3 s4 s5 s6 s7 s8", "s1 s2 s3 s4 s5", "s1", "s2", "s3", "s4"});
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(batches, 3);  // two of five pieces, each alone, and the short ones
}

TEST(Translator, WritesWindowsInOrder) {
  const TextModel model = tiny_text_model();
  const std::vector<std::string> lines = random_lines(23, 5);
  const Translator translator(model, options_of(4, 2));
  for (const int64_t window : {1, 5, 23, 100}) {
    size_t next = 0;
    std::vector<std::string> texts;
    const int64_t count = translator.translate_all(
        [&](SourceLine& line) {
          if (next == lines.size()) return false;
          line = {lines[next++]};
          return true;
        },
        [&](const Translation& translation) { texts.push_back(translation.text()); }, window);
    EXPECT_EQ(count, 23);
    EXPECT_EQ(texts, texts_of(translator, lines));
  }
}

TEST(Translator, GivesTheNBestWithPiecesAttentionAndAlignment) {
  TranslatorOptions options = options_of(4, 1);
  options.search.nbest = 3;
  options.attention = options.alignment = true;
  const auto translations =
      Translator(tiny_text_model(), options).translate({{"s1 s2 s3"}, {""}, {"s4"}});
  ASSERT_EQ(translations[0].best.size(), 3);
  EXPECT_EQ(translations[0].source, (std::vector<std::string>{"s1", "s2", "s3"}));
  EXPECT_EQ(translations[1].best.size(), 1);
  for (const Translated& best : translations[0].best) {
    EXPECT_EQ(best.attention.size(), best.pieces.size() + 1);
    for (const auto& row : best.attention) EXPECT_EQ(row.size(), 4);
    ASSERT_EQ(best.alignment.size(), best.pieces.size());
    for (size_t t = 0; t < best.pieces.size(); ++t) {
      EXPECT_EQ(best.alignment[t].second, static_cast<int64_t>(t));
      const auto& row = best.attention[t];
      EXPECT_EQ(best.alignment[t].first,
                std::max_element(row.begin(), row.end() - 1) - row.begin());
    }
  }
}

TEST(Translator, ReplacesUnknownByTheSource) {
  holds({"--replace-unknown"});
  TextModel model = tiny_text_model();
  model.networks = {random_model(tiny_rnn(), 6, 2)};
  prefer(*model.networks[0], kUnknown, 6);
  model.codecs = {{"source", words_codec({"s0", "s1"})}, {"target", words_codec({"t0", "t1"})}};
  const std::vector<std::string> lines = random_lines(20, 6);
  TranslatorOptions options = options_of(8, 1);
  int64_t unknown = 0;
  for (const std::string& text : texts_of(Translator(model, options), lines))
    unknown += static_cast<int64_t>(text.find("<unk>") != std::string::npos);
  EXPECT_GT(unknown, 0);
  options.replace_unknown = true;
  for (const std::string& text : texts_of(Translator(model, options), lines))
    EXPECT_EQ(text.find("<unk>"), std::string::npos);
}

TEST(Translator, HandsOnWhatAWorkerThrows) {
  TranslatorOptions options = options_of(1, 3);
  std::atomic<int> calls = 0;
  options.before_batch = [&] {
    if (++calls == 5) throw std::runtime_error("enough");
  };
  const Translator translator(tiny_text_model(), options);
  EXPECT_THROW(texts_of(translator, random_lines(200, 1)), std::runtime_error);
  EXPECT_LT(calls, 50);
}

TEST(LineScores, AgreeWithTheSearch) {
  holds({"--source", "--target"});
  const TextModel model = tiny_text_model();
  const std::vector<std::string> lines = random_lines(30, 9);
  TranslatorOptions options = options_of(8, 1);
  options.search.allow_unknown = false;
  std::vector<SourceLine> sources;
  for (const std::string& line : lines) sources.push_back({line});
  const auto translations = Translator(model, options).translate(sources);
  std::vector<std::string> texts;
  for (const Translation& translation : translations) texts.push_back(translation.text());
  for (const int64_t workers : {1, 2}) {
    const auto scores = score_lines(model, sources, texts, {.batch = 7, .workers = workers});
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_NEAR(scores[i].score.log_probability, translations[i].best[0].log_probability, 1e-9);
      EXPECT_EQ(scores[i].pieces, translations[i].best[0].pieces);
    }
  }
}

TEST(LineScores, RefuseMalformedTextWithItsLine) {
  const TextModel model = tiny_text_model();
  EXPECT_ERROR(score_lines(model, {{"s1"}, {"s2"}}, {"t1", "t\xFF"}), ErrorKind::kData,
               "line 2 of the target: malformed UTF-8 at byte 2");
  EXPECT_ERROR(score_lines(model, {{"\xFF"}}, {"t1"}, {}, 41), ErrorKind::kData,
               "line 41 of the source");
}

TEST(LineScores, OfAnEmptyTargetAreThoseOfItsEnd) {
  const auto scores = score_lines(tiny_text_model(), {{"s1"}, {""}}, {"", ""});
  EXPECT_EQ(scores[0].score.log_probabilities.size(), 1);
  EXPECT_LT(scores[0].score.log_probability, 0);
  EXPECT_LT(scores[1].score.log_probability, 0);
}

TEST(TextModelTest, RefusesAnEnsembleWithoutOneVocabulary) {
  const auto load = [](const std::vector<std::string>& target) {
    LoadedModel model;
    model.codecs = {{"source", words_codec({"a"})}, {"target", words_codec(target)}};
    return model;
  };
  EXPECT_EQ(text_model({load({"x"}), load({"x"})}).networks.size(), 2);
  EXPECT_ERROR(text_model({load({"x"}), load({"y"})}), ErrorKind::kModel, "'target' differ");
  LoadedModel other = load({"x"});
  other.config.sources = {"speech"};
  EXPECT_ERROR(text_model({load({"x"}), other}), ErrorKind::kModel, "'speech'");
}

TEST(GroupsByLength, AreAlikeInLengthAndLeaveOutTheEmpty) {
  holds({"--batch"});
  using Groups = std::vector<std::vector<size_t>>;
  EXPECT_EQ(groups_by_length({3, 0, 5, 3, 9, 4, 8}, 2, 7), (Groups{{4}, {6}, {2, 5}, {0, 3}}));
  EXPECT_TRUE(groups_by_length({0, 0}, 2, 7).empty());
}

TEST(Workers, DoEachPieceOnce) {
  for (const int64_t workers : {1, 2, 5}) {
    std::vector<std::atomic<int>> done(40);
    run_in_workers(workers, done.size(), [&](size_t i) { ++done[i]; });
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(Workers, WorkSideBySide) {
  holds({"--workers"});
  constexpr size_t kWorkers = 3;
  std::atomic<size_t> begun = 0;
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  run_in_workers(kWorkers, kWorkers, [&](size_t) {
    ++begun;
    while (begun < kWorkers && std::chrono::steady_clock::now() < last) std::this_thread::yield();
    EXPECT_EQ(begun, kWorkers) << "each waits for the others";
  });
}

TEST(Alignment, TakesTheSourceWordWithTheGreatestSum) {
  holds({"--alignments"});
  // Source: words 0 0 1 and kEnd; target: words 0 1 1 and kEnd.
  const AttentionMatrix attention = {
      {0.3F, 0.3F, 0.4F, 0.0F}, {0.1F, 0.0F, 0.2F, 0.7F}, {0.3F, 0.1F, 0.2F, 0.4F}, {0, 0, 0, 1}};
  EXPECT_EQ(align_words(attention, {0, 0, 1}, {0, 1, 1}), (Alignment{{0, 0}, {0, 1}}));
  EXPECT_EQ(align_words(attention, {0, 0, 1}, {0, 1, 2}), (Alignment{{0, 0}, {1, 1}, {0, 2}}));
  EXPECT_TRUE(align_words({}, {0}, {0}).empty());
  EXPECT_EQ(pharaoh({{0, 0}, {2, 1}}), "0-0 2-1");
  EXPECT_EQ(pharaoh({}), "");
}

TEST(ReplaceUnknown, TakesTheWholeWordOrThePiece) {
  holds({"--replace-unknown"});
  const auto source = std::make_shared<const Codec>(std::make_shared<WordTokenizer>("@@", false),
                                                    std::make_shared<const Vocabulary>());
  const auto target = std::make_shared<const Codec>(
      std::make_shared<WordTokenizer>("@@", false),
      std::make_shared<const Vocabulary>(std::vector<std::string>{"the", "pre@@"}));
  const std::vector<std::string> pieces = {"Haus@@", "boot", "Müller"};
  const PieceText text{*source, *target, pieces};
  const AttentionMatrix attention = {
      {1, 0, 0, 0}, {0, 0.6F, 0.4F, 0}, {0, 1, 0, 0}, {0, 0, 0.1F, 0.9F}};
  // "the <unk> pre-<unk>": a word of its own takes the word, a part of one takes the piece.
  EXPECT_EQ(replace_unknown(text, {4, kUnknown, 5, kUnknown}, attention),
            (std::vector<std::string>{"the", "Hausboot", "pre@@", "Müller"}));
  EXPECT_EQ(target->decode(replace_unknown(text, {4, kUnknown, 5, kUnknown}, attention)),
            "the Hausboot preMüller");
  EXPECT_EQ(replace_unknown(text, {kUnknown}, {}), std::vector<std::string>{"<unk>"});
}

TEST(ReplaceUnknown, LeavesACharacterACharacter) {
  holds({"--replace-unknown"});
  const auto codec = std::make_shared<const Codec>(
      std::make_shared<CharacterTokenizer>(false),
      std::make_shared<const Vocabulary>(std::vector<std::string>{"a", "b"}));
  const std::vector<std::string> pieces = {"x", "é", "y"};
  const AttentionMatrix attention = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  EXPECT_EQ(codec->decode(replace_unknown({*codec, *codec, pieces}, {4, kUnknown, 5}, attention)),
            "aéb");
}

}  // namespace
}  // namespace heed
