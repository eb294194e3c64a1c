#include "data/tags.h"

#include <gmock/gmock.h>

#include "config/reader.h"
#include "config/writer.h"
#include "data/evaluation_set.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TagsTest, AreLettersDigitsAndTwoSigns) {
  holds({"data.train[].tag", "data.valid.tag"});
  for (const char* good : {"de", "pt-BR", "zh_TW", "2", "-"}) EXPECT_TRUE(is_tag(good)) << good;
  for (const char* bad : {"", " ", "d e", "de,fr", "čs", "a=b"}) EXPECT_FALSE(is_tag(bad)) << bad;
}

TEST(TagsTest, AreKnownByTheirPlace) {
  const Tags tags = {"cs", "de", "fr"};
  EXPECT_EQ(tag_number(tags, "cs", "x:1"), 0);
  EXPECT_EQ(tag_number(tags, " fr\r", "x:1"), 2);
  EXPECT_ERROR(tag_number(tags, "dr", "x:1"), ErrorKind::kData,
               "x:1: the tag 'dr' is not one of cs, de, fr; did you mean 'de'?");
  EXPECT_ERROR(tag_number(tags, "", "x:1"), ErrorKind::kData, "the tag '' is not one of");
}

struct Holder final : Settings {
  DataConfig data;
  void fields(Fields& f) override { f.section("data", data, "files"); }
};

std::vector<std::string> problems_of(const std::string& yaml) {
  Holder holder;
  std::vector<std::string> texts;
  for (const Problem& problem : find_problems("data:\n" + yaml, "c", holder))
    texts.push_back(problem.text());
  return texts;
}

const std::string kTrain =
    "  train:\n"
    "    - {source: a, target: b, tag: fr}\n"
    "    - {source: a, target: c, tag: de}\n"
    "    - {source: d, target: e, tag: fr}\n";

TEST(TagsOfAConfig, AreThoseOfTheCorporaInTheirOrder) {
  holds({"data.train[].tag", "data.valid.tag"});
  Holder holder;
  read_config_text(
      "data:\n" + kTrain +
          "  valid: [{source: a, target: b, tag: fr}, {source: a, target: c, tag: de}]\n"
          "  test: {t: {source: a, target: b, tag: de}}\n",
      "c", holder);
  EXPECT_EQ(holder.data.tags(), (Tags{"de", "fr"}));
  EXPECT_EQ(holder.data.valid.size(), 2U);
  Holder again;
  read_config_text(write_config(holder), "again", again);
  EXPECT_EQ(write_config(again), write_config(holder));
  EXPECT_EQ(again.data.valid.at(1).tag, "de");
  EXPECT_EQ(DataConfig().tags(), Tags());
}

TEST(TagsOfAConfig, AreWordsEvenWhereYamlHasAnotherMind) {
  EXPECT_THAT(
      problems_of("  train: [{source: a, target: b, tag: no}, {source: a, target: b, tag: 2}]\n"),
      ElementsAre());
}

TEST(TagsOfAConfig, StandInEveryCorpusOrInNone) {
  EXPECT_THAT(
      problems_of("  train: [{source: a, target: b, tag: de}, {source: a, target: b}]\n"),
      ElementsAre(
          "c:2:44: data.train[1]: has no tag, but others have: give all corpora a tag, or none"));
  EXPECT_THAT(problems_of("  train: [{source: a, target: b}]\n"
                          "  valid: {source: a, target: b, tag: de}\n"),
              ElementsAre("c:3:3: data.valid: has a tag, but no corpus of train has one: give all "
                          "of them a tag, or none"));
  EXPECT_THAT(problems_of(kTrain + "  valid: {source: a, target: b}\n"),
              ElementsAre(HasSubstr("c:6:3: data.valid: has no tag")));
}

TEST(TagsOfAConfig, OfValidAndTestAreThoseOfTrain) {
  EXPECT_THAT(
      problems_of(kTrain + "  valid:\n"
                           "    - {source: a, target: b, tag: de}\n"
                           "    - {source: a, target: b, tag: fe}\n"
                           "  test: {t: {source: a, target: b, tag: zh}}\n"),
      ElementsAre(
          "c:8:35: data.valid[1].tag: no corpus of train has this tag: 'fe' is not one of de, fr; "
          "did you mean 'de'?",
          "c:9:41: data.test.t.tag: no corpus of train has this tag: 'zh' is not one of de, fr"));
  EXPECT_THAT(
      problems_of("  train: [{source: a, target: b, tag: d e}]\n"),
      ElementsAre(
          "c:2:39: data.train[0].tag: 'd e' is not allowed as a tag: letters, digits, _ and -"));
}

TEST(TagsOfAConfig, AreNoNameOfASource) {
  EXPECT_THAT(
      problems_of("  train: [{source: {tag: a, text: b}, target: c}]\n"),
      ElementsAre(HasSubstr("data.train[0].source.tag: is not allowed as the name of a source")));
}

struct TaggedFiles {
  TemporaryFolder folder;
  TaggedFiles() {
    write_plainly(folder / "s", "w1 w2\nw3\n");
    write_plainly(folder / "t", "w4\nw5\n");
  }
  CorpusFiles of(const char* tag) const {
    CorpusFiles files = corpus_files({folder / "s"}, {folder / "t"});
    files.tag = tag;
    return files;
  }
};

const PairEncoder kEncoder = {.codecs = {hundred_words(), hundred_words()}, .tags = {"de", "fr"}};

TEST(TagsOfACorpus, GoWithItsPairs) {
  holds({"data.train[].tag", "data.valid.tag"});
  const TaggedFiles data;
  const auto text =
      std::make_shared<const TrainingText>(std::vector<CorpusFiles>{data.of("fr"), data.of("de")});
  const ParallelCorpus corpus(text, kEncoder, {});
  ASSERT_EQ(corpus.index().size(), 4);
  EXPECT_EQ(corpus.example(1).tag, 1);
  EXPECT_EQ(corpus.example(2).tag, 0);
  EXPECT_FALSE(index_corpus({corpus_files({data.folder / "s"}, {data.folder / "t"})})
                   ->example(0)
                   .tag.has_value());
}

TEST(TagsOfAnEvaluationSet, AreReadAsLinesBesideItsSources) {
  holds({"data.valid.source", "data.valid.target"});
  const TaggedFiles data;
  EvaluationSet set = read_parallel("valid", data.of("fr"), kEncoder);
  append(set, read_parallel("valid", data.of("de"), kEncoder));
  EXPECT_EQ(set.size(), 4U);
  ASSERT_EQ(set.sources.size(), 2U);
  EXPECT_THAT(set.sources[0], ElementsAre("w1 w2", "w3", "w1 w2", "w3"));
  EXPECT_THAT(set.sources[1], ElementsAre("fr", "fr", "de", "de"));
  EXPECT_THAT(set.references, ElementsAre("w4", "w5", "w4", "w5"));
  EXPECT_EQ(set.examples[3].tag, 0);
  EXPECT_EQ(set.examples[3].index, 3);
  EXPECT_EQ(set.examples[3].target, Ids{9});
}

}  // namespace
}  // namespace heed
