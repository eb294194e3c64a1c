#include "serve/byte_queue.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

TEST(ByteQueue, GivesBytesInTheirOrder) {
  ByteQueue queue;
  for (const char* piece : {"abc", "", "d", "efgh"}) queue.add(piece);
  EXPECT_EQ(queue.size(), 8u);
  std::string taken;
  for (size_t size : {2, 3, 1}) {
    std::string buffer(size, '?');
    EXPECT_EQ(queue.take(buffer.data(), size), size);
    taken += buffer;
  }
  EXPECT_EQ(taken, "abcdef");
  queue.add("ij");
  EXPECT_EQ(queue.size(), 4u);
  EXPECT_EQ(queue.take_all(), "ghij");
  char none = 0;
  EXPECT_EQ(queue.take(&none, 1), 0u);
}

}  // namespace
}  // namespace heed
