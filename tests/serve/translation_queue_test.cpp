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
  // All lines are short beside it.
  static SearchConfig usual() {
    SearchConfig search;
    search.beam = 50;
    return search;
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
      std::make_shared<const TextModel>(lines_.model),
      QueueOptions{
          .batch = 1, .workers = 1, .capacity = 8, .usual = usual(), .memory = lines_.memory});
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

// A line of three times the work takes a turn of three.
TEST_F(TranslationQueueTest, TurnsAreOfTheSameWork) {
  lines_.set_length(9);
  add("long", 3);
  lines_.set_length(3);
  add("short", 5);
  busy_->waiting = false;
  finish();
  EXPECT_THAT(order_,
              ElementsAre("long", "short", "short", "short", "long", "short", "short", "long"));
}

// Lines for a search of two hypotheses, of which the long ones have 1,500 tokens.
struct ManyLines {
  std::shared_ptr<Receiver> add(int64_t tokens, size_t count) {
    lines.set_length(tokens);
    const auto receiver = std::make_shared<Receiver>();
    EXPECT_TRUE(queue.add({count, lines.line("a", receiver)}));
    return receiver;
  }
  const TestLines lines;
  TranslationQueue queue{
      std::make_shared<const TextModel>(lines.model),
      {.batch = 4, .capacity = 1000, .usual = lines.how->search, .memory = lines.memory}};
};

TEST(Fairness, AShortLineDoesNotWaitForLongOnes) {
  ManyLines many;
  const auto longs = many.add(1'500, 200);
  while (many.queue.waiting() == 200) std::this_thread::yield();
  const auto shorts = many.add(3, 1);
  while (shorts->ended == 0) std::this_thread::yield();
  EXPECT_EQ(shorts->texts.size(), 1u);
  EXPECT_EQ(longs->ended, 0);
  longs->waiting = false;
}

// More of them than there is room.
TEST(Fairness, AShortLineDoesNotWaitForOthersOfItsKind) {
  ManyLines many;
  const auto others = many.add(400, 200);
  while (many.queue.waiting() > 196) std::this_thread::yield();
  const auto shorts = many.add(3, 1);
  while (shorts->ended == 0) std::this_thread::yield();
  EXPECT_EQ(others->ended, 0);
  others->waiting = false;
}

}  // namespace
}  // namespace heed
