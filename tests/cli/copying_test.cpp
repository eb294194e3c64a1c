// Copying of words outside the vocabulary, from training to translation: kinds of `model.output`
// that copy.
#include <gmock/gmock.h>

#include "cli/kinds_of_run.h"
#include "cli/nbest_line.h"
#include "cli/trained_model.h"

namespace heed {
namespace {

using testing::HasSubstr;

// Four of the letters a to j have an id; the others can only be copied.
std::string config_with(const std::string& output) {
  return "run: runs/copying\n"
         "data:\n"
         "  train: [{source: train.src, target: train.tgt}]\n"
         "  valid: {source: valid.src, target: valid.tgt}\n"
         "text:\n"
         "  source: {type: words, vocabulary: {max_size: 4}}\n"
         "  target: {share: source}\n"
         "model:\n"
         "  embedding: {width: 24}\n"
         "  encoder: {type: rnn, cell: gru, width: 32}\n"
         "  decoder: {type: rnn, cell: gru, width: 32, attention: {score: {type: additive, hidden: "
         "32}}}\n"
         "  output: " +
         output +
         "\n"
         "train:\n"
         "  batch: {sentences: 32}\n"
         "  optimizer: {type: adam, rate: 0.01}\n"
         "  max_updates: 150\n"
         "  validate: {every: 50, metric: loss}\n";
}

class CopyingOfTheProgram : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  Outcome train(const std::string& config, Arguments more = {}) const {
    write_plainly(workshop_ / "copying.yaml", config);
    return workshop_.run(joined({"train", "copying.yaml"}, more));
  }
  ToyWorkshop workshop_;
};

class OutputsThatCopy : public CopyingOfTheProgram,
                        public testing::WithParamInterface<const char*> {};

TEST_P(OutputsThatCopy, WritesWordsThatAreInNoVocabulary) {
  const Outcome trained = train(config_with(GetParam()));
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Outcome translated =
      workshop_.run({"translate", "runs/copying"}, "a b c\nzebra a\nquux quux\n\n");
  ASSERT_EQ(translated.exit_code, 0) << translated.err;
  const auto lines = lines_of(translated.out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[1], HasSubstr("zebra"));
  EXPECT_THAT(lines[2], HasSubstr("quux"));
  EXPECT_EQ(lines[3], "");
  write_plainly(workshop_ / "phrases", "unheard\n");
  const Outcome constrained = workshop_.run(
      {"translate", "runs/copying", "--constraints", "phrases", "--allow-unknown", "false"},
      "zebra a\n");
  EXPECT_EQ(constrained.exit_code, 0) << constrained.err;
  EXPECT_EQ(lines_of(constrained.out).size(), 1u);
  const Outcome drawn =
      workshop_.run({"plot", "attention", "runs/copying", "-i", "valid.src", "--html", "m.html"});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  holds("plot", kinds_of_run(workshop_, "runs/copying"));
  holds_not("plot", {{"output: pointer_sum", "the weights that `pointer` has"}});
  EXPECT_THAT(workshop_.read("m.html"), HasSubstr("decoder layer 1, attention over the source"));
}

// The text of a hypothesis is segmented into the pieces that it was made of, so `score` has to give
// it the same probability.
TEST_P(OutputsThatCopy, ScoresWhatItTranslates) {
  ASSERT_EQ(train(config_with(GetParam())).exit_code, 0);
  const Outcome found = workshop_.run(
      {"translate", "runs/copying", "-i", "valid.src", "--nbest", "2", "--length-penalty", "0"});
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const auto sources = lines_of(workshop_.read("valid.src"));
  std::string source, target;
  std::vector<double> expected;
  for (const std::string& line : lines_of(found.out)) {
    const NbestLine one = parse_nbest(line);
    source += sources.at(one.number) + "\n";
    target += one.text + "\n";
    expected.push_back(one.score);
  }
  write_plainly(workshop_ / "two.src", source);
  write_plainly(workshop_ / "two.tgt", target);
  const Outcome scored = workshop_.run({"score", "runs/copying", "-s", "two.src", "-t", "two.tgt"});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  const auto scores = lines_of(scored.out);
  ASSERT_EQ(scores.size(), expected.size());
  for (size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(std::stod(scores[i]), expected[i], 1e-3) << "line " << i + 1;
}

// A target that the pointer cannot copy does not make the updates of other pairs be skipped.
TEST_F(CopyingOfTheProgram, LeavesOutWhatAPointerCannotWrite) {
  write_plainly(workshop_ / "train.src", workshop_.read("train.src") + "a b\n");
  write_plainly(workshop_ / "train.tgt", workshop_.read("train.tgt") + "c\n");
  write_plainly(workshop_ / "valid.src", workshop_.read("valid.src") + "a b\n");
  write_plainly(workshop_ / "valid.tgt", workshop_.read("valid.tgt") + "c\n");
  const Outcome trained = train(
      config_with("pointer"),
      {"--set", "train.max_updates=40", "--set", "train.validate={every: 40, metric: exact}"});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("1,001 pairs, 1,000 kept; left out: 1 with a target that "
                                     "the model cannot write"));
  EXPECT_THAT(trained.err, HasSubstr("valid, valid.src + valid.tgt: 1 of 51 targets cannot be "
                                     "copied from their source"));
  EXPECT_THAT(trained.err, testing::Not(HasSubstr("loss inf")));
  EXPECT_THAT(trained.err, testing::Not(HasSubstr("is skipped")));
  const Outcome scored =
      workshop_.run({"score", "runs/copying", "-s", "valid.src", "-t", "valid.tgt"});
  EXPECT_EQ(scored.exit_code, 0) << scored.err;
  EXPECT_EQ(lines_of(scored.out).back(), "-inf");
  EXPECT_THAT(scored.err, HasSubstr("1 of 51 lines have probability 0 (-inf)"));
  EXPECT_THAT(scored.err, testing::Not(HasSubstr("perplexity inf")));
}

INSTANTIATE_TEST_SUITE_P(All, OutputsThatCopy,
                         testing::Values("pointer_generator", "copynet", "pointer"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace heed
