// Programs under `ulimit -v`: they end with a documented code and say that the limit is too low,
// wherever memory is exhausted: in the program, in a thread, or while libtorch is loaded.
#include <gmock/gmock.h>

#include "cli/limits.h"
#include "cli/trained_model.h"

namespace heed {
namespace {

using testing::HasSubstr;
using testing::Not;

class AddressSpace : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  // Each command does its work, or names what it lacks. Returns how often it failed.
  static int expect_no_crash(const Arguments& arguments, const RunSettings& settings) {
    int refused = 0;
    for (const rlim_t megabytes : {80, 200, 330, 360, 390, 420, 450, 480}) {
      const Limit limit(RLIMIT_AS, megabytes << 20);
      const Outcome outcome = run_heed(arguments, settings);
      SCOPED_TRACE(fmt::format("{} MB, {}", megabytes, outcome.err));
      if (outcome.exit_code == 0) continue;
      ++refused;
      EXPECT_EQ(outcome.exit_code, 1);
      EXPECT_THAT(outcome.err, HasSubstr(" of address space that `ulimit -v` allows"));
      EXPECT_THAT(outcome.err, Not(HasSubstr("please report it")));
      EXPECT_EQ(outcome.out, "");
      if (outcome.err.find("cannot be opened") != std::string::npos) {
        EXPECT_THAT(outcome.err, HasSubstr("; the libraries of libtorch have "));
      }
    }
    return refused;
  }
};

TEST_F(AddressSpace, ThatIsTooSmallIsSaid) {
  const RunSettings here{.input = "a b\n", .folder = ToyWorkshop::trained().path(), .anew = true};
  EXPECT_GT(expect_no_crash({"train", "toy.yaml", "--dry-run"}, here), 2);
  EXPECT_GT(expect_no_crash({"score", "runs/toy", "-s", "valid.src", "-t", "valid.tgt"}, here), 2);
}

}  // namespace
}  // namespace heed
