// Bytes of a line that are not text.
#include <gmock/gmock.h>

#include "translate/line_warning.h"

namespace heed {
namespace {

TEST(WellFormed, ZeroBytesAreReadAsMalformedOnes) {
  WarningList warnings;
  EXPECT_EQ(well_formed("a b", warnings), "a b");
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(well_formed(std::string("a\0b\xff\0", 5), warnings), "a\uFFFDb\uFFFD\uFFFD");
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].text(), "malformed UTF-8, read as U+FFFD (byte 4)");
  EXPECT_EQ(warnings[1].text(), "a zero byte (U+0000), read as U+FFFD (byte 2)");
  for (const LineWarning& warning : warnings) EXPECT_EQ(warning.kind, WarningKind::kMalformed);
}

}  // namespace
}  // namespace heed
