#include "translate/nbest_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/temporary_folder.h"
#include "translate/nbest_text.h"

namespace heed {
namespace {

class NbestFile : public testing::Test {
 protected:
  NbestList read(const std::string& text) const {
    write_plainly(folder_ / "list", text);
    return read_nbest_list(folder_ / "list");
  }
  FeatureValues weights(const std::string& text) const {
    write_plainly(folder_ / "weights", text);
    return read_feature_weights(folder_ / "weights");
  }
  void expect_refused(const std::string& text, const std::string& part) const {
    EXPECT_ERROR(read(text), ErrorKind::kData, part);
  }
  TemporaryFolder folder_;
};

TEST_F(NbestFile, NamesTheLineThatIsWrong) {
  const auto numbered = [](const std::string& numbers) {
    std::string text;
    for (const char number : numbers) text += number + std::string(" ||| a ||| -1\n");
    return text;
  };
  expect_refused("0 ||| a ||| -1\n0 || a ||| -1\n",
                 "list:2: found '0 || a ||| -1', expected a line of an n-best list");
  expect_refused("x ||| a ||| -1\n", "list:1: found");
  expect_refused("0 ||| a ||| F= 1\n", "list:1: found");
  expect_refused("0 ||| a ||| F= 1 ||| x\n", "list:1: found");
  expect_refused("0 ||| \xff ||| -1\n", "list:1: malformed UTF-8 at byte 7");
  expect_refused(numbered("1"), "list:1: number 1, expected 0");
  expect_refused(numbered("002"), "list:3: number 2, expected 0 or 1");
  expect_refused(numbered("010"), "list:3: number 0, expected 1 or 2");
  EXPECT_EQ(read(numbered("0112")).sentences(), 3);
}

// Lists of marian-decoder --n-best with --alignment and --word-scores.
TEST_F(NbestFile, KeepsTheColumnsOfMarian) {
  NbestList list = read(
      "0 ||| a b ||| 0-0 1-1 ||| WordScores= -0.1 -0.2 -1.2 ||| F0= -1.5 ||| -0.5\n"
      "1 ||| c d e |||  ||| F0=-3 ||| -1\n"
      "2 ||| f ||| 0.9,0.1 0.25,0.75 ||| F0= -1 ||| -2\n");
  ASSERT_EQ(list.lines.size(), 3u);
  EXPECT_EQ(list.lines[1].text(), "c d e");
  for (NbestLine& line : list.lines) {
    line.add_feature("F1", -2);
    line.set_score(-7);
  }
  EXPECT_EQ(list.lines[0].written(),
            "0 ||| a b ||| 0-0 1-1 ||| WordScores= -0.1 -0.2 -1.2 ||| F0= -1.5 F1= -2.000000 ||| "
            "-7.000000\n");
  EXPECT_EQ(list.lines[1].written(), "1 ||| c d e |||  ||| F0=-3 F1= -2.000000 ||| -7.000000\n");
  EXPECT_EQ(list.lines[2].written(),
            "2 ||| f ||| 0.9,0.1 0.25,0.75 ||| F0= -1 F1= -2.000000 ||| -7.000000\n");
}

// Texts of bars and backslashes, in a list and in JSON.
TEST_F(NbestFile, ReadsTheTextsThatTranslateWrites) {
  for (const std::string text : {"|||", "|\\||", "||", "|\\|\\\\|", "\\|", "|||||", "a ||| b"}) {
    EXPECT_EQ(read("0 ||| " + text_column(text) + " ||| -1\n").lines.at(0).text(), text);
    EXPECT_EQ(column_text(text_column(text)), text);
    EXPECT_EQ(text_column(text).find("|||"), std::string::npos);
  }
}

TEST_F(NbestFile, RefusesTextsWithBarsAndOtherObjects) {
  expect_refused("0 ||| a ||| b ||| F= 1 ||| -1\n",
                 "list:1: found the column 'b', expected alignments or WordScores");
  expect_refused("0 ||| a ||| 5 ||| -1\n",
                 "list:1: found the column '-1', expected one column with a score");
  expect_refused("{\"line\": 1}\n", "list:1: found '{\"line\": 1}', expected an object with");
  expect_refused("{\"line\": 1, \"translations\": [{\"text\": 1}]}\n", "list:1: found");
  // The text would be two lines of the list.
  expect_refused("{\"line\": 1, \"translations\": [{\"text\": \"a\\nb\", \"score\": 1}]}\n",
                 "expected texts of one line");
  expect_refused("{\"line\": 2, \"translations\": [{\"text\": \"a\", \"score\": 1}]}\n",
                 "list:1: number 1, expected 0");
}

TEST(NbestFeatures, AreNamesWithNumbers) {
  EXPECT_EQ(parse_features("LM0= -3 TM0= -1 -2.5 F0=-1", "list:1"),
            (FeatureValues{{"LM0", {-3}}, {"TM0", {-1, -2.5}}, {"F0", {-1}}}));
  for (const auto& [text, found] :
       {std::pair{"F= x", "'x'"}, {"1 F=", "'1'"}, {"F= inf", "'inf'"}, {"F= nan", "'nan'"}})
    EXPECT_ERROR(parse_features(text, "list:2"), ErrorKind::kData,
                 std::string("list:2: found ") + found + ", expected features");
}

// -inf is the logarithm of 0.
TEST(NbestFeatures, OfMinusInfinityHaveASumWhereItIsANumber) {
  const FeatureValues values = parse_features("F= -inf G= -1", "list:1");
  EXPECT_EQ(weighted_sum(values, {{"F", {1}}, {"G", {1}}}, "list:1"), -HUGE_VAL);
  EXPECT_EQ(weighted_sum(values, {{"F", {0}}, {"G", {1}}}, "list:1"), -1);
  EXPECT_ERROR(weighted_sum(values, {{"F", {-1}}, {"G", {1}}}, "list:3"), ErrorKind::kData,
               "list:3: the weighted sum of its features is infinite, because of -inf in F;");
  EXPECT_ERROR(weighted_sum(parse_features("F= -inf G= -inf", "list:1"), {{"F", {1}}, {"G", {-1}}},
                            "list:1"),
               ErrorKind::kData, "is not a number, because of -inf in F and G;");
}

TEST_F(NbestFile, HasWeightsThatFitItsFeatures) {
  const FeatureValues values = parse_features("LM0= -3 TM0= -1 -2.5", "list:1");
  EXPECT_DOUBLE_EQ(weighted_sum(values, weights("# learned\nTM0= 0.5 0\n\nLM0= 2\n"), "list:1"),
                   -6.5);
  EXPECT_DOUBLE_EQ(weighted_sum(values,
                                weights("[input-factors]\n0\n\n[weight]\nTM0= 0.5 0\nLM0= "
                                        "2\n\n[other]\nx\n"),
                                "list:1"),
                   -6.5);
  const auto expect_unfit = [&](const std::string& text, const std::string& part) {
    EXPECT_ERROR(weighted_sum(values, weights(text), "list:1"), ErrorKind::kData, part);
  };
  expect_unfit("LM0= 1\n", "feature TM0 has 2 values, but 0 weights");
  expect_unfit("LM0= 1\nTM0= 1\n", "list:1: feature TM0 has 2 values");
  expect_unfit("LM0= 1\nTM0= 1 1\nLM1= 0.1\n", "list:1: no feature LM1, which has a weight");
  expect_unfit("LM0= 1\nLM0= 1\n", "weights: feature LM0 comes twice");
  expect_unfit("LM0= 1\nTM0 1\n", "weights:2: found 'TM0', expected features");
  expect_unfit("LM0= 1\nTM0= 1 -inf\n", "weights:2: a weight of TM0 is -inf");
  expect_unfit("[feature]\nLM0= 1\n", "weights: no weights");
}

}  // namespace
}  // namespace heed
