#include "serve/connection_watch.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace heed {
namespace {

struct Pair {
  Pair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()), 0); }
  ~Pair() {
    for (const int end : ends) close(end);
  }
  // The other end reads the end of the stream.
  bool is_shut_down() const {
    char byte = 0;
    return read(ends[1], &byte, 1) == 0;
  }
  std::array<int, 2> ends{};
};

TEST(ConnectionWatch, ShutsDownConnectionsThatAreLate) {
  ConnectionWatch watch;
  const Pair late, early, forgotten, renewed;
  const auto now = ConnectionWatch::Clock::now();
  watch.expect(late.ends[0], now);
  watch.expect(early.ends[0], now + std::chrono::hours(1));
  watch.expect(forgotten.ends[0], now);
  watch.forget(forgotten.ends[0]);
  watch.expect(renewed.ends[0], now);
  watch.expect(renewed.ends[0], now + std::chrono::hours(1));
  watch.close_late();
  EXPECT_TRUE(late.is_shut_down());
  for (const Pair* open : {&early, &forgotten, &renewed}) EXPECT_FALSE(open->is_shut_down());
}

}  // namespace
}  // namespace heed
