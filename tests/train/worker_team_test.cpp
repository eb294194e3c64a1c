#include "train/worker_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "nn/compare.h"
#include "nn/torch.h"
#include "train/flat_parameters.h"

namespace heed {
namespace {

TEST(WorkerTeam, RunsTheJobOnceInEachThread) {
  for (const int64_t size : {2, 5}) {
    WorkerTeam team(size);
    for (int round = 0; round < 3; ++round) {
      std::vector<std::thread::id> threads(static_cast<size_t>(size));
      team.run([&](size_t i) { threads.at(i) = std::this_thread::get_id(); });
      const std::set<std::thread::id> all(threads.begin(), threads.end());
      EXPECT_EQ(std::ssize(all), size);
      EXPECT_FALSE(all.contains(std::this_thread::get_id()));
      EXPECT_FALSE(all.contains(std::thread::id()));
    }
  }
}

TEST(WorkerTeam, OfOneIsTheCallingThread) {
  WorkerTeam team(1);
  std::thread::id thread;
  team.run([&](size_t i) {
    EXPECT_EQ(i, 0U);
    thread = std::this_thread::get_id();
  });
  EXPECT_EQ(thread, std::this_thread::get_id());
}

TEST(WorkerTeam, ThrowsWhatTheFirstThreadHasThrownAfterAllHaveEnded) {
  WorkerTeam team(3);
  std::atomic<int> ended = 0;
  const auto job = [&](size_t i) {
    if (i > 0) throw std::runtime_error(i == 1 ? "one" : "two");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++ended;
  };
  for (int round = 1; round <= 2; ++round) {
    try {
      team.run(job);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "one");
    }
    EXPECT_EQ(ended, round);
  }
  team.run([&](size_t) { ++ended; });  // what was thrown is forgotten
  EXPECT_EQ(ended, 5);
}

struct Numbers final : torch::nn::Module {
  explicit Numbers(int64_t count) {
    register_parameter("numbers", uniform({count}, "numbers").to(torch::kFloat));
  }
};

// A little more than four blocks, so that threads have unequal parts.
constexpr int64_t kMany = 4 * 65536 + 77;

TEST(FlatParameters, PassesGoOverEachElementOnceInTheSameBlocks) {
  Numbers module(kMany);
  FlatParameters parameters(module);
  std::set<std::pair<int64_t, int64_t>> first;
  for (const int64_t threads : {1, 2, 3, 7}) {
    parameters.use_threads(threads);
    std::mutex mutex;
    std::set<std::pair<int64_t, int64_t>> blocks;
    Tensor seen = torch::zeros({kMany});
    parameters.in_blocks(kMany, [&](const BufferPart& block) {
      slice_of(seen, block).add_(1);
      const std::lock_guard lock(mutex);
      blocks.emplace(block.begin, block.size);
    });
    EXPECT_TRUE(seen.eq(1).all().item<bool>()) << threads;
    if (first.empty()) first = blocks;
    EXPECT_EQ(blocks, first) << threads;
  }
  EXPECT_EQ(first.size(), 5U);
}

TEST(FlatParameters, NormIsThatOfAllElementsWithAnyNumberOfThreads) {
  Numbers module(kMany);
  FlatParameters parameters(module);
  const double norm = parameters.norm(parameters.values());
  EXPECT_NEAR(norm, parameters.values().to(torch::kDouble).norm().item<double>(), 1e-5);
  for (const int64_t threads : {2, 3}) {
    parameters.use_threads(threads);
    EXPECT_EQ(parameters.norm(parameters.values()), norm) << threads;
  }
  parameters.values()[kMany - 1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(std::isfinite(parameters.norm(parameters.values())));
}

}  // namespace
}  // namespace heed
