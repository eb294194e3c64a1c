// `heed translate --sample` and `--prefix`.
#include <gmock/gmock.h>

#include <set>

#include "cli/nbest_line.h"
#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

class SamplesOfTheProgram : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  // A model that has not learned its task, so that it is sure of nothing.
  static const ToyWorkshop& workshop() {
    static const ToyWorkshop unsure;
    static const Outcome training =
        unsure.run({"train", "toy.yaml", "--set", "train.max_updates=30", "--set",
                    "train.validate.metric=loss"});
    EXPECT_EQ(training.exit_code, 0) << training.err;
    return unsure;
  }
  static std::string translation(const Arguments& options,
                                 const std::map<std::string, std::string>& environment = {}) {
    return workshop().translation(options, environment);
  }
  static void expect_refused(const Arguments& options, int code, const std::string& part) {
    const Outcome outcome =
        workshop().run(joined({"translate", "runs/toy", "-i", "valid.src"}, options));
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
};

TEST_F(SamplesOfTheProgram, AreTheSameAtEveryBatchSizeAndNumberOfWorkers) {
  holds({"--sample", "--seed", "--batch", "--workers"});
  const std::string samples = translation({"--sample"});
  EXPECT_EQ(samples, translation({"--sample", "--batch", "3", "--workers", "2"}));
  EXPECT_EQ(samples, translation({"--sample", "--seed", "1"}));
  EXPECT_NE(samples, translation({"--sample", "--seed", "2"}));
  EXPECT_NE(samples, translation({}));
  EXPECT_EQ(samples, translation({"--sample"}, {{"HEED_PLAIN", "1"}}));
}

TEST_F(SamplesOfTheProgram, AreNarrowedToTheMostProbable) {
  holds({"--temperature", "--top-k", "--top-p"});
  const std::string greedy = translation({"--beam", "1"});
  for (const Arguments& options : {Arguments{"--temperature", "0.0001"}, Arguments{"--top-k", "1"},
                                   Arguments{"--top-p", "0.0001"}}) {
    EXPECT_EQ(translation(joined({"--sample"}, options)), greedy) << options[0];
  }
}

TEST_F(SamplesOfTheProgram, AreAsManyAsAreWanted) {
  holds({"--nbest"});
  const std::string all = translation({"--sample", "--nbest", "4"});
  const std::vector<std::string> lines = lines_of(all), one = lines_of(translation({"--sample"}));
  ASSERT_EQ(lines.size(), 4 * one.size());
  for (size_t i = 0; i < one.size(); ++i)
    EXPECT_THAT(lines[4 * i], HasSubstr(" ||| " + one[i] + " ||| "));
  EXPECT_GT(std::set(lines.begin(), lines.end()).size(), 2 * one.size());
}

// The translation of each line whose mean score against all samples is highest, by the scores of
// `heed evaluate`.
class LeastRisk : public SamplesOfTheProgram,
                  public testing::WithParamInterface<std::pair<Arguments, Arguments>> {};

TEST_P(LeastRisk, IsThatOfTheNearestToAllOthers) {
  holds({"--mbr", "--mbr-tokenize"});
  const auto& [risk, metric] = GetParam();
  constexpr size_t kSamples = 5;
  const Arguments sample = {"--sample", "--nbest", std::to_string(kSamples)};
  const std::vector<std::string> chosen = lines_of(translation(joined(sample, risk)));
  std::string hypotheses, references;
  std::vector<std::string> texts;
  for (const std::string& line : lines_of(translation(sample)))
    texts.push_back(parse_nbest(line).text);
  ASSERT_EQ(texts.size(), kSamples * chosen.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t k = 0; k < kSamples; ++k) {
      hypotheses += texts[i] + "\n";
      references += texts[i / kSamples * kSamples + k] + "\n";
    }
  }
  write_plainly(workshop() / "hypotheses", hypotheses);
  write_plainly(workshop() / "references", references);
  const Outcome scored = workshop().run(
      joined(metric, {"-i", "hypotheses", "-r", "references", "--sentences", "--digits", "8"}));
  ASSERT_EQ(scored.exit_code, 0) << scored.err;
  const std::vector<std::string> scores = lines_of(scored.out);
  ASSERT_EQ(scores.size(), kSamples * texts.size());
  int64_t first = 0;  // lines whose first sample is chosen
  for (size_t line = 0; line < chosen.size(); ++line) {
    size_t best = 0;
    double best_sum = -1, sum_of_chosen = -1;
    for (size_t i = line * kSamples; i < (line + 1) * kSamples; ++i) {
      double sum = 0;
      for (size_t k = 0; k < kSamples; ++k) sum += std::stod(scores[i * kSamples + k]);
      if (sum > best_sum + 1e-6) best = i, best_sum = sum;
      if (texts[i] == chosen[line]) sum_of_chosen = sum;
    }
    // Rounding decides between equal sums.
    EXPECT_NEAR(sum_of_chosen, best_sum, 1e-6) << "line " << line + 1;
    first += best == line * kSamples;
  }
  EXPECT_LT(first, std::ssize(chosen)) << "the choice changes nothing";
}

INSTANTIATE_TEST_SUITE_P(
    Metrics, LeastRisk,
    testing::Values(std::pair(Arguments{"--mbr", "chrf"}, Arguments{"evaluate", "-m", "chrf"}),
                    std::pair(Arguments{"--mbr", "CHRF"}, Arguments{"evaluate", "-m", "chrF"}),
                    std::pair(Arguments{"--mbr", "bleu", "--mbr-tokenize", "char"},
                              Arguments{"evaluate", "-m", "bleu", "--tokenize", "char"})));

TEST_F(SamplesOfTheProgram, OfLeastRiskNeedSeveral) {
  expect_refused({"--mbr", "chrf"}, 2, "--mbr requires --nbest");
  expect_refused({"--nbest", "3", "--mbr", "chrf", "--mbr-tokenize", "zh"}, 2,
                 "--mbr-tokenize is an option of --mbr bleu, found --mbr chrf");
  expect_refused({"--nbest", "3", "--mbr", "beauty"}, 2, "--mbr");
}

TEST_F(SamplesOfTheProgram, BeginWithAPrefix) {
  holds({"--prefix"});
  std::string prefixes;
  const size_t count = lines_of(workshop().read("valid.src")).size();
  for (size_t i = 0; i < count; ++i) prefixes += i % 3 == 0 ? "\n" : i % 3 == 1 ? "j\n" : "c a\n";
  write_plainly(workshop() / "prefixes", prefixes);
  for (const Arguments& options : {Arguments{"--sample"}, Arguments{"--beam", "3"}}) {
    const auto lines = lines_of(translation(joined({"--prefix", "prefixes"}, options)));
    ASSERT_EQ(lines.size(), count);
    const auto free = lines_of(translation(options));
    for (size_t i = 0; i < count; ++i) {
      const std::string prefix = i % 3 == 0 ? free[i] : i % 3 == 1 ? "j" : "c a";
      EXPECT_TRUE(lines[i].starts_with(prefix)) << lines[i];
    }
  }
  write_plainly(workshop() / "few", "a\nb\n");
  expect_refused({"--prefix", "few"}, 3, "few: has 2 lines, expected one for each source line");
  write_plainly(workshop() / "many", prefixes + "a\n");
  expect_refused({"--prefix", "many"}, 3, "many: has more lines than the source, expected 50");
  expect_refused({"--prefix", "nowhere"}, 5, "nowhere");
}

// The options mean the same in `heed summarize`.
TEST_F(SamplesOfTheProgram, SummariesAreDrawnToo) {
  holds({"--sample", "--seed", "--temperature", "--top-k", "--top-p", "--prefix"});
  std::string prefixes;
  for (size_t i = 0; i < lines_of(workshop().read("valid.src")).size(); ++i) prefixes += "j\n";
  write_plainly(workshop() / "js", prefixes);
  const Arguments search{"--min-length", "3", "--max-length", "9", "--no-repeat-ngram", "3"};
  for (const Arguments& options :
       {Arguments{"--sample", "--seed", "2"}, Arguments{"--sample", "--temperature", "0.5"},
        Arguments{"--sample", "--top-k", "3"}, Arguments{"--sample", "--top-p", "0.5"},
        Arguments{"--sample", "--nbest", "4", "--mbr", "chrf"},
        Arguments{"--sample", "--nbest", "4", "--mbr", "bleu", "--mbr-tokenize", "char"},
        Arguments{"--prefix", "js", "--coverage-penalty", "0.01"}}) {
    const Outcome summary = workshop().run(
        joined({"summarize", "runs/toy", "-i", "valid.src"}, joined(search, options)));
    EXPECT_EQ(summary.exit_code, 0) << summary.err;
    EXPECT_EQ(summary.out, translation(joined(search, options))) << options[0];
  }
}

TEST_F(SamplesOfTheProgram, RefuseOptionsThatDoNotFit) {
  for (const char* of_beam_search :
       {"--beam", "--patience", "--coverage-penalty", "--diversity-groups", "--diversity-strength"})
    expect_refused({"--sample", of_beam_search, "3"}, 2, of_beam_search);
  expect_refused({"--temperature", "0.5"}, 2, "--sample");
  expect_refused({"--sample", "--temperature", "0"}, 2, "--temperature");
  expect_refused({"--sample", "--top-p", "1.5"}, 2, "--top-p");
}

}  // namespace
}  // namespace heed
