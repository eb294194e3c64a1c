#include "serve/line_batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "search/table_engine.h"
#include "serve/test_lines.h"

namespace heed {
namespace {

constexpr const char *kGood = "a", *kBad = "c";

// Fails with `bad` in the batch, when it enters or at the second step of anything beside it.
class FailingEngine final : public Engine {
 public:
  FailingEngine(int32_t bad, bool later) : bad_(bad), later_(later) {}
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override {
    const bool is_bad = std::ranges::any_of(
        sentences, [&](const Example* one) { return one->sources[0][0] == bad_; });
    if (is_bad && !later_) throw Error(ErrorKind::kFailure, "bad sentence");
    return std::make_unique<FailingDecoding>(engine_.start(sentences, attention), is_bad);
  }

 private:
  class FailingDecoding final : public Decoding {
   public:
    FailingDecoding(std::unique_ptr<Decoding> decoding, bool fails)
        : decoding_(std::move(decoding)), fails_(fails) {}
    void step(const std::vector<int32_t>& tokens) override {
      if (fails_ && ++steps_ == 2) throw Error(ErrorKind::kFailure, "bad sentence");
      decoding_->step(tokens);
    }
    TopK best(int64_t count, const Limits& limits, const Distributions& wanted) override {
      return decoding_->best(count, limits, wanted);
    }
    std::optional<std::span<const double>> attention(int64_t row) override {
      return decoding_->attention(row);
    }
    void gather(const std::vector<int64_t>& rows, int64_t hypotheses) override {
      decoding_->gather(rows, hypotheses);
    }
    void join(std::unique_ptr<Decoding> more) override {
      auto& other = dynamic_cast<FailingDecoding&>(*more);
      fails_ |= other.fails_;
      decoding_->join(std::move(other.decoding_));
    }

   private:
    std::unique_ptr<Decoding> decoding_;
    bool fails_;
    int64_t steps_ = 0;
  };

  const int32_t bad_;
  const bool later_;
  FakeEngine engine_;
};

class LineBatchTest : public testing::TestWithParam<bool> {
 protected:
  std::shared_ptr<Receiver> add(LineBatch& batch, const std::string& text) const {
    const auto receiver = std::make_shared<Receiver>();
    batch.add(lines_.line(text, receiver));
    return receiver;
  }
  LineBatchOptions options() const {
    return {.memory = lines_.memory, .weights = 1'000, .room = 8};
  }
  TestLines lines_;
};

INSTANTIATE_TEST_SUITE_P(AtTheStartOrLater, LineBatchTest, testing::Bool());

TEST_P(LineBatchTest, TellsAFailureToItsLineAlone) {
  lines_.model.engine = std::make_shared<FakeEngine>();
  LineBatch plain(lines_.model, options());
  const auto expected = add(plain, kGood);
  while (plain.size() > 0) plain.step();
  ASSERT_EQ(expected->texts.size(), 1u);

  lines_.model.engine =
      std::make_shared<FailingEngine>(lines_.model.source_codec(0).encode(kBad).at(0), GetParam());
  LineBatch batch(lines_.model, options());
  const auto before = add(batch, kGood), bad = add(batch, kBad), behind = add(batch, kGood);
  while (batch.size() > 0) batch.step();
  EXPECT_EQ(before->texts, expected->texts);
  EXPECT_EQ(behind->texts, expected->texts);
  EXPECT_EQ(bad->errors, std::vector<std::string>{"bad sentence"});
  EXPECT_TRUE(bad->texts.empty());
  EXPECT_TRUE(before->errors.empty() && behind->errors.empty());
}

TEST_F(LineBatchTest, EndsALineOfAClientThatIsGoneAtItsNextToken) {
  lines_.set_length(5);
  LineBatch batch(lines_.model, options());
  const auto gone = add(batch, kGood), other = add(batch, kGood);
  gone->waiting = false;
  batch.step();
  EXPECT_EQ(gone->errors, std::vector<std::string>{"the client has closed the connection"});
  EXPECT_EQ(batch.size(), 1u);
  while (batch.size() > 0) batch.step();
  EXPECT_TRUE(gone->texts.empty());
  EXPECT_EQ(other->texts.size(), 1u);
}

// The engine names no memory, so that a token takes 32 kB: of a target of 6 tokens with kEnd and two
// hypotheses, and of a source of one with kEnd. The rest is less than half a token.
TEST_F(LineBatchTest, SearchesLinesForWhichThereIsMemory) {
  constexpr int64_t kToken = 32 << 10;
  lines_.set_length(5);
  MemoryBudget memory(2.5 * 14 * kToken);
  LineBatch batch(lines_.model, {.memory = memory, .weights = 1'000, .room = 8});
  const auto first = add(batch, kGood), second = add(batch, kGood), third = add(batch, kGood);
  EXPECT_EQ(memory.used(), 0);
  EXPECT_TRUE(batch.step());
  EXPECT_GE(memory.used(), 2 * 14 * kToken);
  third->waiting = false;
  while (second->texts.empty()) EXPECT_TRUE(batch.step());
  EXPECT_EQ(first->texts, second->texts);
  EXPECT_TRUE(third->texts.empty());
  while (batch.size() > 0) batch.step();
  EXPECT_EQ(third->errors, std::vector<std::string>{"the client has closed the connection"});
  const auto fourth = add(batch, kGood);
  while (batch.size() > 0) batch.step();
  EXPECT_EQ(fourth->texts, first->texts);
  batch.step();
  EXPECT_EQ(memory.used(), 0);
}

TEST_F(LineBatchTest, RefusesALineThatNeedsMoreMemoryThanThereIs) {
  lines_.set_length(5);
  MemoryBudget memory(10 * (32 << 10));
  LineBatch batch(lines_.model, {.memory = memory, .weights = 1'000, .room = 8});
  const auto receiver = add(batch, kGood);
  EXPECT_EQ(batch.size(), 0u);
  ASSERT_EQ(receiver->errors.size(), 1u);
  EXPECT_THAT(receiver->errors[0], testing::HasSubstr("--max-memory"));
  EXPECT_EQ(memory.used(), 0);
}

// 2 source tokens with kEnd, 100 target tokens with kEnd, 5 translations.
TEST_F(LineBatchTest, LimitsTheAttentionWeightsOfALine) {
  lines_.set_length(99);
  lines_.how->attention = true;
  lines_.how->search.beam = lines_.how->search.nbest = 5;
  for (const auto& [limit, errors] : {std::pair{1'000, 0U}, {999, 1U}}) {
    LineBatch batch(lines_.model,
                    {.memory = lines_.memory, .weights = limit, .room = 8, .attention = true});
    const auto receiver = add(batch, kGood);
    ASSERT_EQ(receiver->errors.size(), errors);
    for (const std::string& error : receiver->errors)
      EXPECT_THAT(error, testing::HasSubstr("1000 weights"));
  }
}

}  // namespace
}  // namespace heed
