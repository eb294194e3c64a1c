#include "base/line_progress.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(LineProgress, SaysWhatIsDoneHowFastAndWhatIsLeft) {
  EXPECT_EQ(line_progress("translated", 1200, 29000, 12),
            "translated 1,200 of 29,000 lines, 100 lines/s, 4m 38s left");
  EXPECT_EQ(line_progress("scored", 1200, std::nullopt, 12), "scored 1,200 lines, 100 lines/s");
  EXPECT_EQ(line_progress("scored", 7, 7, 2), "scored 7 of 7 lines, 3 lines/s, 0.0s left");
}

TEST(LineProgress, SurvivesZeros) {
  EXPECT_EQ(line_progress("scored", 0, 10, 0), "scored 0 of 10 lines, 0 lines/s");
  EXPECT_EQ(line_progress("scored", 5, 3, 1), "scored 5 of 3 lines, 5 lines/s, 0.0s left");
}

}  // namespace
}  // namespace heed
