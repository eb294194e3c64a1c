#include "serve/translation_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "serve/test_lines.h"

namespace heed {
namespace {

using testing::ElementsAre;

// A queue whose only worker translates one line after another. It is busy with the first until
// finish(), and for many tokens after that.
class TranslationQueueTest : public testing::Test {
 protected:
  TranslationQueueTest() {
    busy_->on_beginning = [this] { added_.wait(); };
    busy_->on_translated = [this, queue = queue_.get()] { left_ = queue->waiting(); };
    lines_.set_length(1'500);
    queue_->add({lines_.line("a", busy_)});
    while (queue_->waiting() > 0) std::this_thread::yield();
    lines_.set_length(3);
  }
  std::vector<std::shared_ptr<Receiver>> add(const std::string& name, size_t lines,
                                             bool waiting = true) {
    std::vector<std::shared_ptr<Receiver>> receivers;
    std::deque<QueuedLine> request;
    for (size_t i = 0; i < lines; ++i) {
      const auto receiver = receivers.emplace_back(std::make_shared<Receiver>());
      receiver->waiting = waiting;
      receiver->on_translated = [this, name] { order_.push_back(name); };
      request.push_back(lines_.line("b", receiver));
    }
    EXPECT_TRUE(queue_->add(std::move(request)));
    return receivers;
  }
  void finish() {
    added_.count_down();
    queue_.reset();
  }

  const TestLines lines_;
  const std::shared_ptr<Receiver> busy_ = std::make_shared<Receiver>();
  std::latch added_{1};
  int64_t left_ = -1;               // lines that wait when the first is translated
  std::vector<std::string> order_;  // of the requests, a name for each line
  std::unique_ptr<TranslationQueue> queue_ = std::make_unique<TranslationQueue>(
      lines_.model, QueueOptions{.batch = 1, .workers = 1, .capacity = 8});
};

TEST_F(TranslationQueueTest, RemovesTheLinesOfAClientThatIsGoneWhileTheBatchIsFull) {
  const auto gone = add("gone", 3, false), waiting = add("waiting", 2);
  finish();
  EXPECT_EQ(left_, 2);
  for (const auto& receiver : gone) {
    EXPECT_TRUE(receiver->texts.empty());
    EXPECT_THAT(receiver->errors, ElementsAre("the client has closed the connection"));
  }
  for (const auto& receiver : waiting) EXPECT_EQ(receiver->texts.size(), 1u);
}

TEST_F(TranslationQueueTest, TakesTheLinesOfRequestsInTurn) {
  add("long", 4);
  add("short", 1);
  add("other", 2);
  busy_->waiting = false;
  finish();
  EXPECT_THAT(order_, ElementsAre("long", "short", "other", "long", "other", "long", "long"));
}

TEST_F(TranslationQueueTest, CountsTheLinesOfAllRequests) {
  add("one", 5);
  EXPECT_FALSE(queue_->add({4, lines_.line("b", std::make_shared<Receiver>())}));
  add("other", 3);
  EXPECT_EQ(queue_->waiting(), 8);
  busy_->waiting = false;
  finish();
  EXPECT_EQ(order_.size(), 8u);
}

}  // namespace
}  // namespace heed
