// `heed vocab` and `heed tokenize`.
#include <gmock/gmock.h>

#include "base/utf8.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

// Two tokenizers: words of the source, pieces of the target.
class VocabularyOfTheProgram : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() {
    static const ToyWorkshop own;
    static const Outcome learned = own.run(kLearn);
    EXPECT_EQ(learned.exit_code, 0) << learned.err;
    return own;
  }
  static Outcome run(const Arguments& arguments, const std::string& input = "") {
    Outcome outcome = workshop().run(arguments, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome;
  }
  static void expect_refused(const Arguments& arguments, int code, const std::string& part,
                             const std::string& input = "") {
    const Outcome outcome = workshop().run(arguments, input);
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
  // toy.yaml with the section `text` of another file.
  static std::string config_with(const std::string& text) {
    std::string config = toy_config("runs/shared");
    const size_t begin = config.find("text:"), end = config.find("model:");
    return config.replace(begin, end - begin, text);
  }
  inline static const Arguments kLearn = {
      "vocab", "toy.yaml", "--set", "text.target={type: sentencepiece, size: 24}", "-o", "shared"};
};

TEST_F(VocabularyOfTheProgram, IsLearnedOnceForSeveralRuns) {
  holds({"heed vocab", "--set", "--output"});
  write_plainly(workshop() / "shared.yaml", config_with(workshop().read("shared/text.yaml")));
  // Learned from other text, they would be others.
  write_plainly(workshop() / "few.src", "a b\n");
  write_plainly(workshop() / "few.tgt", "a b\n");
  run({"train", "shared.yaml", "--set", "data.train=[{source: few.src, target: few.tgt}]", "--set",
       "train.max_updates=2", "--set", "train.validate.metric=loss"});
  const std::string line = "j a c";
  for (const char* side : {"source", "target"}) {
    const std::string of_run =
        run({"tokenize", "runs/shared", "--side", side, "--ids"}, line + "\n").out;
    EXPECT_EQ(of_run, run({"tokenize", "shared", "--side", side, "--ids"}, line + "\n").out);
    EXPECT_THAT(split_words(of_run), testing::Not(testing::Contains("1"))) << "unknown";
  }
}

TEST_F(VocabularyOfTheProgram, IsShownAsATable) {
  const std::string table =
      run({"vocab", "toy.yaml", "--set", "text.source.vocabulary.max_size=8", "-o", "small"}).out;
  const std::vector<std::string> lines = lines_of(table);
  ASSERT_EQ(lines.size(), 3u) << table;
  EXPECT_THAT(lines[0], HasSubstr("vocabulary"));
  EXPECT_THAT(lines[1], testing::AllOf(HasSubstr("source"), HasSubstr("words"), HasSubstr("1.00")));
  EXPECT_THAT(lines[2], testing::AllOf(HasSubstr("target"), HasSubstr("that of source")));
  // Eight of the ten letters, which are equally frequent.
  const size_t percent = lines[1].find('%');
  ASSERT_NE(percent, std::string::npos);
  EXPECT_NEAR(std::stod(lines[1].substr(percent - 5, 5)), 20, 3);
}

// Its folder names its files relative to itself, as after an import.
TEST_F(VocabularyOfTheProgram, ExtendsThatOfAModelWithFilesOfItsOwn) {
  run({"import", "hf", source_folder() + "/tests/exchange/fixtures/marian", "-o", "marian"});
  std::string config = toy_config("runs/marian");
  const size_t begin = config.find("text:");
  config.replace(begin, config.find("\ntrain:") + 1 - begin,
                 "init: {model: marian, extend_vocabulary: true}\n");
  write_plainly(workshop() / "marian.yaml", config);
  const std::string log = run({"vocab", "marian.yaml", "-o", "extended"}).err;
  for (const char* side : {"source", "target"})
    EXPECT_THAT(
        log, HasSubstr(fmt::format("text.{}: 58 tokens of the vocabulary of init.model, ", side)));
}

TEST_F(VocabularyOfTheProgram, IsNotWrittenOverAnother) {
  expect_refused(kLearn, 2, "shared: exists already");
  expect_refused({"vocab", "toy.yaml", "-o", "missing/new/"}, 5, "there is no folder missing");
  expect_refused({"vocab", "nowhere.yaml", "-o", "new"}, 2, "nowhere.yaml");
  expect_refused({"vocab", "toy.yaml", "--set", "text.source.type=letters", "-o", "new"}, 2,
                 "text.source.type");
  EXPECT_FALSE(std::filesystem::exists(workshop() / "new"));
}

TEST_F(VocabularyOfTheProgram, SplitsTextAndJoinsIt) {
  holds({"heed tokenize", "--input", "--output", "--side", "--ids", "--decode"});
  const std::string text = workshop().read("valid.tgt");
  for (const Arguments& kind : {Arguments{}, Arguments{"--ids"}}) {
    const Arguments target = joined({"tokenize", "shared", "--side", "target"}, kind);
    run(joined(target, {"-i", "valid.tgt", "-o", "tokens"}));
    const std::string tokens = workshop().read("tokens");
    EXPECT_NE(tokens, text);
    EXPECT_EQ(lines_of(tokens).size(), lines_of(text).size());
    EXPECT_EQ(run(joined(target, {"--decode", "-i", "tokens"})).out, text);
  }
  EXPECT_EQ(run({"tokenize", "shared", "--side", "source"}, "a zebra\n\n").out, "a zebra\n\n");
  EXPECT_EQ(run({"tokenize", "shared", "--side", "target"}, "a b\n").out, "\u2581a \u2581b\n");
}

// Aligners and taggers read these words: subwords are joined.
TEST_F(VocabularyOfTheProgram, WritesTheWordsThatAlignmentsCount) {
  holds({"heed tokenize", "--words"});
  const Arguments words = {"tokenize", "shared", "--words", "--side"};
  EXPECT_EQ(run(joined(words, {"target"}), "  a\u00A0b\tzebra  \n\n").out, "a\u00A0b zebra\n\n");
  EXPECT_EQ(run(joined(words, {"target"}), "猫が 好き \n火看火\n").out, "猫が 好き\n火 看 火\n");
  EXPECT_EQ(run(joined(words, {"source"}), "火看火 b\n").out, "火看火 b\n") << "text: words";
  expect_refused(joined(words, {"target", "--ids"}), 2, "--ids", "a\n");
  expect_refused(joined(words, {"target", "--decode"}), 2, "--decode", "a\n");
}

TEST_F(VocabularyOfTheProgram, NamesSpecialTokensThatTextLacks) {
  const Arguments target = {"tokenize", "shared", "--side", "target", "--decode"};
  const std::string told = "special tokens, left out of the text: line 1 (<s> </s>)";
  const Outcome of_tokens = run(target, "<s> \u2581a </s>\n\u2581b\n");
  EXPECT_EQ(of_tokens.out, "a\nb\n");
  EXPECT_THAT(of_tokens.err, testing::HasSubstr(told + "\n"));
  const Outcome of_ids = run(joined(target, {"--ids"}), "2 1 3\n1\n0\n");
  EXPECT_EQ(of_ids.out, "<unk>\n<unk>\n\n");
  EXPECT_THAT(of_ids.err, testing::HasSubstr(told + ", line 3 (<pad>)\n"));
  // Words are written as they stand.
  const Outcome of_words = run({"tokenize", "shared", "--side", "source", "--decode"}, "<s> a\n");
  EXPECT_EQ(of_words.out, "<s> a\n");
  EXPECT_EQ(of_words.err, "");
}

TEST_F(VocabularyOfTheProgram, ReadsAModelFileOfSentencePiece) {
  std::filesystem::path model;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(workshop() / "shared")) {
    if (entry.path().extension() == ".model") model = entry.path();
  }
  ASSERT_FALSE(model.empty());
  EXPECT_EQ(run({"tokenize", model.string()}, "a b\n").out, "\u2581a \u2581b\n");
  const std::string bytes = read_plainly(model);
  for (const char* name : {"source.spm", "plain"}) {
    write_plainly(workshop() / name, bytes);
    EXPECT_EQ(run({"tokenize", name}, "a b\n").out, "\u2581a \u2581b\n") << name;
  }
  write_plainly(workshop() / "cut.spm", bytes.substr(0, bytes.size() / 2));
  expect_refused({"tokenize", "cut.spm"}, 4, "cut.spm: not a complete SentencePiece model", "a\n");
  write_plainly(workshop() / "text.model", "a text\n");
  expect_refused({"tokenize", "text.model"}, 4, "text.model is a file, not a model", "a\n");
}

TEST_F(VocabularyOfTheProgram, TokenizeRefusesWhatDoesNotFit) {
  expect_refused({"tokenize", "shared"}, 2, "name one by --side", "a\n");
  expect_refused({"tokenize", "shared", "--side", "taget"}, 2, "did you mean", "a\n");
  expect_refused({"tokenize", "nowhere"}, 4, "nowhere", "a\n");
  const Arguments ids = {"tokenize", "shared", "--side", "target", "--ids", "--decode"};
  expect_refused(ids, 3, "found '9999', expected an id from 0 to", "5 9999\n");
  expect_refused(ids, 3, "found 'a', expected an id from 0 to", "a\n");
  expect_refused(joined(ids, {"-i", "valid.tgt", "-o", "valid.tgt"}), 2, "valid.tgt");
}

}  // namespace
}  // namespace heed
