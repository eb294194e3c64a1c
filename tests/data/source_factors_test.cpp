#include "data/source_factors.h"

#include <gmock/gmock.h>

#include "data/data_config.h"
#include "data/evaluation_set.h"
#include "data_test_tools.h"
#include "holds.h"
#include "text/characters.h"
#include "text/codecs.h"
#include "text/marker.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// N, V and D have the ids 4, 5 and 6.
std::shared_ptr<const Codec> three_labels() {
  return std::make_shared<const Codec>(
      std::make_shared<WordTokenizer>("", false),
      std::make_shared<const Vocabulary>(std::vector<std::string>{"N", "V", "D"}));
}

Ids labels_of(const std::string& line, const std::string& text, const Tokenizer& tokenizer) {
  const std::vector<std::string> pieces = tokenizer.encode(text);
  return read_labels(line, {"the source", text, pieces, tokenizer}, *three_labels(), "pos:7");
}

TEST(SourceFactors, AreTheLabelsOfWords) {
  holds({"data.train[].factors"});
  const WordTokenizer words("", false);
  EXPECT_EQ(labels_of("D N  V\r", "the dog barks", words), (Ids{6, 4, 5}));
  EXPECT_EQ(labels_of("N X", "a b", words), (Ids{4, kUnknown})) << "a label of no corpus";
  EXPECT_EQ(labels_of("<s> <unk>", "a b", words), (Ids{kUnknown, kUnknown}));
  EXPECT_EQ(labels_of(" ", "", words), Ids{});
}

TEST(SourceFactors, GoToAllPiecesOfTheirWord) {
  EXPECT_EQ(labels_of("D N", "un@@ see n", WordTokenizer("@@", false)), (Ids{6, 6, 4}));
  EXPECT_EQ(labels_of("D N", "ab c", CharacterTokenizer(false)), (Ids{6, 6, 4, 4}));
}

TEST(SourceFactors, LeaveOutMarksThatAreSpaces) {
  const auto inner = std::make_shared<WordTokenizer>("@@", false);
  const auto by_tabs = with_marker(inner, "\t"), by_bars = with_marker(inner, "|");
  EXPECT_EQ(labels_of("D N V", "a@@ b\tc d", *by_tabs), (Ids{6, 6, kUnknown, 4, 5}));
  EXPECT_EQ(labels_of("D N V", "a | b", *by_bars), (Ids{6, 4, 5}));
  EXPECT_ERROR(labels_of("D N V V", "a@@ b\tc d", *by_tabs), ErrorKind::kData, "has 3 words");
}

TEST(SourceFactors, SayWhereAndWhatIsWrong) {
  const WordTokenizer words("", false);
  EXPECT_ERROR(labels_of("D N", "a b c", words), ErrorKind::kData,
               "pos:7: 2 labels, but the source has 3 words; give one label for each word, "
               "separated by spaces");
  EXPECT_ERROR(labels_of("D", "", words), ErrorKind::kData,
               "pos:7: 1 label, but the source has 0 words");
  EXPECT_ERROR(labels_of("D N V", "un@@ see n", WordTokenizer("@@", false)), ErrorKind::kData,
               "pos:7: 3 labels, but the source has 2 words (3 parts between spaces, which `join` "
               "makes 2 words: count words of the text without the joiner); give one label");
  EXPECT_ERROR(labels_of("D", "猫が好き", CharacterTokenizer(false)), ErrorKind::kData,
               "pos:7: 1 label, but the source has 4 words (1 between spaces; `heed tokenize "
               "--words` shows the words); give one label");
}

TEST(SourceFactors, MayBeOneLabelOfTheLine) {
  const CharacterTokenizer characters(false);
  const auto label_of = [&](const std::string& line, const std::string& text) {
    const std::vector<std::string> pieces = characters.encode(text);
    return read_label_of_line(line, {"the source", text, pieces, characters}, *three_labels(),
                              "pos:7");
  };
  EXPECT_EQ(label_of("V", "a b"), (Ids{5, 5, 5}));
  EXPECT_EQ(label_of("X", "ab"), (Ids{kUnknown, kUnknown}));
  EXPECT_EQ(label_of("V", ""), Ids{});
  EXPECT_ERROR(label_of("V N", "a b"), ErrorKind::kData, "pos:7: 2 labels");
  EXPECT_ERROR(label_of("", "a b"), ErrorKind::kData, "pos:7: 0 labels");
}

struct FilesWithFactors {
  TemporaryFolder folder;
  FilesWithFactors(const std::string& source, const std::string& target,
                   const std::string& labels) {
    write_plainly(folder / "s", source);
    write_plainly(folder / "t", target);
    write_plainly(folder / "p", labels);
  }
  CorpusFiles files() const {
    CorpusFiles files = corpus_files({folder / "s"}, {folder / "t"});
    files.factors = {{{folder / "p"}}};
    return files;
  }
  PairEncoder encoder() const {
    return {.codecs = {2, hundred_words()}, .factors = {{"pos", 0, three_labels()}}};
  }
  std::shared_ptr<const ParallelCorpus> index(const Cleaning& cleaning = {}) const {
    const auto text = std::make_shared<const TrainingText>(std::vector<CorpusFiles>{files()});
    return std::make_shared<const ParallelCorpus>(text, encoder(), cleaning);
  }
};

TEST(FactorsOfACorpus, GoWithTheirPairs) {
  holds({"data.train[].factors"});
  const FilesWithFactors data("w1 w2\n\nw3\n", "w4\nw5\nw6\n", "D N\nleft out with its pair\nV\n");
  const auto corpus = data.index();
  ASSERT_EQ(corpus->index().size(), 2);
  EXPECT_THAT(corpus->example(0).factors, ElementsAre(ElementsAre(Ids{6, 4})));
  EXPECT_THAT(corpus->example(1).factors, ElementsAre(ElementsAre(Ids{5})));
}

TEST(FactorsOfACorpus, AreCutWithTheirPair) {
  Cleaning cleaning;
  cleaning.too_long = TooLong::kTruncate;
  cleaning.max_source_length = 2;
  const FilesWithFactors data("w1 w2 w3\n", "w4\n", "D N V\n");
  EXPECT_THAT(data.index(cleaning)->example(0).factors, ElementsAre(ElementsAre(Ids{6, 4})));
}

TEST(FactorsOfACorpus, AreCheckedBeforeTrainingBegins) {
  EXPECT_ERROR(FilesWithFactors("w1 w2\nw3\n", "w4\nw5\n", "D N\nD N\n").index(), ErrorKind::kData,
               "/p:2: 2 labels, but the source has 1 word;");
  EXPECT_ERROR(FilesWithFactors("w1\nw3\n", "w4\nw5\n", "D\n").index(), ErrorKind::kData,
               "line N of one must belong");
}

TEST(FactorsOfACorpus, AreCountedInCleanPairs) {
  const FilesWithFactors data("w1 w2\n\nw3\n", "w4\nw5\nw6\n", "V D\nX\nV\n");
  const TrainingText text({data.files()});
  const auto codec = build_label_codec(text.factor_lines(0, {}));
  EXPECT_EQ(codec->encode("V D X"), (Ids{4, 5, kUnknown})) << "the most frequent one first";
  const auto more = build_label_codec(text.factor_lines(0, {}), three_labels().get());
  EXPECT_EQ(more->encode("N V D"), (Ids{4, 5, 6})) << "former labels keep their ids";
}

TEST(FactorsOfACorpus, BelongToOneOfSeveralSources) {
  const auto codec = hundred_words(), labels = three_labels();
  const PairEncoder encoder{.codecs = {3, codec},
                            .factors = {{"a", 1, labels}, {"b", 0, labels}, {"c", 1, labels}}};
  const Example example = encoder.encode(
      {"w1", "w2 w3", "w4"}, {.factors = {{"D N", "a:1"}, {"V", "b:1"}, {"N N", "c:1"}}});
  EXPECT_THAT(example.factors, ElementsAre(ElementsAre(Ids{5}), ElementsAre(Ids{6, 4}, Ids{4, 4})));
}

TEST(FactorsOfACorpus, MayBeOfWholeLines) {
  holds({"model.embedding.source_factors.NAME.whole_line"});
  const auto codec = hundred_words(), labels = three_labels();
  const PairEncoder encoder{.codecs = {2, codec},
                            .factors = {{"tags", 0, labels, /*whole_line=*/true}}};
  EXPECT_THAT(encoder.encode({"w1 w2", "w4"}, {.factors = {{"V", "a:1"}}}).factors,
              ElementsAre(ElementsAre(Ids{5, 5})));
}

TEST(FactorsOfAnEvaluationSet, AreReadBesideItsSources) {
  holds({"data.valid.factors", "data.test.NAME.factors"});
  const FilesWithFactors data("w1 w2\nw3\n", "w4\nw5\n", "D N\nX\n");
  const EvaluationSet set = read_parallel("valid", data.files(), data.encoder());
  EXPECT_THAT(set.sources, ElementsAre(ElementsAre("w1 w2", "w3"), ElementsAre("D N", "X")));
  EXPECT_THAT(set.examples[0].factors, ElementsAre(ElementsAre(Ids{6, 4})));
  const FilesWithFactors wrong("w1 w2\nw3\n", "w4\nw5\n", "D N\nX X\n");
  EXPECT_ERROR(read_parallel("valid", wrong.files(), wrong.encoder()), ErrorKind::kData,
               "/p, line 2: 2 labels, but the source has 1 word;");
}

TEST(FactorFiles, StandInEveryCorpusUnderTheSameNames) {
  struct Reasons final : Problems {
    std::vector<std::string> texts;
    void add(const std::string& path, const std::string& message) override {
      texts.push_back(path + ": " + message);
    }
    bool is_set(const std::string&) const override { return true; }
  };
  const auto problems_of = [](const DataConfig& config) {
    Reasons reasons;
    config.validate(reasons);
    return reasons.texts;
  };
  DataConfig data;
  data.train.resize(2);
  data.valid.emplace_back();
  for (CorpusConfig& corpus : data.train) corpus.source = {{"source", "s"}};
  data.valid[0].source = {{"source", "s"}};
  data.train[0].factors = data.train[1].factors = data.valid[0].factors = {{"pos", "p"}};
  EXPECT_THAT(problems_of(data), ElementsAre());
  data.train[1].factors = {{"case", "c"}};
  data.valid[0].factors = {};
  EXPECT_THAT(problems_of(data),
              ElementsAre(HasSubstr("train[1].factors: has case, but train[0] has pos"),
                          HasSubstr("valid[0].factors: has nothing, but train[0] has pos")));
  data.train = {data.train[0]};
  data.valid.clear();
  for (const char* name : {"source", "target", "edges", "tag", "a b", ""}) {
    data.train[0].factors = {{name, "p"}};
    EXPECT_THAT(problems_of(data), ElementsAre(HasSubstr("is not allowed as the name of a factor")))
        << name;
  }
}

// A tokenizer whose sampled piece is all words.
class JoiningTokenizer final : public Tokenizer {
 public:
  std::vector<std::string> encode(std::string_view line) const override {
    return words_.encode(line);
  }
  std::vector<std::string> sample(std::string_view line, const SubwordRegularizationConfig&,
                                  RandomStream&) const override {
    return {std::string(line)};
  }
  std::string decode(const std::vector<std::string>& pieces) const override {
    return words_.decode(pieces);
  }

 private:
  WordTokenizer words_{"", false};
};

TEST(AnnotationsOfASampledCorpus, AreOfAllWordsOfADrawnPiece) {
  const FilesWithFactors data("w1 w2\nw3\n", "w4 w5\nw5\n", "D N\nV\n");
  write_plainly(data.folder / "a", "1-0\n0-0\n");
  const auto joining = std::make_shared<const Codec>(std::make_shared<JoiningTokenizer>(),
                                                     hundred_words()->shared_vocabulary());
  const SubwordRegularizationConfig how;
  for (const bool is_aligned : {false, true}) {
    CorpusFiles files = data.files();
    PairEncoder encoder{.codecs = {2, joining}, .factors = data.encoder().factors};
    if (is_aligned) {
      files.alignment = {{data.folder / "a"}};
      files.factors.clear();
      encoder.factors.clear();
    }
    ParallelCorpus corpus(std::make_shared<const TrainingText>(std::vector<CorpusFiles>{files}),
                          encoder, {});
    corpus.regularize(how, {0, 1});
    const Example example = corpus.sampled(0, 1);
    EXPECT_EQ(example.sources[0], Ids{kUnknown});
    if (is_aligned) {
      EXPECT_EQ(example.alignment, (PiecePairs{{0, 0}}));
    } else {
      EXPECT_THAT(example.factors, ElementsAre(ElementsAre(Ids{6}))) << "that of the first";
    }
    EXPECT_EQ(corpus.sampled(1, 1).sources[0], Ids{7});
  }
}

}  // namespace
}  // namespace heed
