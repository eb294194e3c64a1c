// Requests that exceed the memory of the machine are refused before anything is allocated; the
// message gives the memory that is needed and the memory that is available.
#include <gmock/gmock.h>

#include "cli/limits.h"
#include "cli/trained_model.h"

namespace heed {
namespace {

using testing::HasSubstr;

class Bounds : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  Outcome train(const std::string& set) const {
    return workshop_.run({"train", "toy.yaml", "--set", set});
  }
  ToyWorkshop workshop_;
};

TEST_F(Bounds, AWidthBeyondTheMemoryIsRefusedBeforeTheRunIsMade) {
  for (const Arguments& command : {Arguments{"config", "check"}, Arguments{"train"}}) {
    const Outcome outcome =
        workshop_.run(joined(command, {"toy.yaml", "--set", "model.encoder.width=1000000"}));
    EXPECT_FAILS(outcome, 2, "TB to be trained (parameters, 1 gradient, 2 numbers of adam for");
    EXPECT_THAT(outcome.err, HasSubstr("this machine has"));
    EXPECT_THAT(outcome.err, HasSubstr("[3,500000,500000]"));
  }
  EXPECT_FALSE(std::filesystem::exists(workshop_ / "runs/toy"));
}

TEST_F(Bounds, ValuesBeyondReasonAreRefusedWithTheRange) {
  EXPECT_FAILS(train("model.encoder.width=1000000000"), 2, "from 1 to 1000000");
  EXPECT_FAILS(train("model.encoder.layers=1000000000"), 2, "from 1 to 1000");
  EXPECT_FAILS(train("model.encoder.layers=4611686018427387904"), 2, "from 1 to 1000");
  EXPECT_FAILS(train("train.workers=5000"), 2, "from 1 to 1024");
  EXPECT_FAILS(train("train.accumulate=1000000000"), 2, "from 1 to 10000");
  EXPECT_FAILS(train("search.min_length=1000000"), 2, "from 0 to 65000");
  EXPECT_FAILS(train("text.source={type: words, marker: ''}"), 2, "marker: is empty");
  EXPECT_FAILS(train("text.source={type: sentencepiece, character_coverage: 0.9}"), 2,
               "from 0.98 to 1");
}

// The stacks of these threads are more than the process may map.
TEST_F(Bounds, ThreadsThatCannotBeStartedAreAnErrorAndNoDeadlock) {
  const Limit limit(RLIMIT_AS, rlim_t{8} << 30);
  const Outcome outcome = train("train.workers=1024");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("heed: cannot start 1024 threads (Resource temporarily "
                                     "unavailable); give fewer train.workers\n"));
}

// One update takes minutes; the test does not wait for it.
TEST_F(Bounds, AnUpdateOfManyBatchesStopsAtASignal) {
  Running running({"train", "toy.yaml", "--set", "train.accumulate=10000"},
                  {.folder = workshop_.path()});
  while (running.err().find("workers") == std::string::npos && !running.has_ended()) usleep(10'000);
  usleep(300'000);
  running.send(SIGTERM);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 143) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(workshop_ / "runs/toy/latest")) << outcome.err;
}

}  // namespace
}  // namespace heed
