// `heed shortlist` and `heed translate --shortlist`.
#include <gmock/gmock.h>

#include <set>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

class ShortlistsOfTheProgram : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static const ToyWorkshop& workshop() {
    static const ToyWorkshop& trained = ToyWorkshop::trained();
    static const Outcome made = trained.run({"shortlist", "runs/toy", "--source", "train.src",
                                             "--target", "train.tgt", "-o", "lexicon"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return trained;
  }
  static std::string translation(const Arguments& options,
                                 const std::map<std::string, std::string>& environment = {}) {
    return workshop().translation(options, environment);
  }
  static Outcome learn(const Arguments& options) {
    return workshop().run(joined({"shortlist", "runs/toy"}, options));
  }
};

TEST_F(ShortlistsOfTheProgram, KnowThatEachLetterIsItself) {
  holds({"heed shortlist", "--source", "--target", "--output"});
  workshop();
  for (const std::string letter : {"a", "e", "j"})
    EXPECT_THAT("\n" + workshop().read("lexicon"), HasSubstr("\n" + letter + " " + letter + " "));
}

TEST_F(ShortlistsOfTheProgram, ChangeNoTextOfASureModel) {
  holds({"--shortlist"});
  const std::string all = translation({});
  const Arguments options = {"--shortlist", "lexicon"};
  EXPECT_EQ(translation(options), all);
  EXPECT_EQ(translation(options, {{"HEED_PLAIN", "1"}}), all);
  EXPECT_EQ(translation(joined(options, {"--batch", "3", "--workers", "2"})), all);
}

TEST_F(ShortlistsOfTheProgram, GoWithAnEnsemble) {
  holds({"--shortlist"});
  const auto ensemble = [](const Arguments& options) {
    const Outcome outcome = workshop().run(joined({"translate", "runs/toy", "runs/toy"}, options));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(ensemble({"-i", "valid.src", "--shortlist", "lexicon"}), translation({}));
  write_plainly(workshop() / "narrow", "b a 1\n");
  write_plainly(workshop() / "line", "a\n");
  const std::string few =
      ensemble({"-i", "line", "--shortlist", "narrow", "--shortlist-best", "1",
                "--shortlist-frequent", "0", "--min-length", "3", "--allow-unknown", "false"});
  EXPECT_EQ(few.find_first_not_of("ab \n"), std::string::npos) << few;
}

// Shortlists do not restrict copying: copied words are not in the vocabulary.
TEST_F(ShortlistsOfTheProgram, LetAModelCopy) {
  holds({"--shortlist"});
  const ToyWorkshop copying;
  const Outcome trained = copying.run(
      {"train", "toy.yaml", "--set",
       "text={source: {type: words, vocabulary: {max_size: 4}}, target: {share: source}}", "--set",
       "model.output=pointer_generator", "--set", "train.max_updates=150"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Outcome learned = copying.run(
      {"shortlist", "runs/toy", "--source", "train.src", "--target", "train.tgt", "-o", "lexicon"});
  ASSERT_EQ(learned.exit_code, 0) << learned.err;
  const Outcome translated =
      copying.run({"translate", "runs/toy", "--shortlist", "lexicon"}, "zebra a\nquux quux\n");
  ASSERT_EQ(translated.exit_code, 0) << translated.err;
  EXPECT_THAT(translated.out, HasSubstr("zebra"));
  EXPECT_THAT(translated.out, HasSubstr("quux"));
}

TEST_F(ShortlistsOfTheProgram, LeaveTheOtherTokensOut) {
  holds({"--shortlist", "--shortlist-best", "--shortlist-frequent"});
  write_plainly(workshop() / "wrong", "b a 0.9\nc a 0.8\nd a 0.7\n");
  write_plainly(workshop() / "line", "a\n");
  const auto candidates = [&](const Arguments& options) {
    const Outcome outcome =
        workshop().run(joined({"translate", "runs/toy", "-i", "line", "--sample", "--temperature",
                               "20", "--nbest", "200", "--shortlist", "wrong"},
                              options));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::set<char> letters;
    for (const char c : outcome.out)
      if (c >= 'a' && c <= 'j') letters.insert(c);
    return std::string(letters.begin(), letters.end());
  };
  EXPECT_EQ(candidates({}), "abcd");
  EXPECT_EQ(candidates({"--shortlist-best", "1", "--shortlist-frequent", "0"}), "ab");
  EXPECT_EQ(candidates({"--shortlist-best", "1", "--shortlist-frequent", "2"}), "abc");
}

TEST_F(ShortlistsOfTheProgram, AreForSummariesToo) {
  holds({"--shortlist", "--shortlist-best", "--shortlist-frequent"});
  write_plainly(workshop() / "narrow", "b a 1\n");
  write_plainly(workshop() / "line", "a\n");
  const Outcome outcome = workshop().run({"summarize", "runs/toy", "-i", "line", "--shortlist",
                                          "narrow", "--shortlist-best", "1", "--shortlist-frequent",
                                          "0", "--min-length", "2", "--allow-unknown", "false"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find_first_not_of("ab \n"), std::string::npos) << outcome.out;
}

TEST_F(ShortlistsOfTheProgram, LetAPrefixAndConstraintsIn) {
  write_plainly(workshop() / "narrow", "a a 1\n");
  write_plainly(workshop() / "line", "a\n");
  write_plainly(workshop() / "wanted", "i j\n");
  for (const char* option : {"--prefix", "--constraints"}) {
    const Outcome outcome =
        workshop().run({"translate", "runs/toy", "-i", "line", "--shortlist", "narrow",
                        "--shortlist-frequent", "0", option, "wanted"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("i j")) << option;
  }
}

TEST_F(ShortlistsOfTheProgram, RefuseWhatDoesNotFit) {
  holds({"--sample"});
  write_plainly(workshop() / "short.tgt", "a\n");
  const Outcome unequal = learn({"--source", "train.src", "--target", "short.tgt", "-o", "x"});
  EXPECT_FAILS(unequal, 3, "train.src: has more lines than short.tgt");
  EXPECT_EQ(learn({"--source", "train.src", "--target", "short.tgt", "-o", "x", "--sample", "1"})
                .exit_code,
            0);
  EXPECT_FAILS(learn({"--source", "-", "--target", "-", "-o", "x"}), 2,
               "only one of them can be standard input");
  write_plainly(workshop() / "empty", "\n\xFF\n");
  EXPECT_FAILS(learn({"--source", "empty", "--target", "empty", "-o", "x"}), 3,
               "has no pair of lines with text");
  write_plainly(workshop() / "other", "x y\n");
  EXPECT_FAILS(workshop().run({"translate", "runs/toy", "-i", "valid.src", "--shortlist", "other"}),
               3, "other:1: found 'x y'");
}

}  // namespace
}  // namespace heed
