#include "serve/event_text.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

// The expected texts are those of the HTML standard, section 9.2.
TEST(EventText, IsOneEventWhateverTheDataAre) {
  EXPECT_EQ(event_text("token", "{\"text\":\"a\"}"), "event: token\ndata: {\"text\":\"a\"}\n\n");
  EXPECT_EQ(event_text("a", "b\n\nevent: c"), "event: a\ndata: b\ndata: \ndata: event: c\n\n");
  EXPECT_EQ(event_text("a", "b\rc\r\nd\n"), "event: a\ndata: b\ndata: c\ndata: d\ndata: \n\n");
  EXPECT_EQ(event_text("a", ""), "event: a\ndata: \n\n");
}

}  // namespace
}  // namespace heed
