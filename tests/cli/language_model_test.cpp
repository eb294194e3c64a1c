// Language model, from training to perplexity: no `source` and `encoder: none`.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "cli/kinds_of_run.h"
#include "cli/opened_libraries.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kLanguageModelConfig = R"(
run: runs/alone
data:
  train: [{target: train.tgt}]
  valid: {target: valid.tgt}
  test: {again: {target: valid.tgt}}
text:
  target: {type: words}
model:
  embedding: {width: 16}
  encoder: none
  decoder: {type: rnn, width: 24, attention: none, past: {attention: {score: dot}}}
train:
  batch: {sentences: 32}
  optimizer: {type: adam, rate: 0.01}
  max_updates: 40
  validate: {every: 20, metric: loss}
)";

class LanguageModel : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    write_plainly(workshop_ / "alone.yaml", kLanguageModelConfig);
  }
  Outcome train(Arguments more = {}) const {
    return workshop_.run(joined({"train", "alone.yaml"}, more));
  }
  ToyWorkshop workshop_;
};

TEST_F(LanguageModel, GivesProbabilitiesToTexts) {
  holds({"--target"});
  const Outcome trained = train();
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("train.tgt: 1,000 pairs, 1,000 kept"));

  // The perplexity of the test set follows from the scores of its lines, each with </s>.
  const Outcome scored = workshop_.run({"score", "runs/alone", "-t", "valid.tgt"});
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  const auto scores = lines_of(scored.out), texts = lines_of(workshop_.read("valid.tgt"));
  ASSERT_EQ(scores.size(), texts.size());
  double sum = 0, tokens = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    sum += std::stod(scores[i]);
    tokens += static_cast<double>(std::count(texts[i].begin(), texts[i].end(), ' ')) + 2;
  }
  const std::string perplexity = fmt::format("perplexity {:.2f}", std::exp(-sum / tokens));
  EXPECT_THAT(trained.err, HasSubstr("test again, checkpoint of update 40: " + perplexity));
  EXPECT_THAT(scored.err, HasSubstr(perplexity));
  EXPECT_THAT(workshop_.read("runs/alone/metrics.jsonl"), HasSubstr("\"perplexity\":"));

  // The plot shows attention over the model's own past.
  write_plainly(workshop_ / "one.txt", "a b c d\n");
  const Outcome drawn = workshop_.run({"plot", "attention", "runs/alone", "--target", "one.txt"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  holds("plot", kinds_of_run(workshop_, "runs/alone"));
  EXPECT_THAT(drawn.out, HasSubstr("d"));
  const Outcome piped =
      workshop_.run({"plot", "attention", "runs/alone", "--target", "-"}, "a b c d\n");
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(piped.out, drawn.out);
}

TEST_F(LanguageModel, ContinuesTexts) {
  holds({"heed generate", "--input", "--output", "--count", "--sample", "--seed", "--batch",
         "--workers", "--max-length"});
  ASSERT_EQ(train({"--set", "train.max_updates=60"}).exit_code, 0);
  const auto generated = [this](const Arguments& options, const std::string& input = "") {
    const Outcome outcome = workshop_.run(joined({"generate", "runs/alone"}, options), input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(lines_of(generated({})).size(), 1u);
  EXPECT_THAT(opened_libraries({"generate", "runs/alone", "--device", "cpu"}, "", workshop_.path()),
              Not(HasSubstr("libtorch")));
  const std::string samples = generated({"--count", "20", "--sample"});
  const auto lines = lines_of(samples);
  ASSERT_EQ(lines.size(), 20u);
  EXPECT_GT(std::set(lines.begin(), lines.end()).size(), 5u);
  EXPECT_EQ(samples, generated({"--count", "20", "--sample", "--batch", "3", "--workers", "2"}));
  EXPECT_NE(samples, generated({"--count", "20", "--sample", "--seed", "2"}));
  const std::vector<std::string> beginnings = {"a b", "", "j"};
  for (const Arguments& options : {Arguments{"--sample"}, Arguments{"--beam", "3"}}) {
    const auto texts = lines_of(generated(joined({"-i", "-"}, options), "a b\n\nj\n"));
    ASSERT_EQ(texts.size(), 3u);
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(texts[i].starts_with(beginnings[i])) << texts[i];
  }
  const Outcome unknown = workshop_.run({"generate", "runs/alone", "-i", "-"}, "a\nzz b\n");
  EXPECT_THAT(unknown.err, HasSubstr("words outside the vocabulary, as <unk>: line 2 (zz b)\n"));
  const Outcome cut = workshop_.run(
      {"generate", "runs/alone", "-i", "-", "--min-length", "4", "--max-length", "4"}, "a\n");
  EXPECT_THAT(cut.err,
              HasSubstr("cut or shortened by the maximum length; a larger max_length_ratio or "
                        "max_length_extra allows more: line 1 (4 tokens)\n"));
  EXPECT_FAILS(workshop_.run({"generate", "runs/alone", "--max-source-length", "4"}), 2,
               "--max-source-length");
  generated({"--count", "30", "--sample", "--min-length", "3", "--max-length", "3", "-o", "three"});
  for (const std::string& line : lines_of(workshop_.read("three"))) EXPECT_EQ(line.size(), 5u);
}

TEST_F(LanguageModel, SearchesAsItIsAsked) {
  holds({"heed generate"});
  // Two of the ten words are unknown, and all probabilities are small.
  ASSERT_EQ(train({"--set", "train.max_updates=4", "--set", "text.target.vocabulary.max_size=8"})
                .exit_code,
            0);
  std::string beginnings;
  for (const std::string& line : lines_of(workshop_.read("valid.tgt")))
    beginnings += line.substr(0, 1) + "\n";
  write_plainly(workshop_ / "letters", beginnings);
  const auto generated = [this](const Arguments& options) {
    const Outcome outcome = workshop_.run(
        joined({"generate", "runs/alone", "-i", "letters", "--max-length", "12"}, options));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  const Arguments far = {"--length-penalty", "8"}, five = {"--min-length", "5"},
                  groups = {"--nbest", "5", "--min-length", "5", "--diversity-groups", "5"};
  for (const auto& [some, other] :
       {std::pair<Arguments, Arguments>{five, joined(five, {"--beam", "1"})},
        {five, {"--min-length", "9"}},
        {{"--length-penalty", "0"}, far},
        {{"--nbest", "5"}, {"--nbest", "5", "--length-normalization", "plain"}},
        {far, joined(far, {"--patience", "0.2"})},
        {five, joined(five, {"--allow-unknown", "false"})},
        {five, joined(five, {"--no-repeat-ngram", "1"})},
        {five, joined(five, {"--repetition-penalty", "20"})},
        {{}, {"--min-new-tokens", "7"}},
        {five, joined(five, {"--suppress-tokens", "g", "--suppress-tokens", "i"})},
        {five, joined(five, {"--begin-suppress-tokens", "g", "--begin-suppress-tokens", "h"})},
        {joined(five, {"--nbest", "5"}), groups},
        {joined(groups, {"--diversity-strength", "0"}),
         joined(groups, {"--diversity-strength", "3"})},
        {{}, {"--set", "search.min_length=5"}}})
    EXPECT_NE(generated(some), generated(other)) << testing::PrintToString(other);
  const std::string usual = generated({});
  EXPECT_EQ(generated({"--device", "cpu", "--batch", "7", "--workers", "2"}), usual);
  EXPECT_EQ(generated({"--distinct", "true"}), usual) << "of one translation a line";
  const Arguments wide = {"generate", "runs/alone", "--min-length", "4"};
  const Outcome cut =
      workshop_.run(joined(wide, {"--max-length-ratio", "0", "--max-length-extra", "4"}));
  EXPECT_EQ(split_words(cut.out).size(), 4u) << cut.err;
  const std::string greedy = generated({"--beam", "1"});
  for (const Arguments& options : {Arguments{"--temperature", "0.0001"}, Arguments{"--top-k", "1"},
                                   Arguments{"--top-p", "0.0001"}})
    EXPECT_EQ(generated(joined({"--sample"}, options)), greedy) << options[0];
}

// Generated texts have the log-probabilities that `heed score` gives them.
TEST_F(LanguageModel, ScoresWhatItGenerates) {
  holds({"heed generate", "--nbest", "--format"});
  ASSERT_EQ(train({"--set", "train.max_updates=60"}).exit_code, 0);
  const Outcome outcome = workshop_.run(
      {"generate", "runs/alone", "-i", "-", "--nbest", "4", "--format", "json"}, "a\nb c\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::string texts;
  std::vector<double> found;
  for (const std::string& line : lines_of(outcome.out)) {
    const auto json = nlohmann::json::parse(line);
    for (const auto& one : json["translations"]) {
      texts += one["text"].get<std::string>() + "\n";
      found.push_back(one["log_probability"]);
    }
  }
  ASSERT_EQ(found.size(), 8u);
  write_plainly(workshop_ / "texts", texts);
  const auto scores = lines_of(workshop_.run({"score", "runs/alone", "-t", "texts"}).out);
  ASSERT_EQ(scores.size(), found.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(std::stod(scores[i]), found[i], 1e-4);
  const auto list = lines_of(
      workshop_.run({"generate", "runs/alone", "-i", "-", "--nbest", "4"}, "a\nb c\n").out);
  ASSERT_EQ(list.size(), 8u);
  EXPECT_TRUE(list[4].starts_with("1 ||| b c"));
}

TEST_F(LanguageModel, GenerateRefusesWhatDoesNotFit) {
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  const auto expect = [this](const Arguments& arguments, int code, const std::string& part) {
    const Outcome refused = workshop_.run(arguments);
    EXPECT_EQ(refused.exit_code, code) << refused.err;
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr(part));
  };
  expect({"generate", "runs/alone", "-i", "nowhere"}, 5, "nowhere");
  expect({"generate", "runs/alone", "-i", "valid.tgt", "--count", "3"}, 2, "--count");
  expect({"generate", "runs/alone", "-i", "valid.tgt", "-o", "valid.tgt"}, 2, "valid.tgt");
  expect({"generate", "runs/alone", "--coverage-penalty", "0.2"}, 2, "--coverage-penalty");
  expect({"generate", (ToyWorkshop::trained() / "runs/toy").string()}, 2, "use `heed translate`");
}

TEST_F(LanguageModel, TranslatesNothingAndHasNoTags) {
  ASSERT_EQ(train({"--set", "train.max_updates=2"}).exit_code, 0);
  for (const Arguments& arguments :
       {Arguments{"translate", "runs/alone"},
        Arguments{"translate", "runs/alone", "-i", "valid.src"},
        Arguments{"score", "runs/alone", "-s", "valid.src", "-t", "valid.tgt"},
        Arguments{"plot", "attention", "runs/alone"},
        Arguments{"plot", "attention", "runs/alone", "--target", "valid.tgt", "-i", "valid.src"},
        Arguments{"evaluate", "--model", "runs/alone", "-s", "valid.src", "-r", "valid.tgt"}}) {
    const Outcome refused = workshop_.run(arguments, "a b\n");
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("a language model has no")) << arguments[0];
  }
  for (const Arguments& arguments :
       {Arguments{"score", "runs/alone", "-t", "valid.tgt"},
        Arguments{"plot", "attention", "runs/alone", "--target", "valid.tgt"}})
    EXPECT_FAILS(workshop_.run(joined(arguments, {"--tag", "de"})), 2,
                 "--tag de: the model has no tags; leave it out");
}

}  // namespace
}  // namespace heed
