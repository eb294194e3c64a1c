#include "metric/metric.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "holds.h"
#include "metric/accuracy.h"
#include "metric/label_f1.h"
#include "metric/registry.h"
#include "metric/word_error_rate.h"

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
              HasSubstr("hypotheses:2: malformed UTF-8 at byte 2"));
  EXPECT_THAT(data_error([] {
                check_texts({"a"}, {{"\xc3"}}, {"h", "r"});
              }),
              HasSubstr("r:1: malformed UTF-8 at byte 1"));
}

TEST(Metric, RefusesToScoreNothing) {
  EXPECT_THAT(data_error([] { Bleu().score({}, {{}}); }), HasSubstr("no lines"));
  EXPECT_THAT(data_error([] { Bleu().score({"a"}, {}); }), HasSubstr("no references"));
}

TEST(Metric, ScoreOfTheCorpusIsThatOfTheSumOfItsLines) {
  for (const auto& name : metric_names()) {
    const bool is_text = name != "aer";
    const Lines hypotheses = is_text ? Lines{"the cat sat on the mat", "", "a b c d e"}
                                     : Lines{"0-0 1-1", "", "0-2 1-0"};
    const References references = {is_text ? Lines{"the cat sat on a mat", "x", "a b c d f"}
                                           : Lines{"0-0 1?1", "0-0", "1-0"}};
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

TEST(MetricRegistry, SaysWhatEveryNameMeasures) {
  for (const auto& name : metric_names()) EXPECT_FALSE(metric_help(name).empty()) << name;
  EXPECT_THROW(metric_help("blue"), Error);
}

TEST(ExactMatch, CountsLinesThatEqualAReference) {
  const ExactMatch metric;
  const auto score =
      metric.score({"a b", "a  b", "", "c"}, {{"a b", "a b", "", "d"}, {"x", "x", "x", "c"}});
  EXPECT_DOUBLE_EQ(score.value, 75);
  EXPECT_EQ(score.details, "(equal = 3 lines = 4 error = 25.0)");
}

TEST(ExactMatch, LeavesSpacesAtTheEndsOut) {
  EXPECT_DOUBLE_EQ(ExactMatch().score({" a b", "a b\t", "ab"}, {{"a b ", "a b", "a b"}}).value,
                   200.0 / 3);
}

TEST(WordAccuracy, CountsPlacesOfTheLongerSide) {
  holds({"--metric"});
  const WordAccuracy metric;
  EXPECT_DOUBLE_EQ(metric.score_line("a b c", {"a x c d"}).value, 50);
  EXPECT_DOUBLE_EQ(metric.score_line("a b c d", {"a b"}).value, 50);
  EXPECT_DOUBLE_EQ(metric.score_line("a b", {"x b", "a b c"}).value, 200.0 / 3);
  // Equal texts have no wrong word, as in WER and exact match.
  EXPECT_DOUBLE_EQ(metric.score_line("", {""}).value, 100);
  EXPECT_DOUBLE_EQ(metric.score_line("", {"a b", ""}).value, 100);
  EXPECT_DOUBLE_EQ(metric.score_line("a", {""}).value, 0);
}

TEST(MetricsOfWords, AreDoubtedWhereThereAreNoSpaces) {
  const References chinese{{"我们今天去学校", "看书"}}, spaced{{"我 们 今 天 去", "a b"}};
  for (const char* name : {"bleu", "ter", "wer", "accuracy"}) {
    EXPECT_NE(make_metric(name)->caveat({}, chinese).find("2 of 2 references have none between"),
              std::string::npos)
        << name;
    EXPECT_EQ(make_metric(name)->caveat({}, spaced), "") << name;
  }
  for (const char* name : {"chrf", "exact", "f1", "rouge1-unicode"})
    EXPECT_EQ(make_metric(name)->caveat({}, chinese), "") << name;
  EXPECT_EQ(make_metric("bleu", {.bleu = {.tokenizer = "zh"}})->caveat({}, chinese), "");
  EXPECT_EQ(
      make_metric("ter", {.ter = {.normalized = true, .asian_support = true}})->caveat({}, chinese),
      "");
}

// JoeyNMT divides by the words of the hypothesis: 3 of 4.
TEST(WordAccuracy, IsOfTheLongerText) {
  const WordAccuracy metric;
  EXPECT_DOUBLE_EQ(metric.score({"a b c x"}, {{"a b c d e"}}).value, 60);
  EXPECT_DOUBLE_EQ(metric.score({"a b c d e"}, {{"a b c x"}}).value, 60);
  EXPECT_NE(metric.signature(1).find("|per:longer|"), std::string::npos);
}

// A metric that ignores case compares lower-cased text, which its signature records.
TEST(MetricsOfText, IgnoreCaseIfAsked) {
  const Lines hypotheses{"Ein HUND läuft sehr schnell nach", "ÄRGER", "Straße und mehr"};
  const References references{{"ein Hund läuft sehr schnell", "Ärger", "straße UND mehr"}};
  const Lines lower{"ein hund läuft sehr schnell nach", "ärger", "straße und mehr"};
  const References lower_references{{"ein hund läuft sehr schnell", "ärger", "straße und mehr"}};
  MetricOptions ignoring;
  ignoring.ignore_case();
  for (const std::string& name : single_metric_names()) {
    const auto metric = make_metric(name, ignoring), plain = make_metric(name);
    EXPECT_EQ(metric->score(hypotheses, references).value,
              plain->score(lower, lower_references).value)
        << name;
    if (name.starts_with("rouge")) continue;  // it always ignores case
    EXPECT_NE(metric->signature(1).find("|case:lc|"), std::string::npos) << name;
    if (name == "ter") continue;
    EXPECT_NE(plain->signature(1).find("|case:mixed|"), std::string::npos) << name;
    EXPECT_NE(plain->score(hypotheses, references).value,
              plain->score(lower, lower_references).value)
        << name;
  }
}

// Both metrics of labels, a word a line, are the accuracy: 3 of 4.
TEST(WordAccuracy, OfLabelsIsExactMatch) {
  const Lines labels{"acq", "earn", "earn", "money-fx"};
  const References right{{"acq", "earn", "acq", "money-fx"}};
  EXPECT_DOUBLE_EQ(WordAccuracy().score(labels, right).value, 75);
  EXPECT_DOUBLE_EQ(ExactMatch().score(labels, right).value, 75);
}

// a: 1 right, 2 predicted, 1 in the reference: F1 2/3. b: 1 right, 1 predicted, 2 in the reference:
// F1 2/3. c is only predicted, d only in the reference.
TEST(LabelF1, IsTheMeanOverTheClasses) {
  holds({"--metric"});
  const LabelF1 metric;
  const auto score = metric.score({"a", "a ", "b", "c"}, {{"a", "b", "b", "d"}});
  EXPECT_DOUBLE_EQ(score.value, 100.0 / 3);
  EXPECT_EQ(score.details, "(P = 37.5 R = 37.5 classes = 4)");
  EXPECT_EQ(metric.signature(1),
            std::string("nrefs:1|case:mixed|average:macro|version:heed-") + HEED_VERSION);
  EXPECT_DOUBLE_EQ(metric.score_line("a", {"a"}).value, 100);
  EXPECT_DOUBLE_EQ(metric.score_line("a", {"b"}).value, 0);
}

TEST(LabelF1, OfSomeLinesCountsTheirClassesOnly) {
  const LabelF1 metric;
  const auto lines = metric.line_statistics({"a", "b", "c"}, {{"a", "a", "d"}});
  EXPECT_DOUBLE_EQ(metric.from_sum(sum_statistics({lines[0], lines[1]})).value,
                   metric.score({"a", "b"}, {{"a", "a"}}).value);
  EXPECT_DOUBLE_EQ(metric.from_sum(sum_statistics({lines[0], lines[0], lines[2]})).value,
                   100.0 / 3);
}

TEST(LabelF1, RefusesSeveralReferences) {
  try {
    LabelF1().score({"a"}, {{"a"}, {"b"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("F1: 2 references, expected 1"));
  }
}

TEST(WordErrorRate, IsEditsOverWordsOfTheReferences) {
  holds({"--metric"});
  const WordErrorRate metric;
  // "sat" becomes "sit", the second "the" is left out; two words are inserted in the second line.
  const auto score =
      metric.score({"the cat sit  on mat", "a b c"}, {{"the cat sat on the mat", "b"}});
  EXPECT_DOUBLE_EQ(score.value, 400.0 / 7);
  EXPECT_EQ(score.details, "(edits = 4 words = 7)");
  EXPECT_DOUBLE_EQ(metric.score_line("a b c", {"b"}).value, 200);
  EXPECT_DOUBLE_EQ(metric.score_line("b a", {"a b"}).value, 100);
  EXPECT_FALSE(metric.higher_is_better());
}

TEST(WordErrorRate, EveryWhiteSpaceSeparatesWords) {
  EXPECT_DOUBLE_EQ(WordErrorRate().score_line("a\u00A0b\tc ", {"a b  c"}).value, 0);
}

TEST(WordErrorRate, TakesTheReferenceWithTheLowestRate) {
  const WordErrorRate metric;
  EXPECT_DOUBLE_EQ(metric.score_line("a b", {"x b", "a b c", "y"}).value, 100.0 / 3);
  EXPECT_DOUBLE_EQ(metric.score_line("", {"a", ""}).value, 0);
}

// jiwer.wer([""], ["a b"]) gives 2.
TEST(WordErrorRate, TakesNoWordInTheReferenceForOne) {
  EXPECT_DOUBLE_EQ(WordErrorRate().score_line("", {" "}).value, 0);
  EXPECT_DOUBLE_EQ(WordErrorRate().score_line("a b", {""}).value, 200);
  EXPECT_DOUBLE_EQ(WordErrorRate().score({"a", "b"}, {{"", "b"}}).value, 100);
}

}  // namespace
}  // namespace heed
