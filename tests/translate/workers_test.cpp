#include "translate/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "holds.h"

namespace heed {
namespace {

TEST(GroupsByLength, AreAlikeInLengthAndLeaveOutTheEmpty) {
  holds({"--batch"});
  using Groups = std::vector<std::vector<size_t>>;
  EXPECT_EQ(groups_by_length({3, 0, 5, 3, 9, 4, 8}, 2, 7), (Groups{{4}, {6}, {2, 5}, {0, 3}}));
  EXPECT_TRUE(groups_by_length({0, 0}, 2, 7).empty());
}

TEST(Workers, DoEachPieceOnce) {
  for (const int64_t workers : {1, 2, 5}) {
    std::vector<std::atomic<int>> done(40);
    run_in_workers(workers, done.size(), [&](size_t i) { ++done[i]; });
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(Workers, WorkSideBySide) {
  holds({"--workers"});
  constexpr size_t kWorkers = 3;
  std::atomic<size_t> begun = 0;
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  run_in_workers(kWorkers, kWorkers, [&](size_t) {
    ++begun;
    while (begun < kWorkers && std::chrono::steady_clock::now() < last) std::this_thread::yield();
    EXPECT_EQ(begun, kWorkers) << "each waits for the others";
  });
}

}  // namespace
}  // namespace heed
