#include "metric/comparison.h"

#include <gtest/gtest.h>

#include "metric/registry.h"

namespace heed {
namespace {

const Lines kBaseline = {"A man is riding his bike on the street.",
                         "Two dogs are playing in deep snow."},
            kSystem = {"A man is riding a bicycle down the street.",
                       "Two dogs are playing in the snow."},
            kReference = {"A man rides a bicycle down the street.", "Two dogs play in the snow."};

// Each line, and behind it the same line with this end.
Lines with_longer(const Lines& lines, const std::string& end, bool longer_alone = false) {
  Lines all;
  for (const std::string& line : lines) {
    if (!longer_alone) all.push_back(line);
    all.push_back(line + end);
  }
  return all;
}

// The score of a group equals that of a text with its lines alone.
TEST(Comparison, ByLengthScoresTheLinesOfEachGroup) {
  const std::string end = " while it rains and the wind blows";
  const ComparedTexts texts{.names = {"base", "new"},
                            .systems = {with_longer(kBaseline, end), with_longer(kSystem, end)},
                            .references = {with_longer(kReference, end)}};
  for (const char* name : {"bleu", "ter"}) {
    const auto metric = make_metric(name);
    const Comparison found = compare(*metric, texts, {}, WordSplit{});
    ASSERT_TRUE(found.by_length);
    EXPECT_EQ(found.by_length->groups, (std::vector<std::string>{"0-9", "10-19"}));
    EXPECT_EQ(found.by_length->sizes, (std::vector<int64_t>{2, 2}));
    for (const auto& [system, lines] : {std::pair{0, kBaseline}, {1, kSystem}}) {
      EXPECT_NEAR(found.by_length->scores[0][system], metric->score(lines, {kReference}).value,
                  1e-9);
      EXPECT_NEAR(
          found.by_length->scores[1][system],
          metric->score(with_longer(lines, end, true), {with_longer(kReference, end, true)}).value,
          1e-9);
    }
  }
}

TEST(Comparison, OfEqualSystemsHasP1) {
  const ComparedTexts texts{
      .names = {"a", "b"}, .systems = {kSystem, kSystem}, .references = {kReference}};
  for (const SignificanceTest test :
       {SignificanceTest::kBootstrap, SignificanceTest::kRandomization})
    for (const char* names : {"bleu", "rouge", "exact", "f1", "wer"})
      for (const auto& metric : make_metrics(names, {}))
        EXPECT_EQ(compare(*metric, texts, {.test = test, .samples = {}}, {}).systems[1].p, 1)
            << metric->name();
}

}  // namespace
}  // namespace heed
