#include "translate/batch_translator.h"

#include <gtest/gtest.h>
#include "nn/torch.h"

#include <atomic>
#include <functional>
#include <stdexcept>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "captured_log.h"
#include "holds.h"
#include "network/engines.h"
#include "network/line_scores.h"
#include "network/random_models.h"
#include "text/words.h"

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
NetworkModel tiny_text_model(uint64_t seed = 1) {
  std::vector<std::string> source = numbered_words("s", 15);
  source.emplace_back("\uFFFD");
  NetworkModel model;
  model.networks = {random_model(tiny_rnn(), 20, seed)};
  model.sources = model.inputs = {"source"};
  model.codecs = {{"source", words_codec(source)},
                  {"target", words_codec(numbered_words("t", 16))}};
  model.max_length = 30;
  return model;
}

std::vector<std::string> random_lines(int64_t count, uint64_t seed) {
  std::vector<std::string> lines;
  const Codec codec = *words_codec(numbered_words("s", 15));
  for (const Ids& ids : random_sentences(count, 12, 19, seed)) lines.push_back(codec.decode(ids));
  return lines;
}

BatchTranslatorOptions options_of(int64_t batch, int64_t workers) {
  BatchTranslatorOptions options;
  options.line.search.beam = 3;
  options.line.search.min_length = 2;  // a random model may like to end at once
  options.batch = batch;
  options.workers = workers;
  return options;
}

// The best text of each line.
std::vector<std::string> texts_of(const BatchTranslator& translator,
                                  const std::vector<std::string>& lines) {
  std::vector<SourceLine> sources;
  for (const std::string& line : lines) sources.push_back({line});
  std::vector<std::string> texts;
  for (const TranslatedLine& translation : translator.translate(sources))
    texts.push_back(translation.text());
  return texts;
}

TEST(BatchTranslator, GivesLineNForLineNWhateverBatchAndWorkers) {
  const NetworkModel model = tiny_text_model();
  const std::vector<std::string> lines = random_lines(50, 3);
  std::vector<std::string> expected;
  for (const std::string& line : lines)
    expected.push_back(texts_of(BatchTranslator(with_engine(model), options_of(1, 1)), {line})[0]);
  for (const auto& [batch, workers] :
       std::vector<std::pair<int, int>>{{1, 1}, {7, 1}, {7, 3}, {64, 2}})
    EXPECT_EQ(texts_of(BatchTranslator(with_engine(model), options_of(batch, workers)), lines),
              expected);
}

TEST(BatchTranslator, GivesAnEmptyLineForAnEmptyOne) {
  const BatchTranslator translator(with_engine(tiny_text_model()), options_of(4, 1));
  const auto texts = texts_of(translator, {"", "s1 s2", "  \t", "s3", ""});
  ASSERT_EQ(texts.size(), 5);
  EXPECT_EQ(texts[0], "");
  EXPECT_NE(texts[1], "");
  EXPECT_EQ(texts[2], "");
  EXPECT_NE(texts[3], "");
  EXPECT_EQ(texts[4], "");
  EXPECT_TRUE(texts_of(translator, {}).empty());
}

// The user's prefix and phrases are not in it.
TEST(BatchTranslator, TellsOfWhatAnEmptyLineShouldHave) {
  const BatchTranslator translator(with_engine(tiny_text_model()), options_of(4, 1));
  const auto warnings = [&](const LexicalConstraints& constraints) {
    std::vector<std::string> texts;
    const auto translated = translator.translate({{" "}}, 1, {constraints});
    for (const LineWarning& warning : translated.front().warnings) texts.push_back(warning.text());
    return texts;
  };
  const std::vector<std::string> expected{
      "an empty line has an empty translation: its prefix and phrases are left out"};
  EXPECT_EQ(warnings({"t1", {}, {}}), expected);
  EXPECT_EQ(warnings({"", {"t1"}, {}}), expected);
  EXPECT_TRUE(warnings({"", {}, {"t1"}}).empty());
  EXPECT_TRUE(warnings({}).empty());
}

TEST(BatchTranslator, ReadsMalformedBytesAsTheReplacementCharacter) {
  const BatchTranslator translator(with_engine(tiny_text_model()), options_of(4, 1));
  const auto texts = texts_of(translator, {"s1 \xFF s2", "s1 \uFFFD s2"});
  EXPECT_EQ(texts[0], texts[1]);
}

// Texts of these lines and the number of batches; the model was trained on up to 4 pieces.
std::pair<std::vector<std::string>, int> translated_in_batches(
    const std::vector<std::string>& lines, int64_t longest_source) {
  BatchTranslatorOptions options = options_of(4, 1);
  options.line.search.max_source_length = longest_source;
  std::atomic<int> batches = 0;
  options.before_batch = [&] { ++batches; };
  NetworkModel model = tiny_text_model();
  model.max_length = 4;
  const auto texts = texts_of(BatchTranslator(with_engine(model), options), lines);
  return {texts, batches};
}

TEST(BatchTranslator, CutsWhatIsTooLong) {
  holds({"--batch"});
  const auto [texts, batches] = translated_in_batches(
      {"s1 s2 s3 s4 s5 s6 s7 s8", "s1 s2 s3 s4 s5", "s1", "s2", "s3", "s4"}, 5);
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(batches, 2);  // longer than in training is no reason for a batch of its own
}

// The warnings of a model with tables of `positions` rows.
std::vector<std::string> warnings_for(const std::vector<std::string>& lines,
                                      const SearchConfig& search, int64_t positions) {
  LineWarnings warnings;
  BatchTranslatorOptions options = options_of(4, 2);
  options.line.search = search;
  options.warnings = &warnings;
  NetworkModel model = tiny_text_model();
  model.source_positions = model.target_positions = positions;
  texts_of(BatchTranslator(with_engine(model), options), lines);
  return warnings.take();
}

TEST(BatchTranslator, SaysWhichTranslationsAreCutAndWhichSources) {
  SearchConfig search = options_of(1, 1).line.search;
  search.min_length = search.max_length_extra = 3;
  search.max_length_ratio = 0;
  search.max_source_length = 4;
  EXPECT_EQ(warnings_for({"s1", "", "s1 s2 s3 s4 s5"}, search, 10),
            (std::vector<std::string>{
                "cut or shortened by the maximum length; a larger max_length_ratio or "
                "max_length_extra allows more: line 1 (3 tokens), line 3 (3 tokens)",
                "cut to the first 4 tokens (max_source_length); split the line: line 3 (5 "
                "tokens)"}));
}

TEST(BatchTranslator, SaysWhatIsLongerThanItsPositions) {
  SearchConfig search = options_of(1, 1).line.search;
  search.min_length = 3;
  search.max_length_ratio = 0;
  search.max_length_extra = 3;
  const std::vector<std::string> found = warnings_for({"s1 s2 s3", "s1"}, search, 2);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].find("source longer than the model's table of 2 positions: "), 0U) << found[0];
  EXPECT_EQ(found[2].find("translation longer than the model's table of 2 positions: "), 0U);
  EXPECT_NE(found[0].find("may be poor: line 1 (3 tokens)"), std::string::npos) << found[0];
}

TEST(LineScores, SayWhatIsLongerThanThePositions) {
  LineWarnings warnings;
  NetworkModel model = tiny_text_model();
  model.source_positions = model.target_positions = 1;
  score_lines(model, {{"s1 s2"}, {"s1"}}, {"t1", "t1 t2 t3"}, {.warnings = &warnings});
  const std::string rest =
      " longer than the model's table of 1 positions: later tokens share the last one, the result "
      "may be poor: ";
  EXPECT_EQ(warnings.take(), (std::vector<std::string>{"source" + rest + "line 1 (2 tokens)",
                                                       "target" + rest + "line 2 (3 tokens)"}));
}

TEST(LineScores, SayWhichPositionsHaveNoScore) {
  LineWarnings warnings;
  NetworkModel model = tiny_text_model();
  model.scored_positions = 1;
  score_lines(model, {{"s1 s2"}, {"s1"}}, {"t1", "t1"}, {.warnings = &warnings});
  EXPECT_EQ(warnings.take(),
            (std::vector<std::string>{"source longer than the 1 positions of score: "
                                      "location_based, later tokens are not read: line 1 (2 "
                                      "tokens)"}));
}

TEST(BatchTranslator, ReadsSourcesAsLongAsThoseOfTheTraining) {
  SearchConfig search;
  EXPECT_EQ(search.longest_source({}), 2048);
  EXPECT_EQ(search.longest_source(100), 2048);
  EXPECT_EQ(search.longest_source(3000), 3000);
  search.max_source_length = 10;
  EXPECT_EQ(search.longest_source(3000), 10);
}

TEST(BatchTranslator, TranslatesVeryLongLinesAlone) {
  std::string line = "s1";
  for (int i = 1; i < 513; ++i) line += " s2";
  EXPECT_EQ(translated_in_batches({line, "s1", line, "s2", "s3", "s4"}, 513).second, 3);
}

TEST(BatchTranslator, WritesWindowsInOrder) {
  const NetworkModel model = tiny_text_model();
  const std::vector<std::string> lines = random_lines(23, 5);
  const BatchTranslator translator(with_engine(model), options_of(4, 2));
  for (const int64_t most : {1, 5, 23, 100}) {
    size_t next = 0;
    Windows windows{.first = std::min<int64_t>(most, 3), .most = most};
    std::vector<std::string> texts;
    const int64_t count = translator.translate_all(
        [&](SourceLine& line) {
          if (next == lines.size()) return false;
          line = {lines[next++]};
          return true;
        },
        [&](const TranslatedLine& translation) { texts.push_back(translation.text()); }, windows);
    EXPECT_EQ(count, 23);
    EXPECT_EQ(texts, texts_of(translator, lines));
  }
}

TEST(BatchTranslator, WritesWindowsThatGrow) {
  const NetworkModel model = tiny_text_model();
  const std::vector<std::string> lines = random_lines(23, 5);
  size_t next = 0, written = 0;
  std::vector<size_t> ends;  // lines that are written when a window is, and no other has been read
  const Windows windows{.first = 3, .most = 10, .written = [&] {
                          EXPECT_EQ(written, next);
                          ends.push_back(written);
                        }};
  BatchTranslator(with_engine(model), options_of(4, 2))
      .translate_all(
          [&](SourceLine& line) {
            if (next == lines.size()) return false;
            line = {lines[next++]};
            return true;
          },
          [&](const TranslatedLine&) { ++written; }, windows);
  EXPECT_EQ(ends, (std::vector<size_t>{3, 9, 19}));
}

TEST(BatchTranslator, GivesTheNBestWithPiecesAttentionAndAlignment) {
  BatchTranslatorOptions options = options_of(4, 1);
  options.line.search.nbest = 3;
  options.line.attention = options.line.alignment = true;
  const auto translations = BatchTranslator(with_engine(tiny_text_model()), options)
                                .translate({{"s1 s2 s3"}, {""}, {"s4"}});
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

TEST(BatchTranslator, ReplacesUnknownByTheSource) {
  holds({"--replace-unknown"});
  NetworkModel model = tiny_text_model();
  model.networks = {random_model(tiny_rnn(), 6, 2)};
  prefer(*model.networks[0], kUnknown, 6);
  model.codecs = {{"source", words_codec({"s0", "s1"})}, {"target", words_codec({"t0", "t1"})}};
  const std::vector<std::string> lines = random_lines(20, 6);
  BatchTranslatorOptions options = options_of(8, 1);
  int64_t unknown = 0;
  for (const std::string& text : texts_of(BatchTranslator(with_engine(model), options), lines))
    unknown += static_cast<int64_t>(text.find("<unk>") != std::string::npos);
  EXPECT_GT(unknown, 0);
  options.line.replace_unknown = true;
  for (const std::string& text : texts_of(BatchTranslator(with_engine(model), options), lines))
    EXPECT_EQ(text.find("<unk>"), std::string::npos);
}

TEST(BatchTranslator, HandsOnWhatAWorkerThrows) {
  BatchTranslatorOptions options = options_of(1, 3);
  std::atomic<int> calls = 0;
  options.before_batch = [&] {
    if (++calls == 5) throw std::runtime_error("enough");
  };
  const BatchTranslator translator(with_engine(tiny_text_model()), options);
  EXPECT_THROW(texts_of(translator, random_lines(200, 1)), std::runtime_error);
  EXPECT_LT(calls, 50);
}

TEST(LineScores, AgreeWithTheSearch) {
  holds({"--source", "--target"});
  const NetworkModel model = tiny_text_model();
  const std::vector<std::string> lines = random_lines(30, 9);
  BatchTranslatorOptions options = options_of(8, 1);
  options.line.search.allow_unknown = false;
  std::vector<SourceLine> sources;
  for (const std::string& line : lines) sources.push_back({line});
  const auto translations = BatchTranslator(with_engine(model), options).translate(sources);
  std::vector<std::string> texts;
  for (const TranslatedLine& translation : translations) texts.push_back(translation.text());
  for (const int64_t workers : {1, 2}) {
    const auto scores = score_lines(model, sources, texts, {.batch = 7, .workers = workers});
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_NEAR(scores[i].score.log_probability, translations[i].best[0].log_probability, 1e-9);
      EXPECT_EQ(scores[i].pieces, translations[i].best[0].pieces);
    }
  }
}

// Forced decoding, token by token, and all tokens of a target at once.
TEST(LineScores, AreTheSameByTheEngine) {
  const NetworkModel model = tiny_text_model();
  std::vector<SourceLine> sources;
  for (const std::string& line : random_lines(20, 9)) sources.push_back({line});
  std::vector<std::string> targets{"", "t1", "t2 t1 t3 t3 t1 t2 t2", "elsewhere t1"};
  for (size_t i = targets.size(); i < sources.size(); ++i)
    targets.push_back(targets[i % 4] + " t" + std::to_string(i % 5));
  const auto expected = score_lines(model, sources, targets);
  const TextModel by_engine = with_engine(model);
  for (const int64_t workers : {1, 2}) {
    const auto found = score_lines(by_engine, sources, targets, {.batch = 7, .workers = workers});
    for (size_t i = 0; i < targets.size(); ++i) {
      EXPECT_NEAR(found[i].score.log_probability, expected[i].score.log_probability, 1e-9);
      EXPECT_EQ(found[i].score.log_probabilities.size(),
                expected[i].score.log_probabilities.size());
      EXPECT_EQ(found[i].pieces, expected[i].pieces);
    }
  }
}

TEST(LineScores, RefuseMalformedTextWithItsLine) {
  const NetworkModel model = tiny_text_model();
  EXPECT_ERROR(score_lines(model, {{"s1"}, {"s2"}}, {"t1", "t\xFF"}), ErrorKind::kData,
               "line 2 of the target: malformed UTF-8 at byte 2");
  EXPECT_ERROR(score_lines(model, {{"\xFF"}}, {"t1"}, {}, {41}), ErrorKind::kData,
               "line 41 of the source");
  EXPECT_ERROR(score_lines(model, {{std::string("s1\0", 3)}}, {"t1"}), ErrorKind::kData,
               "line 1 of the source: a zero byte (U+0000) at byte 3");
}

// Their number is the probability of all unknown words together.
TEST(LineScores, TellOfTokensThatAreScoredAsUnknown) {
  const auto scores =
      score_lines(tiny_text_model(), {{"s1"}, {"s1"}, {"s1"}}, {"t1 x t2 y x", "t1 <unk>", "t1"});
  ASSERT_EQ(scores[0].warnings.size(), 1);
  EXPECT_EQ(
      scores[0].warnings[0].text(),
      "tokens of the target that the model does not know have the probability of <unk> (x y)");
  EXPECT_TRUE(scores[1].warnings.empty());
  EXPECT_TRUE(scores[2].warnings.empty());
}

TEST(LineScores, OfAnEmptyTargetAreThoseOfItsEnd) {
  const auto scores = score_lines(tiny_text_model(), {{"s1"}, {""}}, {"", ""});
  EXPECT_EQ(scores[0].score.log_probabilities.size(), 1);
  EXPECT_LT(scores[0].score.log_probability, 0);
  EXPECT_LT(scores[1].score.log_probability, 0);
}

TEST(NetworkModelTest, RefusesAnEnsembleWithoutOneVocabulary) {
  const auto load = [](const std::vector<std::string>& target) {
    LoadedModel model;
    model.codecs = {{"source", words_codec({"a"})}, {"target", words_codec(target)}};
    model.network = random_model(tiny_rnn(), 6, 1);
    return model;
  };
  EXPECT_EQ(network_model({load({"x"}), load({"x"})}).networks.size(), 2);
  EXPECT_ERROR(network_model({load({"x"}), load({"y"})}), ErrorKind::kModel, "'target' differ");
  LoadedModel other = load({"x"});
  other.config.sources = {"speech"};
  EXPECT_ERROR(network_model({load({"x"}), other}), ErrorKind::kModel, "'speech'");
}

// The line is encoded once, by the tokenizer of the first model.
TEST(NetworkModelTest, RefusesAnEnsembleWithoutOneTokenizer) {
  const auto load = [](const std::function<void(WordsConfig&)>& change) {
    LoadedModel model;
    model.codecs = {{"source", words_codec({"a"})}, {"target", words_codec({"x"})}};
    model.network = random_model(tiny_rnn(), 6, 1);
    const auto words = make_kind<WordsConfig>("words");
    change(*words);
    model.config.text["source"].tokenizer = words;
    model.config.text["target"].tokenizer = make_kind<WordsConfig>("words");
    model.config.text["target"].tokenizer->share = "source";
    return model;
  };
  const auto usual = [](WordsConfig&) {};
  EXPECT_EQ(network_model({load(usual), load([](WordsConfig& words) {
                             words.vocabulary.file = "other.vocabulary";
                           })})
                .networks.size(),
            2);
  const LoadedModel first = load(usual);
  EXPECT_ERROR(network_model({first, load([](WordsConfig& words) { words.lower = true; })}),
               ErrorKind::kModel, "text.source.lower is false in one and true in another");
  EXPECT_ERROR(network_model({first, load([](WordsConfig& words) { words.join = "@@ "; })}),
               ErrorKind::kModel, "text.source.join");
  LoadedModel other = load(usual);
  other.config.search.beam = 7;
  CapturedLog log;
  network_model({first, other});
  EXPECT_NE(log.end().find("different settings of search: those of the first are used"),
            std::string::npos);
}

}  // namespace
}  // namespace heed
