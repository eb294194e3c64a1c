#include "base/line_warnings.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/log.h"
#include "captured_log.h"

namespace heed {
namespace {

using testing::HasSubstr;

std::string logged(LineWarnings& warnings) {
  CapturedLog captured;
  warnings.log();
  return captured.end();
}

TEST(LineWarnings, NameTheFirstThreeLinesOfAKind) {
  LineWarnings warnings;
  for (const int64_t line : {6, 11, 2, 9, 5}) warnings.add("malformed", line, "byte 1");
  warnings.add("too long", 7, "");
  const std::string log = logged(warnings);
  EXPECT_THAT(log, HasSubstr("warning: malformed: line 2 (byte 1), line 5 (byte 1), line 6 (byte "
                             "1) and 2 more\n"));
  EXPECT_THAT(log, HasSubstr("warning: too long: line 7\n"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 2);
}

TEST(LineWarnings, AreLoggedOnce) {
  LineWarnings warnings;
  warnings.add("malformed", 1, "");
  logged(warnings);
  EXPECT_EQ(logged(warnings), "");
}

}  // namespace
}  // namespace heed
