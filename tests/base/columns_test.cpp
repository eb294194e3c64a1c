#include "base/columns.h"

#include <gmock/gmock.h>

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Columns, AlignToTheLeftOrToTheRight) {
  EXPECT_THAT(align_columns({{{"a", "bcd"}}, {{"10", "9"}, true}, {{"x", "yz"}}}),
              ElementsAre("a    10  x", "bcd   9  yz"));
}

TEST(Columns, FillUpTheLastOneOnlyToTheRight) {
  EXPECT_THAT(align_columns({{{"a", "b"}}, {{"", "long"}}}), ElementsAre("a  ", "b  long"));
  EXPECT_THAT(align_columns({{{"a", "b"}}, {{"1", "1000"}, true}}),
              ElementsAre("a     1", "b  1000"));
  EXPECT_THAT(align_columns({{{"a ", "long"}}}), ElementsAre("a ", "long"));
}

TEST(Columns, AreAsWideAsTheyLookOnATerminal) {
  EXPECT_EQ((TextColumn{{"日本", "abc"}}).width(), 4u);
  EXPECT_THAT(align_columns({{{"日本", "abc"}}, {{"e\u0301", "Ａ"}, true}, {{"1", "2"}}}),
              ElementsAre("日本   e\u0301  1", "abc   Ａ  2"));
}

TEST(Columns, NoCellMovesTheCursorOrBeginsALine) {
  EXPECT_THAT(align_columns({{{"a\nb", "\x1b[2J"}}, {{"1", "\xff"}}}),
              ElementsAre("a\\nb     1", "\\x1b[2J  \\xff"));
}

TEST(Columns, MayBeNone) {
  EXPECT_THAT(align_columns({}), IsEmpty());
  EXPECT_THAT(align_columns({{}, {}}), IsEmpty());
  EXPECT_EQ(TextColumn().width(), 0u);
}

}  // namespace
}  // namespace heed
