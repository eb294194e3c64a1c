#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cli/program.h"
#include "cli/trained_model.h"

namespace heed {
namespace {

constexpr int kUpdates = 150;

class SlowResume : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }

  static Arguments arguments(const char* run) {
    return {"train", "toy.yaml",
            "--run", run,
            "--set", "train.max_updates=" + std::to_string(kUpdates),
            "--set", "train.save_every=4",
            "--set", "train.log_every=1",
            "--set", "train.validate={every: 50, metric: loss}",
            "--set", "model.encoder.dropout=0.3",
            "--set", "model.decoder.dropout=0.3",
            "--set", "model.decoder.dropout_mask=sequence",
            "--set", "model.decoder.variational_dropout=0.3",
            "--set", std::string("train.workers=") + GetParam()};
  }

  // How far the run that is killed has come, by its metrics.
  int update_reached() const {
    int update = 0;
    std::ifstream metrics(workshop_ / "killed/metrics.jsonl");
    for (std::string line; std::getline(metrics, line);) {
      const size_t place = line.find("\"update\":");
      if (place != std::string::npos) update = std::atoi(line.c_str() + place + 9);
    }
    return update;
  }

  // Starts or resumes the run and kills it as soon as it has logged this update.
  void run_until_killed(int update) const {
    Arguments words = arguments("killed");
    if (std::filesystem::exists(workshop_ / "killed/latest")) words.push_back("--resume");
    Running running(words, {.folder = workshop_.path()});
    while (update_reached() < update && !running.has_ended()) usleep(2'000);
    running.send(SIGKILL);
    ASSERT_EQ(running.wait().exit_code, 128 + SIGKILL) << running.err();
  }

  ToyWorkshop workshop_;
};

// An epoch has 32 updates, so nearly all of the kills fall into one.
TEST_P(SlowResume, KilledAtFiveUpdatesEqualsUninterrupted) {
  ASSERT_EQ(workshop_.run(arguments("whole")).exit_code, 0);
  std::random_device device;
  std::vector<int> kills;
  while (kills.size() < 5) kills.push_back(5 + static_cast<int>(device() % (kUpdates - 20)));
  std::sort(kills.begin(), kills.end());
  for (const int update : kills) {
    SCOPED_TRACE("killed after update " + std::to_string(update));
    run_until_killed(update);
  }
  Arguments last = arguments("killed");
  last.push_back("--resume");
  const Outcome resumed = workshop_.run(last);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  for (const char* file : {"/latest/model/model.safetensors", "/latest/optimizer.safetensors"}) {
    const std::string whole = workshop_.read(std::string("whole") + file);
    EXPECT_GT(whole.size(), 1000u) << file;
    EXPECT_TRUE(whole == workshop_.read(std::string("killed") + file))
        << file << testing::PrintToString(kills);
  }
}

INSTANTIATE_TEST_SUITE_P(Workers, SlowResume, testing::Values("1", "2"));

}  // namespace
}  // namespace heed
