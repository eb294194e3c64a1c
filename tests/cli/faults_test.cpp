// Every call of a training run on its files fails or ends the process, in turn.
#include <gmock/gmock.h>

#include <cerrno>
#include <csignal>

#include "cli/faults.h"

namespace heed {
namespace {

using testing::AnyOf;
using testing::Eq;

class SlowFaults : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }

  static const TinyRun& tiny() {
    static const TinyRun run;
    return run;
  }
  static const std::vector<std::string>& calls() {
    static const std::vector<std::string> calls = tiny().calls();
    return calls;
  }
  static std::string describe(const Fault& fault) {
    return fault.what + " at call " + std::to_string(fault.at) + " of " +
           std::to_string(calls().size()) + ", " + calls().at(static_cast<size_t>(fault.at) - 1);
  }

  // A run that is disturbed leaves a folder from which either a start or --resume goes on, and only
  // one of them; the end is that of an undisturbed run.
  static void expect_harmless(Fault fault) {
    SCOPED_TRACE(describe(fault));
    const TemporaryFolder folder, copy;
    fault.folder = folder.path();
    const Outcome disturbed = tiny().train(folder / "runs/tiny", {}, fault);
    const int broken = fault.what == "kill" ? 128 + SIGKILL : static_cast<int>(ErrorKind::kIo);
    EXPECT_THAT(disturbed.exit_code, AnyOf(Eq(0), Eq(broken))) << disturbed.err;
    TinyRun::expect_links_to_be_whole(folder / "runs/tiny");

    fs::copy(folder.path(), copy.path(),
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    const Outcome started = tiny().train(folder / "runs/tiny");
    const Outcome resumed = tiny().train(copy / "runs/tiny", {"--resume"});
    const bool starts = started.exit_code == 0;
    EXPECT_THAT(started.exit_code, AnyOf(Eq(0), Eq(2))) << started.err;
    EXPECT_EQ(resumed.exit_code, starts ? 2 : 0) << resumed.err;
    tiny().expect_whole((starts ? folder : copy) / "runs/tiny");
  }

  static void expect_every_call_harmless(const std::string& what) {
    ASSERT_GT(calls().size(), 50u);
    for (size_t call = 1; call <= calls().size(); ++call)
      expect_harmless({.what = what, .at = static_cast<int64_t>(call)});
  }
};

TEST_F(SlowFaults, AnEndAtEveryCallIsHarmless) { expect_every_call_harmless("kill"); }

TEST_F(SlowFaults, AFullDiskAtEveryCallIsHarmless) {
  expect_every_call_harmless(std::to_string(ENOSPC));
}

TEST_F(SlowFaults, ADiskThatStaysFullIsHarmless) { expect_every_call_harmless("full"); }

TEST_F(SlowFaults, TooManyOpenFilesAtEveryCallAreHarmless) {
  expect_every_call_harmless(std::to_string(EMFILE));
}

TEST_F(SlowFaults, SomeCallsSample) {
  constexpr size_t kTrials = 6;
  const std::string kinds[] = {"kill", "full", std::to_string(ENOSPC)};
  for (size_t trial = 0; trial < kTrials; ++trial) {
    const size_t call = 1 + trial * (calls().size() - 1) / (kTrials - 1);
    expect_harmless({.what = kinds[trial % std::size(kinds)], .at = static_cast<int64_t>(call)});
  }
}

// The C library's own streams, which the log is written through, do not go on by themselves.
bool goes_on_by_itself(const std::string& call) { return call != "fopen"; }

TEST_F(SlowFaults, AnInterruptedCallIsMadeAgain) {
  for (size_t call = 1; call <= calls().size(); ++call) {
    if (!goes_on_by_itself(calls()[call - 1])) continue;
    const TemporaryFolder folder;
    const Fault fault{
        .what = std::to_string(EINTR), .at = static_cast<int64_t>(call), .folder = folder.path()};
    SCOPED_TRACE(describe(fault));
    const Outcome outcome = tiny().train(folder / "runs/tiny", {}, fault);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    tiny().expect_whole(folder / "runs/tiny");
  }
}

}  // namespace
}  // namespace heed
