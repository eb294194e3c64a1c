#include "metric/metric.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "metric/accuracy.h"
#include "metric/registry.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class F>
std::string data_error(F f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "nothing thrown";
}

TEST(Metric, NamesUnequalTextsWithTheirCounts) {
  EXPECT_THAT(data_error([] {
                check_texts({"a", "b"}, {{"a", "b"}, {"a"}});
              }),
              HasSubstr("hypotheses: 2 lines, but reference 2: 1 lines"));
  EXPECT_THAT(data_error([] {
                check_texts({"a"}, {{}}, {"out.de", "test.de"});
              }),
              HasSubstr("out.de: 1 lines, but test.de: 0 lines"));
}

TEST(Metric, NamesTheLineThatIsMalformed) {
  EXPECT_THAT(data_error([] {
                Bleu().score({"a", "b\xff"}, {{"a", "b"}});
              }),
              HasSubstr("hypotheses:2: byte 2"));
  EXPECT_THAT(data_error([] {
                check_texts({"a"}, {{"\xc3"}}, {"h", "r"});
              }),
              HasSubstr("r:1: byte 1"));
}

TEST(Metric, RefusesToScoreNothing) {
  EXPECT_THAT(data_error([] { Bleu().score({}, {{}}); }), HasSubstr("no lines"));
  EXPECT_THAT(data_error([] { Bleu().score({"a"}, {}); }), HasSubstr("no references"));
}

TEST(Metric, ScoreOfTheCorpusIsThatOfTheSumOfItsLines) {
  const Lines hypotheses = {"the cat sat on the mat", "", "a b c d e"};
  const References references = {{"the cat sat on a mat", "x", "a b c d f"}};
  for (const auto& name : metric_names()) {
    for (const auto& metric : make_metrics(name)) {
      const auto lines = metric->line_statistics(hypotheses, references);
      ASSERT_EQ(lines.size(), 3u);
      EXPECT_EQ(metric->from_sum(sum_statistics(lines)).value,
                metric->score(hypotheses, references).value)
          << name;
    }
  }
}

TEST(MetricRegistry, GroupGivesItsMembers) {
  std::vector<std::string> names;
  for (const auto& metric : make_metrics("rouge")) names.push_back(metric->name());
  EXPECT_THAT(names, ElementsAre("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum"));
  EXPECT_EQ(make_metrics("bleu").size(), 1u);
}

TEST(MetricRegistry, SuggestsTheNearestName) {
  for (const auto& make : {+[] { make_metric("blue"); }, +[] { make_metrics("blue"); }}) {
    try {
      make();
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_THAT(error.what(), HasSubstr("did you mean 'bleu'"));
    }
  }
}

TEST(ExactMatch, CountsLinesThatEqualAReference) {
  const ExactMatch metric;
  const auto score =
      metric.score({"a b", "a  b", "", "c"}, {{"a b", "a b", "", "d"}, {"x", "x", "x", "c"}});
  EXPECT_DOUBLE_EQ(score.value, 75);
  EXPECT_EQ(score.details, "(equal = 3 lines = 4)");
}

TEST(WordAccuracy, CountsPlacesOfTheLongerSide) {
  const WordAccuracy metric;
  EXPECT_DOUBLE_EQ(metric.score_line("a b c", {"a x c d"}).value, 50);
  EXPECT_DOUBLE_EQ(metric.score_line("a b c d", {"a b"}).value, 50);
  EXPECT_DOUBLE_EQ(metric.score_line("a b", {"x b", "a b c"}).value, 200.0 / 3);
  EXPECT_DOUBLE_EQ(metric.score_line("", {""}).value, 0);
}

}  // namespace
}  // namespace heed
