// Two processes on one run folder; each opening of a file is slowed down so that they overlap.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "cli/faults.h"
#include "cli/trained_model.h"

namespace heed {
namespace {

using testing::AnyOf;
using testing::Eq;

constexpr int kBusy = static_cast<int>(ErrorKind::kIo),
              kUsage = static_cast<int>(ErrorKind::kUsage);

class SlowPairs : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }

  Running start(const Arguments& more) const {
    constexpr int64_t kDelay = 3000;
    return {tiny_.arguments(run_, more),
            tiny_.settings({.delay = kDelay, .folder = folder_.path()})};
  }
  // One of the two succeeds. The other succeeds too, or fails because the run is busy, or finds the
  // folder just emptied by --overwrite.
  void expect_one_writer(Running& first, Running& second) const {
    const Outcome outcomes[] = {first.wait(), second.wait()};
    for (const Outcome& outcome : outcomes) {
      if (outcome.exit_code == kUsage &&
          outcome.err.find("holds no run to resume") < outcome.err.size())
        continue;
      EXPECT_THAT(outcome.exit_code, AnyOf(Eq(0), Eq(kBusy))) << outcome.err;
    }
    EXPECT_TRUE(outcomes[0].exit_code == 0 || outcomes[1].exit_code == 0);
    tiny_.expect_whole(run_);
  }
  TinyRun tiny_;
  TemporaryFolder folder_;
  const fs::path run_ = folder_ / "runs/tiny";
};

TEST_F(SlowPairs, TwoResumesAreOneWriter) {
  ASSERT_EQ(tiny_.train(run_, {"--set", "train.max_updates=4"}).exit_code, 0);
  Running first = start({"--resume"}), second = start({"--resume"});
  expect_one_writer(first, second);
}

TEST_F(SlowPairs, AnOverwriteBesideARunIsOneWriterSample) {
  ASSERT_EQ(tiny_.train(run_, {"--set", "train.max_updates=4"}).exit_code, 0);
  Running first = start({"--resume"}), second = start({"--overwrite"});
  expect_one_writer(first, second);
}

// Replaces the best checkpoint several times, as a training run does, from the moment that a reader
// has opened its first file.
class MovingBest {
 public:
  MovingBest(const fs::path& run, const fs::path& calls_of_reader) : run_(run) {
    name_ = fs::read_symlink(run / "best").filename();
    thread_ = std::thread([this, calls_of_reader] {
      while (!reader_ended_ && read_plainly(calls_of_reader).empty()) usleep(1000);
      constexpr int kMoves = 8;
      for (int move = 0; move < kMoves; ++move) go_on();
    });
  }
  ~MovingBest() {
    reader_ended_ = true;
    thread_.join();
  }

 private:
  void go_on() {
    const std::string next = fmt::format("step-{:08}", std::stoll(name_.substr(5)) + 1);
    const fs::path all = run_ / "checkpoints";
    const fs::path aside = all / fmt::format(".{}.moved0.tmp", next);
    fs::copy(all / name_, aside, fs::copy_options::recursive);
    fs::rename(aside, all / next);
    for (const char* link : {"latest", "best"})
      replace_link(run_ / link, fs::path("checkpoints") / next);
    remove_tree(all / name_);
    name_ = next;
    usleep(50'000);
  }
  fs::path run_;
  std::string name_;
  std::atomic<bool> reader_ended_ = false;
  std::thread thread_;
};

class SlowReaders : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
};

TEST_F(SlowReaders, FindAWholeModelWhileBestMovesSample) {
  const TemporaryFolder folder;
  fs::copy(ToyWorkshop::trained() / "runs/toy", folder / "run",
           fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  write_plainly(folder / "in", "a b\n");
  const TemporaryFolder other;
  const fs::path calls = other / "calls";
  const Fault slow{.delay = 20'000, .log = calls, .folder = folder.path()};
  for (const Arguments& reader :
       {Arguments{"translate", "run", "-i", "in"}, Arguments{"translate", "run/best", "-i", "in"},
        Arguments{"inspect", "run"}}) {
    fs::remove(calls);
    const MovingBest mover(folder / "run", calls);
    const Outcome outcome =
        run_heed(reader, {.environment = environment_of(slow), .folder = folder.path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out, "");
  }
}

}  // namespace
}  // namespace heed
