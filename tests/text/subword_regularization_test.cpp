#include "text/subword_regularization.h"

#include <gtest/gtest.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "holds.h"
#include "text/bpe_dropout.h"
#include "text/line_language.h"
#include "text/marker.h"
#include "text/sentencepiece.h"
#include "text/words.h"
#include "text_test_tools.h"

namespace heed {
namespace {

using Pieces = std::vector<std::string>;

constexpr int kDraws = 20'000;

std::shared_ptr<const Codec> subwords(SubwordModel model, int64_t size = 80) {
  SentencePieceConfig config;
  config.size = size;
  config.model_type = model;
  const auto tokenizer = config.make(source_of(some_sentences(500)), 1);
  return std::make_shared<const Codec>(tokenizer,
                                       std::make_shared<const Vocabulary>(tokenizer->own_pieces()));
}

// How often each segmentation is drawn, as a fraction.
template <class Draw>
std::map<Pieces, double> frequencies(Draw draw) {
  std::map<Pieces, double> result;
  for (int i = 0; i < kDraws; ++i) result[draw(i)] += 1.0 / kDraws;
  return result;
}

// Four standard deviations of a frequency.
double tolerance(double probability) {
  return 4 * std::sqrt(probability * (1 - probability) / kDraws) + 1e-9;
}

// Merges: a b first, then b c, then all three, from either.
std::optional<float> three_merges(const std::string& token) {
  static const std::map<std::string, float> merges = {{"ab", -1}, {"bc", -2}, {"abc", -3}};
  const auto found = merges.find(token);
  return found == merges.end() ? std::nullopt : std::optional(found->second);
}

TEST(BpeDropout, DropsEachMergeOfAStepByItself) {
  holds({"train.subword_regularization.bpe_dropout"});
  const double p = 0.3, q = 1 - p;
  const auto drawn = frequencies([&](int i) {
    RandomStream draws(stream_key(1, "test", i));
    return merge_with_dropout({"a", "b", "c"}, three_merges, p, draws);
  });
  // The first step takes ab if it is left, else bc, else none; the second has one merge.
  const std::map<Pieces, double> expected = {{{"a", "b", "c"}, p * p},
                                             {{"ab", "c"}, q * p},
                                             {{"a", "bc"}, p * q * p},
                                             {{"abc"}, q * q + p * q * q}};
  ASSERT_EQ(drawn.size(), expected.size());
  for (const auto& [pieces, probability] : expected)
    EXPECT_NEAR(drawn.at(pieces), probability, tolerance(probability)) << pieces.front();
}

TEST(BpeDropout, WithoutDropoutIsTheTokenizer) {
  const auto codec = subwords(SubwordModel::kBpe);
  SubwordRegularizationConfig how;
  how.bpe_dropout = 0;
  for (const std::string& line : some_sentences(125)) {
    for (uint64_t key = 0; key < 3; ++key)
      EXPECT_EQ(sampled(codec, how, key)->tokenizer().encode(line),
                codec->tokenizer().encode(line));
  }
}

TEST(BpeDropout, NearOneGivesCharacters) {
  const auto codec = subwords(SubwordModel::kBpe);
  SubwordRegularizationConfig how;
  how.bpe_dropout = 1 - 1e-12;
  EXPECT_EQ(sampled(codec, how, 1)->tokenizer().encode("der Bär"),
            (Pieces{"▁", "d", "e", "r", "▁", "B", "ä", "r"}));
}

// A line without spaces is longer than any word.
TEST(BpeDropout, DropsMergesOfLongTextWithoutSpaces) {
  const auto codec = subwords(SubwordModel::kBpe);
  std::string line;
  for (int i = 0; i < 40; ++i) line += "überraschtverfolgt";
  SubwordRegularizationConfig how;
  how.bpe_dropout = 0.5;
  const Pieces best = codec->tokenizer().encode(line),
               drawn = sampled(codec, how, 1)->tokenizer().encode(line);
  EXPECT_EQ(codec->decode(drawn), line);
  EXPECT_GT(drawn.size(), best.size());
  how.bpe_dropout = 0;
  EXPECT_EQ(sampled(codec, how, 1)->tokenizer().encode(line), best);
}

TEST(BpeDropout, LeavesUnknownCharactersWhole) {
  const auto codec = subwords(SubwordModel::kBpe);
  SubwordRegularizationConfig how;
  how.bpe_dropout = 0.9;
  EXPECT_EQ(sampled(codec, how, 1)->tokenizer().encode("漢字"), codec->tokenizer().encode("漢字"));
}

class SampledSubwords : public testing::TestWithParam<SubwordModel> {};
INSTANTIATE_TEST_SUITE_P(Both, SampledSubwords,
                         testing::Values(SubwordModel::kBpe, SubwordModel::kUnigram));

TEST_P(SampledSubwords, AreTheSameTextInOtherPieces) {
  holds({"train.subword_regularization.bpe_dropout"});
  const auto codec = subwords(GetParam());
  const SubwordRegularizationConfig how;
  int others = 0;
  for (const std::string& line : some_sentences(125)) {
    for (uint64_t key = 0; key < 4; ++key) {
      const Ids ids = sampled(codec, how, key)->encode(line);
      EXPECT_EQ(codec->decode(ids), line);
      EXPECT_EQ(ids, sampled(codec, how, key)->encode(line)) << "same key, same segmentation";
      others += ids != codec->encode(line);
    }
  }
  EXPECT_GT(others, 150);
}

TEST_P(SampledSubwords, KeepWordsAndMarks) {
  const auto codec = subwords(GetParam());
  const auto marked = std::make_shared<const Codec>(
      with_marker(std::shared_ptr<const Tokenizer>(codec, &codec->tokenizer()), "\t"),
      codec->shared_vocabulary());
  const SubwordRegularizationConfig how;
  const auto drawn = sampled(marked, how, 3);
  const Pieces pieces = drawn->tokenizer().encode("der Bär\tzwei Bäume");
  EXPECT_EQ(std::ranges::count(pieces, kMarkerPiece), 1);
  EXPECT_EQ(drawn->tokenizer().decode(pieces), "der Bär\tzwei Bäume");
  EXPECT_TRUE(drawn->tokenizer().marks());
  EXPECT_EQ(drawn->tokenizer().piece_words("der Bär\tzwei Bäume", pieces).back(),
            (WordRange{3, 4}));  // the mark is none
}

// A line that is cut to a limit keeps the language behind its end, however its words are drawn.
TEST_P(SampledSubwords, KeepTheLanguageAtTheEnd) {
  const auto codec = subwords(GetParam());
  const auto with_end = std::make_shared<const Codec>(
      with_language(std::shared_ptr<const Tokenizer>(codec, &codec->tokenizer()),
                    {.in_lines = true, .otherwise = "de", .is_at_end = true}),
      codec->shared_vocabulary());
  const SubwordRegularizationConfig how;
  const auto drawn = sampled(with_end, how, 3);
  Pieces pieces = drawn->tokenizer().encode("der Bär und zwei Bäume");
  drawn->cut(pieces, 3);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[1], "</s>");
  EXPECT_EQ(pieces[2], ">>de<<");
}

// Segmentations with their log-probabilities, by SentencePiece itself.
std::map<Pieces, double> nbest_of(const Tokenizer& tokenizer, const std::string& line, int count) {
  const TemporaryFolder folder;
  tokenizer.save(folder.path(), "own");
  sentencepiece::SentencePieceProcessor processor;
  EXPECT_TRUE(processor.Load((folder / "own.model").string()).ok());
  std::map<Pieces, double> result;
  const auto holder = processor.NBestEncodeAsImmutableProto(line, count);
  for (const auto& segmentation : holder.nbests()) {
    Pieces pieces;
    for (const auto& piece : segmentation.pieces()) pieces.push_back(piece.piece());
    result[pieces] = segmentation.score();
  }
  return result;
}

// The formula of Kudo 2018, over the list and the scores of SentencePiece itself.
TEST(UnigramSampling, DrawsInProportionToThePowerOfProbability) {
  holds({"train.subword_regularization.alpha", "train.subword_regularization.nbest"});
  const auto codec = subwords(SubwordModel::kUnigram, 60);
  SubwordRegularizationConfig how;
  how.alpha = 0.4;
  how.nbest = 3;
  const std::string line = "Überall jemand";
  const auto expected = nbest_of(codec->tokenizer(), line, 3);
  ASSERT_EQ(expected.size(), 3U);
  double sum = 0;
  for (const auto& [pieces, score] : expected) sum += std::pow(std::exp(score), how.alpha);
  const auto drawn = frequencies(
      [&](uint64_t key) { return sampled(codec, how, mix64(key))->tokenizer().encode(line); });
  ASSERT_EQ(drawn.size(), 3U);
  for (const auto& [pieces, score] : expected) {
    const double probability = std::pow(std::exp(score), how.alpha) / sum;
    EXPECT_NEAR(drawn.at(pieces), probability, tolerance(probability));
  }
}

TEST(SubwordRegularizations, LeaveWordsAsTheyAre) {
  const auto words =
      std::make_shared<const Codec>(std::make_shared<const WordTokenizer>("", false),
                                    std::make_shared<const Vocabulary>(Pieces{"a", "b"}));
  const SubwordRegularizationConfig how;
  EXPECT_EQ(sampled(words, how, 1)->encode("a b a"), words->encode("a b a"));
}

}  // namespace
}  // namespace heed
