#include "data/supporting_facts.h"

#include <gmock/gmock.h>

#include "data/corpus_files.h"
#include "data_test_tools.h"
#include "holds.h"
#include "text/marker.h"

namespace heed {
namespace {

using FactNumbers = std::vector<std::optional<int64_t>>;

std::shared_ptr<const Codec> marked_words() {
  std::vector<std::string> words = {std::string(kMarkerPiece)};
  for (int i = 0; i < 10; ++i) words.push_back("w" + std::to_string(i));
  return std::make_shared<const Codec>(with_marker(std::make_shared<WordTokenizer>("", false), "|"),
                                       std::make_shared<const Vocabulary>(words));
}

SupportingFacts facts_of(const std::string& line, const std::string& story) {
  const auto codec = marked_words();
  const auto pieces = codec->tokenizer().encode(story);
  return read_supporting_facts(line, {"story", story, pieces, codec->tokenizer()}, "facts:7");
}

// Pieces: w1 w2 ␞ w3 ␞ w4; the third of the four parts is empty.
TEST(SupportingFacts, CountTheSentencesOfTheLine) {
  holds({"data.train[].supporting_facts"});
  const std::string story = "w1 w2|w3| |w4";
  const SupportingFacts two = facts_of(" 4 1\r", story);
  EXPECT_EQ(two.begins, (std::vector<int64_t>{0, 3, 5}));
  EXPECT_EQ(two.facts, (FactNumbers{2, 0}));
  EXPECT_EQ(facts_of("2 2", story).facts, (FactNumbers{1, 1}));
  EXPECT_EQ(facts_of("", story).facts, FactNumbers{});
  EXPECT_EQ(facts_of("1", "w1").facts, FactNumbers{0});
}

TEST(SupportingFacts, SaysWhereAndWhatIsWrong) {
  for (const char* bad : {"0", "-1", "x", "1-2", "1.5", "1,2", "99999999999999999999"})
    EXPECT_ERROR(facts_of(bad, "w1|w2"), ErrorKind::kData,
                 fmt::format("facts:7: '{}' is not the number of a sentence; expected numbers from "
                             "1, separated by spaces, such as 2 5",
                             bad));
  EXPECT_ERROR(facts_of("1 3", "w1|w2"), ErrorKind::kData,
               "facts:7: supporting fact 3, but story has 2 sentences; count the sentences between "
               "markers from 1");
  EXPECT_ERROR(facts_of("2", "w1"), ErrorKind::kData, "but story has 1 sentence;");
  EXPECT_ERROR(facts_of("2", "w1||w2"), ErrorKind::kData,
               "facts:7: supporting fact 2, but sentence 2 of story is empty; name another one");
  // The sign of the marker, written in the text, would divide a sentence for the model.
  EXPECT_ERROR(facts_of("1", "w1 \u241E w2|w3"), ErrorKind::kData,
               "facts:7: story has 2 sentences between markers, but the sign \u241E in its text "
               "divides it into 3");
}

// Pieces: w1 w2 ␞ w3 w4 ␞ w5.
TEST(SupportingFacts, AreCutWithTheStory) {
  const PairEncoder encoder{.codecs = {marked_words(), hundred_words()}};
  struct Case {
    int64_t longest;
    std::vector<int64_t> begins;
    FactNumbers facts;
  };
  for (const auto& [longest, begins, facts] : std::vector<Case>{{kWholeLine, {0, 3, 6}, {1, 2}},
                                                                {7, {0, 3, 6}, {1, 2}},
                                                                {6, {0, 3, 6}, {1, {}}},
                                                                {4, {0, 3}, {1, {}}},
                                                                {3, {0, 3}, {{}, {}}},
                                                                {2, {0}, {{}, {}}}}) {
    SCOPED_TRACE(longest);
    const Example example =
        encoder.encode({"w1 w2|w3 w4|w5", "w6"}, {.supporting_facts = Annotation{"2 3", "facts:1"}},
                       {.source = longest});
    EXPECT_EQ(example.supporting_facts->begins, begins);
    EXPECT_EQ(example.supporting_facts->facts, facts);
  }
}

TEST(SupportingFacts, AreOfTheSourceThatTheDecoderAttendsTo) {
  const PairEncoder encoder{.codecs = {hundred_words(), marked_words(), hundred_words()},
                            .aligned = 1,
                            .aligned_name = "story"};
  const std::vector<std::string> lines = {"w1", "w2|w3", "w4"};
  const auto encode = [&](const std::string& line) {
    return encoder.encode(lines, {.supporting_facts = Annotation{line, "f:1"}});
  };
  EXPECT_EQ(encode("2").supporting_facts->facts, FactNumbers{1});
  EXPECT_ERROR(encode("3"), ErrorKind::kData, "f:1: supporting fact 3, but story has 2 sentences");
}

class FactsOfACorpus : public testing::Test {
 protected:
  std::shared_ptr<const ParallelCorpus> index(const std::string& source, const std::string& target,
                                              const std::string& facts) const {
    write_plainly(folder_ / "s", source);
    write_plainly(folder_ / "t", target);
    write_plainly(folder_ / "f", facts);
    CorpusFiles files = corpus_files({folder_ / "s"}, {folder_ / "t"});
    files.supporting_facts = {{folder_ / "f"}};
    return index_corpus({files}, {}, 2);
  }
  TemporaryFolder folder_;
};

// A text without a marker is one sentence.
TEST_F(FactsOfACorpus, GoWithTheirPairs) {
  holds({"data.train[].supporting_facts"});
  const auto corpus =
      index("w1\n\nw3\nw4\n", "w4\nw5\nw6\nw7\n", "1\n7 what is left out is not read\n\n1 1\n");
  ASSERT_EQ(corpus->index().size(), 3);
  EXPECT_EQ(corpus->example(0).supporting_facts->facts, FactNumbers{0});
  EXPECT_EQ(corpus->example(1).supporting_facts->facts, FactNumbers{});
  EXPECT_EQ(corpus->example(2).supporting_facts->facts, (FactNumbers{0, 0}));
}

TEST_F(FactsOfACorpus, AreCheckedBeforeTrainingBegins) {
  EXPECT_ERROR(index("w1 w2\nw3\n", "w4\nw5\n", "1\n2\n"), ErrorKind::kData,
               "/f:2: supporting fact 2, but the source has 1 sentence");
  EXPECT_ERROR(index("w1\nw3\n", "w4\nw5\n", "1\n"), ErrorKind::kData, "line N of one must belong");
}

TEST_F(FactsOfACorpus, ThatAreCutOffAreCounted) {
  write_plainly(folder_ / "s", "w1 w2|w3 w4\nw1|w3 w4\n");
  write_plainly(folder_ / "t", "w1\nw2\n");
  write_plainly(folder_ / "f", "2\n2\n");
  CorpusFiles files = corpus_files({folder_ / "s"}, {folder_ / "t"});
  files.supporting_facts = {{folder_ / "f"}};
  const TrainingText text({files});
  const PairEncoder encoder{.codecs = {marked_words(), hundred_words()}};
  Cleaning cleaning;
  cleaning.too_long = TooLong::kTruncate;
  cleaning.max_source_length = 3;
  const CorpusIndex index =
      index_text({.text = text, .encoder = encoder, .cleaning = cleaning, .threads = 1});
  EXPECT_THAT(index.report.corpora[0].text(),
              testing::HasSubstr("changed: 2 truncated, 1 without a supporting fact, cut off"));
}

TEST_F(FactsOfACorpus, MayBeAColumn) {
  write_plainly(folder_ / "c.tsv", "w1\tw3\t1\nw1\tw3\n");
  CorpusConfig config;
  config.tsv = "c.tsv";
  config.source = {{kSourceSide, "1"}};
  config.target = "2";
  config.supporting_facts = "3";
  const auto corpus = index_corpus({find_corpus_files(folder_.path(), config)});
  ASSERT_EQ(corpus->index().size(), 1);  // the second row has no facts
  EXPECT_EQ(corpus->example(0).supporting_facts->facts, FactNumbers{0});
  EXPECT_EQ(corpus->report().corpora[0].bad_rows, 1);
}

}  // namespace
}  // namespace heed
