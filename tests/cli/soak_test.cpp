// Memory does not grow with the length of a training or translation.
#include <gmock/gmock.h>

#include "cli/trained_model.h"

namespace heed {
namespace {

constexpr int64_t kMega = 1'000'000;
// Allowance for fragmentation by allocations of varying sizes.
constexpr int64_t kSlack = 12 * kMega;

class SlowSoak : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
};

TEST_F(SlowSoak, TrainingNeedsNoMoreForFourTimesTheUpdates) {
  const auto peak = [](const std::string& updates) {
    const ToyWorkshop workshop;
    const Outcome outcome =
        workshop.run({"train", "toy.yaml", "--set", "train.max_updates=" + updates});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.peak_memory * 1024;
  };
  EXPECT_LT(peak("8000"), peak("2000") + kSlack);
}

TEST_F(SlowSoak, TranslatingNeedsNoMoreForFourTimesTheLines) {
  const ToyWorkshop& workshop = ToyWorkshop::trained();
  const auto peak = [&](int lines) {
    const Outcome outcome =
        workshop.run({"translate", "runs/toy", "--beam", "2"}, toy_lines(3, lines));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), static_cast<size_t>(lines));
    return outcome.peak_memory * 1024;
  };
  // Lines are read 10,000 at a time.
  EXPECT_LT(peak(80'000), peak(20'000) + kSlack);
}

}  // namespace
}  // namespace heed
