// Lines of any length: dynamic programs that compute 64 cells at a time equal the plain ones; lines
// that would take hours are refused.
#include <gmock/gmock.h>

#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "metric/edit_distance.h"
#include "metric/longest_common.h"
#include "metric/registry.h"

namespace heed {
namespace {

using Numbers = std::vector<uint32_t>;

Numbers random_words(RandomStream& random, size_t length, uint64_t vocabulary) {
  Numbers words(length);
  for (uint32_t& word : words) word = static_cast<uint32_t>(random.below(vocabulary));
  return words;
}

size_t plain_distance(const Numbers& a, const Numbers& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

// Longest common subsequence. The distance with insertions and deletions alone is |a| + |b| - 2 ·
// longest.
size_t plain_longest(const Numbers& a, const Numbers& b) {
  std::vector<std::vector<size_t>> length(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j)
      length[i][j] = a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1
                                          : std::max(length[i - 1][j], length[i][j - 1]);
  }
  return length.back().back();
}

TEST(LongLines, AreComparedAsShortOnesAre) {
  RandomStream random(stream_key(1, "long lines"));
  const auto lengths = {0, 1, 2, 63, 64, 65, 127, 128, 129, 200, 300};
  for (const uint64_t vocabulary : {1, 2, 5, 40, 1000}) {
    for (const size_t of_a : lengths) {
      for (const size_t of_b : lengths) {
        const Numbers a = random_words(random, of_a, vocabulary),
                      b = random_words(random, of_b, vocabulary);
        ASSERT_EQ(edit_distance(a, b), plain_distance(a, b)) << of_a << " " << of_b;
        ASSERT_EQ(longest_common_length(a, b), plain_longest(a, b)) << of_a << " " << of_b;
      }
    }
  }
}

// Writes `count` words, every thousandth of which is `other`.
std::string numbered(size_t count, const std::string& other) {
  std::string line;
  for (size_t i = 0; i < count; ++i)
    line += (i % 1000 == 0 ? other : "w" + std::to_string(i)) + " ";
  return line;
}

TEST(LongLines, Of200000WordsHaveTheirScores) {
  const std::string hypothesis = numbered(200'000, "a"), reference = numbered(200'000, "b");
  const auto score = [&](const char* metric) {
    return make_metric(metric)->score_line(hypothesis, {reference}).value;
  };
  EXPECT_DOUBLE_EQ(score("rougeL"), 99.9);
  EXPECT_DOUBLE_EQ(score("wer"), 0.1);
}

TEST(LongLines, OfOneWordTakeNoLonger) {
  std::string hypothesis, reference;
  for (int i = 0; i < 100'000; ++i) hypothesis += "a ";
  for (int i = 0; i < 99'000; ++i) reference += "a ";
  EXPECT_DOUBLE_EQ(make_metric("wer")->score_line(hypothesis, {reference}).value, 100 / 99.0);
  EXPECT_DOUBLE_EQ(make_metric("rougeL")->score_line(hypothesis, {reference}).value,
                   100 * 2 * 0.99 / 1.99);
}

TEST(LongLines, ThatWouldTakeHoursAreRefused) {
  const std::string line = numbered(400'000, "a"), sentence = numbered(50'000, "a");
  const auto message = [](const char* metric, const std::string& text) -> std::string {
    try {
      make_metric(metric)->score({"a", text}, {{"a", text}});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message("wer", line), testing::HasSubstr("400,000 words"));
  EXPECT_THAT(message("ter", line),
              testing::HasSubstr("line 2: translation edit rate: a sentence of 400,000 words"));
  EXPECT_THAT(message("rougeL", line), testing::HasSubstr("ROUGE-L: a sentence of 400,000 words"));
  EXPECT_THAT(message("rougeLsum", sentence), testing::HasSubstr("50,000 words"));
}

// Megabytes of text that the 13a tokenizer splits or replaces everywhere.
TEST(LongLines, OfPunctuationAreTokenizedInOneWalk) {
  for (const std::string pattern : {"1.,", "&amp;", "<skipped>"}) {
    std::string line;
    while (line.size() < 2'000'000) line += pattern;
    line += " a b c d";
    EXPECT_DOUBLE_EQ(make_metric("bleu")->score_line(line, {line}).value, 100) << pattern;
  }
}

}  // namespace
}  // namespace heed
