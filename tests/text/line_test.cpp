#include "text/line.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

using Parts = std::vector<std::string_view>;

TEST(CutLine, CutsAtSpaces) {
  EXPECT_EQ(cut_line("one two three", 8), (Parts{"one two", "three"}));
  EXPECT_EQ(cut_line("one two", 7), (Parts{"one two"}));
  EXPECT_EQ(cut_line("exactly one", 7), (Parts{"exactly", "one"}));
  EXPECT_EQ(cut_line("", 8), Parts());
}

TEST(CutLine, KeepsCodePointsWhole) {
  EXPECT_EQ(cut_line("ääää", 5), (Parts{"ää", "ää"}));
  EXPECT_EQ(cut_line("\xF0\x9F\x98\x80\xF0\x9F\x98\x80", 5),
            (Parts{"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"}));
}

TEST(CutLine, EndsWithoutSpaceToCutAt) {
  const std::string line = " " + std::string(100, 'x');
  size_t total = 0;
  for (const std::string_view part : cut_line(line, 10)) {
    EXPECT_LE(part.size(), 10U);
    total += part.size();
  }
  EXPECT_GE(total, 100U);
}

}  // namespace
}  // namespace heed
