// `heed align`; tests/align has the aligner itself.
#include <gmock/gmock.h>

#include <sstream>

#include "base/random.h"
#include "cli/program.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

// Word s of the source is translated by the word t of the same number, and the order of the words is
// reversed in lines of two words.
class Align : public testing::Test {
 protected:
  Align() {
    RandomStream draws(stream_key(1, "align"));
    std::string source, target, rows;
    for (int line = 0; line < 400; ++line) {
      std::string left, right, links;
      const auto words = static_cast<int>(2 + draws.below(5));
      for (int i = 0; i < words; ++i) {
        const std::string word = std::to_string(draws.below(30));
        const int place = words == 2 ? 1 - i : i;
        left += (i > 0 ? " S" : "S") + word;
        right = words == 2 && i > 0 ? "t" + word + " " + right
                                    : right + (i > 0 ? " " : "") + "t" + word;
        links += fmt::format("{}{}-{}", i > 0 ? " " : "", i, place);
      }
      if (line == 7) left = right = links = "";
      if (line == 8) right = links = "";
      source += left + "\n";
      target += right + "\n";
      rows += left + "\t" + right + "\n";
      gold_.push_back(links);
    }
    write_plainly(folder_ / "a.src", source);
    write_plainly(folder_ / "a.tgt", target);
    write_plainly(folder_ / "a.tsv", rows);
  }
  Outcome align(const Arguments& arguments, const std::string& input = "") const {
    return run_heed(joined({"align"}, arguments), {.input = input, .folder = folder_.path()});
  }
  Outcome align_two(const Arguments& more = {}) const {
    return align(joined({"--source", "a.src", "--target", "a.tgt"}, more));
  }
  std::string file(const std::string& name) const { return read_plainly(folder_ / name); }

  TemporaryFolder folder_;
  std::vector<std::string> gold_;
};

TEST_F(Align, FindsTheLinksAndKeepsTheLines) {
  holds({"heed align", "--source", "--target", "--output"});
  const Outcome outcome = align_two({"-o", "links"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const auto links = lines_of(file("links"));
  ASSERT_EQ(links.size(), gold_.size());
  int equal = 0;
  for (size_t i = 0; i < links.size(); ++i) equal += links[i] == gold_[i] ? 1 : 0;
  EXPECT_GE(equal, 380);
  EXPECT_EQ(links[7], "");
  EXPECT_EQ(links[8], "");
  EXPECT_EQ(align_two().out, file("links"));
}

TEST_F(Align, GivesTheSameForATableAndForAnyNumberOfThreads) {
  holds({"--workers"});
  const std::string links = align_two({"--workers", "1"}).out;
  EXPECT_EQ(align_two({"--workers", "3"}).out, links);
  EXPECT_EQ(align({"a.tsv", "--source", "1", "--target", "2"}).out, links);
}

TEST_F(Align, PrintsTheErrorRateOfAGoldAlignment) {
  holds({"--gold"});
  std::string gold;
  for (size_t i = 0; i < 20; ++i) gold += gold_[i] + "\n";
  write_plainly(folder_ / "gold", gold);
  const Outcome outcome = align_two({"--gold", "gold", "-o", "links"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("AER|"));
  std::string first;
  const auto links = lines_of(file("links"));
  for (size_t i = 0; i < 20; ++i) first += links[i] + "\n";
  write_plainly(folder_ / "first", first);
  const Outcome evaluated =
      run_heed({"evaluate", "-i", "first", "-r", "gold", "-m", "aer"}, {.folder = folder_.path()});
  const auto score = [](const std::string& text) {
    const auto at = text.find(" = ");
    return at == std::string::npos ? "none" : text.substr(at, 5);
  };
  EXPECT_EQ(score(outcome.out), score(evaluated.out))
      << outcome.out << evaluated.out << evaluated.err;
  std::string longer;
  for (int i = 0; i < 401; ++i) longer += "\n";
  write_plainly(folder_ / "long", longer);
  const Outcome too_long = align_two({"--gold", "long", "-o", "other"});
  EXPECT_EQ(too_long.exit_code, 3);
  EXPECT_THAT(too_long.err, HasSubstr("long: has 401 lines, but the text has 400"));
  EXPECT_THAT(too_long.err, Not(HasSubstr("pairs of words")));  // before the training
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other"));
  write_plainly(folder_ / "odd", "0-0\n0=0\n");
  EXPECT_FAILS(align_two({"--gold", "odd"}), 3, "odd:2:");
  for (const char* none : {"\n", "\n \n\n"}) {
    write_plainly(folder_ / "none", none);
    EXPECT_FAILS(align_two({"--gold", "none", "-o", "other"}), 3, "none: has no link in ");
  }
}

TEST_F(Align, RefusesGoldLinksOutsideOfTheirSentence) {
  holds({"--gold"});
  write_plainly(folder_ / "two.src", "a b\nc d e\n");
  write_plainly(folder_ / "two.tgt", "A B\nC D\n");
  const auto gold = [this](const std::string& links, const Arguments& more = {}) {
    write_plainly(folder_ / "gold", links);
    return align(joined({"--source", "two.src", "--target", "two.tgt", "--gold", "gold"}, more));
  };
  EXPECT_EQ(gold("1-1\n2-1 0p0\n").exit_code, 0);
  const char* place = "gold:2: the link ";
  for (const char* link : {"3-0", "0-2", "3?1", "0p2"}) {
    const Outcome outcome = gold("1-1\n0-0 " + std::string(link) + "\n");
    EXPECT_EQ(outcome.exit_code, 3) << link;
    EXPECT_THAT(outcome.err, HasSubstr(place + std::string(link) + " is outside"));
    EXPECT_THAT(outcome.err, HasSubstr("3 source words and 2 target words"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("pairs of words")));
  }
  ASSERT_EQ(align({"--source", "two.src", "--target", "two.tgt", "--save-model", "two", "-o", "l"})
                .exit_code,
            0);
  EXPECT_EQ(gold("0-5\n", {"--load-model", "two"}).exit_code, 3);
}

TEST_F(Align, AlignsOtherTextByASavedModel) {
  holds({"--save-model", "--load-model", "--diagonal"});
  for (const Arguments& model : {Arguments{}, Arguments{"--diagonal"}}) {
    const std::string links = align_two(joined(model, {"--save-model", "model.zst"})).out;
    EXPECT_EQ(align_two({"--load-model", "model.zst"}).out, links);
    write_plainly(folder_ / "b.src", "S3 S5\n");
    write_plainly(folder_ / "b.tgt", "t5 t3\n");
    EXPECT_EQ(align({"--source", "b.src", "--target", "b.tgt", "--load-model", "model.zst"}).out,
              "0-1 1-0\n");
  }
  EXPECT_NE(align_two({"--load-model", "model.zst", "--cased"}).exit_code, 0);
  EXPECT_FAILS(align_two({"--load-model", "a.src"}), 4, "a.src:1: begins with");
  ASSERT_EQ(align_two({"--save-model", "plain", "-o", "links"}).exit_code, 0);
  const std::string model = file("plain");
  write_plainly(folder_ / "cut", model.substr(0, model.rfind('\n', model.size() - 2) + 1));
  EXPECT_FAILS(align_two({"--load-model", "cut"}), 4, "ends, expected a pair of words");
  write_plainly(folder_ / "cut", model.substr(0, model.size() - 2));
  EXPECT_FAILS(align_two({"--load-model", "cut"}), 4, "cut:");
}

TEST_F(Align, WritesBothDirectionsScoresAndALexicon) {
  holds({"--forward", "--reverse", "--scores", "--lexicon", "--symmetrize", "--cased"});
  const Outcome outcome =
      align_two({"-o", "links", "--forward", "f", "--reverse", "r", "--scores", "scores",
                 "--lexicon", "lexicon", "--symmetrize", "intersection"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto forward = lines_of(file("f")), reverse = lines_of(file("r")),
             links = lines_of(file("links")), scores = lines_of(file("scores"));
  ASSERT_EQ(scores.size(), gold_.size());
  EXPECT_EQ(scores[7], "");
  EXPECT_EQ(scores[8], "");
  EXPECT_EQ(scores[0].find('-'), 0U);
  EXPECT_THAT(scores[0], HasSubstr("\t-"));
  // Each link of the intersection is one of both directions, and the others are not in it.
  for (size_t i = 0; i < links.size(); ++i) {
    std::istringstream words(forward[i]);
    for (std::string link; words >> link;)
      EXPECT_EQ((" " + links[i] + " ").find(" " + link + " ") != std::string::npos,
                (" " + reverse[i] + " ").find(" " + link + " ") != std::string::npos);
  }
  EXPECT_THAT("\n" + file("lexicon"), HasSubstr("\nt3 s3 "));
  ASSERT_EQ(align_two({"-o", "links", "--cased", "--lexicon", "lexicon"}).exit_code, 0);
  EXPECT_THAT("\n" + file("lexicon"), HasSubstr("\nt3 S3 "));
}

TEST_F(Align, RefusesWhatDoesNotFit) {
  write_plainly(folder_ / "short", "t1\n");
  EXPECT_FAILS(align({"--source", "a.src", "--target", "short"}), 3, "line N of one must belong");
  write_plainly(folder_ / "empty", "\n");
  EXPECT_FAILS(align({"--source", "empty", "--target", "short"}), 3,
               "has no pair of lines with words");
  EXPECT_FAILS(align_two({"-o", "a.tgt"}), 2, "a.tgt");
  std::string many;
  for (int i = 0; i <= 1000; ++i) many += "S1 ";
  write_plainly(folder_ / "long.src", many + "\nS1\n");
  write_plainly(folder_ / "long.tgt", "t1\nt1\n");
  const Outcome outcome = align({"--source", "long.src", "--target", "long.tgt"});
  EXPECT_EQ(outcome.out, "\n0-0\n");
  EXPECT_THAT(outcome.err, HasSubstr("longer than 1000 words, not aligned"));
}

TEST_F(Align, LinksTheWordsOfPieces) {
  holds({"--tokenizer"});
  write_plainly(
      folder_ / "pieces.yaml",
      "run: runs/pieces\n"
      "data: {train: [{source: a.src, target: a.tgt}], valid: {source: a.src, target: a.tgt}}\n"
      "text: {source: {type: sentencepiece, size: 30}, target: {share: source}}\n"
      "model: {preset: bahdanau}\n"
      "train: {max_updates: 1}\n");
  const Outcome learned =
      run_heed({"vocab", "pieces.yaml", "-o", "pieces"}, {.folder = folder_.path()});
  ASSERT_EQ(learned.exit_code, 0) << learned.err;
  const Outcome outcome = align_two({"--tokenizer", "pieces", "--save-model", "model"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto links = lines_of(outcome.out);
  int equal = 0;
  for (size_t i = 0; i < links.size(); ++i) equal += links[i] == gold_[i] ? 1 : 0;
  EXPECT_GE(equal, 300);
  EXPECT_FAILS(align_two({"--load-model", "model"}), 2, "name it by --tokenizer");
  EXPECT_EQ(align_two({"--load-model", "model", "--tokenizer", "pieces"}).out, outcome.out);
  // Links are of words, also here.
  const auto gold = [this](const std::string& text) {
    write_plainly(folder_ / "gold", text);
    return align_two({"--tokenizer", "pieces", "--gold", "gold", "-o", "links"});
  };
  EXPECT_EQ(gold(gold_[0] + "\n" + gold_[1] + "\n").exit_code, 0);
  const auto words = std::ranges::count(lines_of(file("a.src"))[0], ' ') + 1;
  EXPECT_FAILS(gold(fmt::format("0-{}\n", words)), 3, "is outside of the sentence pair");
  std::filesystem::copy_file(folder_ / "pieces/source.model", folder_ / "t.spm");
  for (const auto& [tokenizer, output] : {std::pair("t.spm", "t.spm"),
                                          {"pieces", "pieces/text.yaml"},
                                          {"pieces", "pieces/source.model"},
                                          {"pieces", "pieces/source.vocabulary"}}) {
    const std::string before = file(output);
    EXPECT_FAILS(align_two({"--tokenizer", tokenizer, "-o", output}), 2, "is the same file as");
    EXPECT_FAILS(align_two({"--tokenizer", tokenizer, "-o", "new", "--lexicon", output}), 2,
                 "is the same file as --tokenizer");
    EXPECT_EQ(file(output), before);
  }
  for (int time = 0; time < 2; ++time)
    EXPECT_EQ(align_two({"--tokenizer", "pieces", "-o", "pieces/links"}).exit_code, 0);
}

// Counts of pairs of words are held for some lines, by their length.
TEST_F(Align, TakesLittleMemoryForLongLines) {
  RandomStream draws(stream_key(1, "long lines"));
  std::string text;
  for (int line = 0; line < 200; ++line) {
    for (int i = 0; i < 400; ++i) text += std::to_string(draws.below(20)) + " ";
    text += "\n";
  }
  write_plainly(folder_ / "long", text);
  const Outcome outcome = align(
      {"--source", "long", "--target", "long", "--diagonal", "-o", "links", "--workers", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(outcome.peak_memory, 300'000);
#endif
}

TEST(AlignLexicons, AreForShortlistsOfAModelWithItsTokenizer) {
  SKIP_WITHOUT_TENSORS();
  holds({"--lexicon", "--tokenizer"});
  const ToyWorkshop& workshop = ToyWorkshop::trained();
  const Outcome aligned =
      workshop.run({"align", "--tokenizer", "runs/toy", "--source", "train.src", "--target",
                    "train.tgt", "-o", "links", "--lexicon", "aligned.lexicon"});
  ASSERT_EQ(aligned.exit_code, 0) << aligned.err;
  EXPECT_EQ(workshop.translation({"--shortlist", "aligned.lexicon"}), workshop.translation({}));
}

}  // namespace
}  // namespace heed
