#include "distill/dropped_pairs.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"

namespace heed {
namespace {

TEST(DroppedPairs, AreCountedByFilterIfNoneIsLeft) {
  const TemporaryFolder folder;
  write_plainly(folder / "rejected",
                "line\tfilters\treason\tsource\ttarget\n"
                "1\tlength\tlong\ta\tb\n"
                "2\tlength,ratio\tlong\ta\t\n"
                "3\trepetition\tx\ta\tb\n");
  write_plainly(folder / "kept", "");
  EXPECT_ERROR(expect_pairs(folder / "kept", folder / "rejected"), ErrorKind::kData,
               "all 3 pairs (length 2, ratio 1, repetition 1;");
  write_plainly(folder / "kept", "a\n");
  EXPECT_NO_THROW(expect_pairs(folder / "kept", folder / "rejected"));
}

}  // namespace
}  // namespace heed
