#include "serve/sentence_receivers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/line_batch.h"
#include "serve/test_lines.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class SentencesOfALine : public testing::Test {
 protected:
  SentencesOfALine() { lines_.how->split = true; }
  std::vector<QueuedLine> sentences(const std::string& text) const {
    SentenceRoom room;
    return sentences_of(lines_.model, lines_.line(text, receiver_), room);
  }
  static TranslatedLine translation(const std::string& text) {
    TranslatedLine one;
    one.source = {"a"};
    one.best.emplace_back().text = text;
    return one;
  }
  TestLines lines_;
  std::shared_ptr<Receiver> receiver_ = std::make_shared<Receiver>();
};

TEST_F(SentencesOfALine, AreOneTranslationInTheirOrder) {
  const auto sentences = this->sentences("a b\nb c\nc");
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_EQ(sentences[1].line, SourceLine{"b c"});
  EXPECT_EQ(sentences[1].sentence, 1);
  EXPECT_EQ(sentences[1].number, sentences[0].number);
  sentences[2].receiver->translated(translation("three"));
  sentences[0].receiver->translated(translation("one"));
  EXPECT_THAT(receiver_->texts, IsEmpty());
  sentences[1].receiver->translated(translation("two"));
  EXPECT_THAT(receiver_->texts, ElementsAre("one\ntwo\nthree"));
  EXPECT_THAT(receiver_->errors, IsEmpty());
}

TEST_F(SentencesOfALine, FailTogetherAndOnce) {
  const auto sentences = this->sentences("a b\nb c\nc");
  sentences[0].receiver->translated(translation("one"));
  sentences[1].receiver->failed({HttpStatus::kTimeout, "late"});
  EXPECT_FALSE(sentences[2].receiver->is_waiting());
  sentences[2].receiver->failed({HttpStatus::kTimeout, "late as well"});
  EXPECT_THAT(receiver_->errors, ElementsAre("late"));
  EXPECT_THAT(receiver_->texts, IsEmpty());
}

TEST_F(SentencesOfALine, GoWithTheirClient) {
  const auto sentences = this->sentences("a b\nb c");
  EXPECT_TRUE(sentences[1].receiver->is_waiting());
  receiver_->waiting = false;
  EXPECT_FALSE(sentences[1].receiver->is_waiting());
}

TEST_F(SentencesOfALine, AreTheLineWhereThereIsOne) {
  const auto one = sentences("a b");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].receiver, receiver_);
  lines_.how->split = false;
  EXPECT_EQ(sentences("a b\nb").size(), 1u);
}

TEST_F(SentencesOfALine, AreSearchedAsLines) {
  lines_.set_length(3);
  LineBatch batch(lines_.model, {.memory = lines_.memory, .weights = 1'000, .room = 8});
  const auto text_of = [&](const std::string& text) {
    const auto receiver = std::make_shared<Receiver>();
    SentenceRoom room;
    for (QueuedLine& sentence : sentences_of(lines_.model, lines_.line(text, receiver), room))
      batch.add(std::move(sentence));
    while (batch.size() > 0) batch.step();
    EXPECT_THAT(receiver->errors, IsEmpty());
    return receiver->texts.at(0);
  };
  EXPECT_EQ(text_of("a b\nc"), text_of("a b") + "\n" + text_of("c"));
}

TEST(RoomForSentences, IsForMemory) {
  SentenceRoom room;
  room.take(1, 0);
  room.take(20'000, 0);
  room.take(1, 0);
  EXPECT_THROW(room.take(2, 0), HttpError);
  SentenceRoom other;
  other.take(100, 5000);
  EXPECT_THROW(other.take(100, 5000), HttpError);
}

}  // namespace
}  // namespace heed
