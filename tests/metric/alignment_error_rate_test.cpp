#include "metric/alignment_error_rate.h"

#include <gmock/gmock.h>

#include <random>

#include "base/error.h"
#include "holds.h"
#include "metric/registry.h"

namespace heed {
namespace {

using testing::HasSubstr;

constexpr double kExact = 1e-9;

double part(const Score& score, const std::string& name) {
  return std::map<std::string, double>(score.parts.begin(), score.parts.end()).at(name);
}

// A = {00, 11, 21, 32}, S = {00, 11}, P = S and {21, 43}: |A∩S| 2, |A∩P| 3, so AER = 1 - 5/6,
// precision 3/4, recall 2/2.
TEST(AlignmentErrorRate, IsThatOfOchAndNey) {
  holds({"--metric"});
  const AlignmentErrorRate metric;
  for (const char* reference : {"0-0 1-1 2?1 4?3", "4p3 2p1 1-1 0-0", "0-0\t1?1 1-1 2?1 4p3 "}) {
    const Score score = metric.score({"0-0 1-1  2-1 3-2"}, {{reference}});
    EXPECT_NEAR(score.value, 100.0 / 6, kExact) << reference;
    EXPECT_NEAR(part(score, "precision"), 75, kExact);
    EXPECT_NEAR(part(score, "recall"), 100, kExact);
    EXPECT_EQ(score.details, "(P = 75.0 R = 100.0 links = 4 sure = 2)");
  }
  EXPECT_FALSE(metric.higher_is_better());
}

TEST(AlignmentErrorRate, CountsALinkOnce) {
  EXPECT_NEAR(AlignmentErrorRate().score_line("0-0 0-0 1-0", {"0-0 0-0"}).value, 100.0 / 3, kExact);
}

TEST(AlignmentErrorRate, OfNothingIsZero) {
  const AlignmentErrorRate metric;
  EXPECT_EQ(metric.score_line("", {""}).value, 0);
  EXPECT_EQ(metric.score_line("", {"0-0"}).value, 100);
  EXPECT_EQ(metric.score_line("0-0", {""}).value, 100);
  EXPECT_EQ(metric.score_line("0-0", {"0?0"}).value, 0);
}

// Sentences of 4 words each as matrices: whether a link is in A, in S, in P.
TEST(AlignmentErrorRate, OfACorpusIsThatOfItsCells) {
  std::mt19937 random(7);
  Lines hypotheses, references;
  double links = 0, sure = 0, links_sure = 0, links_possible = 0;
  for (int sentence = 0; sentence < 20; ++sentence) {
    std::string hypothesis, reference;
    for (unsigned cell = 0; cell < 16; ++cell) {
      const bool a = random() % 3 == 0, s = random() % 4 == 0, p = s || random() % 4 == 0;
      links += a, sure += s, links_sure += a && s, links_possible += a && p;
      if (a) hypothesis += fmt::format("{}-{} ", cell / 4, cell % 4);
      if (p) reference += fmt::format("{}{}{} ", cell / 4, s ? "-" : "?", cell % 4);
    }
    hypotheses.push_back(hypothesis);
    references.push_back(reference);
  }
  const Score score = AlignmentErrorRate().score(hypotheses, {references});
  EXPECT_NEAR(score.value, 100 * (1 - (links_sure + links_possible) / (links + sure)), kExact);
  EXPECT_NEAR(part(score, "precision"), 100 * links_possible / links, kExact);
  EXPECT_NEAR(part(score, "recall"), 100 * links_sure / sure, kExact);
}

TEST(AlignmentErrorRate, NamesTheLineThatIsNoAlignment) {
  const AlignmentErrorRate metric;
  const auto complaint = [&](const std::string& hypothesis, const std::string& reference) {
    try {
      check_readable(metric, {"0-0", hypothesis}, {{"0-0", reference}}, {"out", "gold"});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint("", "1?1"), "");
  EXPECT_THAT(complaint("0-0 1?1", ""), HasSubstr("out:2: AER: '1?1' is not a link"));
  EXPECT_THAT(complaint("", "1 1"), HasSubstr("gold:2: AER: '1' is not a link"));
  EXPECT_THAT(complaint("", "x"), HasSubstr("a possible link is 0?3 or 0p3"));
  for (const char* word : {"-1-2", "1--2", "1-2-3", "1-", "-2", "1:2", "4294967296-0", "1-2x"})
    EXPECT_THAT(complaint(word, ""), HasSubstr(word)) << word;
  EXPECT_THROW(metric.statistics("a", {""}), Error);
}

TEST(AlignmentErrorRate, RefusesSeveralReferences) {
  EXPECT_THROW(AlignmentErrorRate().score({"0-0"}, {{"0-0"}, {"0-0"}}), Error);
}

// 0/0 in the paper.
TEST(AlignmentErrorRate, WithoutAnyLinkIsZeroAndDoubted) {
  const AlignmentErrorRate metric;
  EXPECT_EQ(metric.score({"", ""}, {{"", ""}}).value, 0);
  EXPECT_NE(metric.caveat({"", ""}, {{"", ""}}), "");
  EXPECT_NE(metric.caveat({"", "0-0"}, {{"", ""}}), "");
  EXPECT_EQ(metric.caveat({"", ""}, {{"0-0", ""}}), "");
}

// No metric of translations: neither of validations nor of minimum Bayes risk.
TEST(AlignmentErrorRate, IsNoMetricOfText) {
  EXPECT_THAT(metric_names(), testing::Contains("aer"));
  EXPECT_THAT(single_metric_names(), testing::Not(testing::Contains("aer")));
}

}  // namespace
}  // namespace heed
