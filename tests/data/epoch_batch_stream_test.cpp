#include "data/epoch_batch_stream.h"

#include <chrono>
#include <map>
#include <thread>

#include "batch_of.h"
#include "data_test_tools.h"

namespace heed {
namespace {

constexpr int kPairs = 700;

class BatchStreams : public testing::Test {
 protected:
  BatchStreams() {
    write_pairs(folder_ / "s", folder_ / "t", kPairs);
    corpus_ = index_corpus({corpus_files({folder_ / "s"}, {folder_ / "t"})});
  }
  StreamOptions options(int threads = 1) const {
    return {.limit = {.tokens = 300}, .seed = 3, .threads = threads, .ahead = 5};
  }
  std::shared_ptr<const ParallelCorpus> from_file() const {
    return index_corpus({corpus_files({folder_ / "s"}, {folder_ / "t"})}, {}, 1, 0);
  }
  std::unique_ptr<EpochBatchStream> stream(int threads = 1) const {
    return std::make_unique<EpochBatchStream>(corpus_, options(threads));
  }
  TemporaryFolder folder_;
  std::shared_ptr<const ParallelCorpus> corpus_;
};

// All that a batch holds.
std::string text_of(const Batch& batch) {
  std::string text = fmt::format("{} {}:", batch.number, batch.epoch);
  for (const Example& example : examples_of(batch)) {
    text += fmt::format(" {}", example.index);
    for (const int32_t id : example.sources.at(0)) text += fmt::format(",{}", id);
    for (const int32_t id : example.target) text += fmt::format(";{}", id);
  }
  return text;
}

std::vector<std::string> read(BatchStream& stream, int count) {
  std::vector<std::string> batches;
  for (int i = 0; i < count; ++i) batches.push_back(text_of(stream.next()));
  return batches;
}

TEST_F(BatchStreams, AreTheSameWithOneAndFourThreads) {
  const auto expected = read(*stream(), 130);
  for (int run = 0; run < 5; ++run) {
    EXPECT_EQ(read(*stream(1), 130), expected);
    EXPECT_EQ(read(*stream(4), 130), expected);
  }
}

TEST_F(BatchStreams, GiveEveryPairOnceAnEpoch) {
  const auto batches = stream(2);
  std::map<int64_t, std::map<int64_t, int>> seen;
  while (batches->position().epoch < 3) {
    const Batch batch = batches->next();
    EXPECT_EQ(batch.number, batches->position().number - 1);
    for (const Example& example : examples_of(batch)) {
      EXPECT_EQ(number_of(example.target), example.index);
      EXPECT_EQ(number_of(example.sources.at(0)), example.index);
      ++seen[batch.epoch][example.index];
    }
  }
  ASSERT_EQ(seen.size(), 3U);
  for (const auto& [epoch, indexes] : seen) {
    EXPECT_EQ(indexes.size(), static_cast<size_t>(kPairs));
    for (const auto& [index, count] : indexes) EXPECT_EQ(count, 1);
  }
}

TEST_F(BatchStreams, GoOnFromAnyPosition) {
  const auto whole = stream();
  std::vector<BatchPosition> positions;
  std::vector<std::string> batches;
  while (whole->position().epoch < 2) {
    positions.push_back(whole->position());
    batches.push_back(text_of(whole->next()));
  }
  for (size_t from = 0; from + 3 < positions.size(); ++from) {
    const auto resumed = stream(1 + static_cast<int>(from % 3));
    resumed->seek(positions[from]);
    EXPECT_EQ(resumed->position(), positions[from]);
    for (size_t i = from; i < from + 3; ++i) EXPECT_EQ(text_of(resumed->next()), batches[i]);
  }
}

TEST_F(BatchStreams, SeekWhileReading) {
  const auto batches = stream(3);
  const auto start = read(*batches, 20);
  batches->seek({});
  EXPECT_EQ(read(*batches, 20), start);
}

TEST_F(BatchStreams, EndAtOnceWhereverTheyAre) {
  for (int i = 0; i < 20; ++i) {
    const auto batches = stream(4);
    for (int n = 0; n < i % 4; ++n) batches->next();
  }
}

TEST_F(BatchStreams, RefuseAPositionThatTheDataDoNotHave) {
  const auto batches = stream();
  batches->seek({.epoch = 0, .batch = 100'000, .number = 5});
  EXPECT_ERROR(batches->next(), ErrorKind::kData, "have changed");
  EXPECT_ERROR(batches->next(), ErrorKind::kData, "have changed");
  batches->seek({});
  EXPECT_EQ(batches->next().number, 0);
}

TEST_F(BatchStreams, ThrowWhatWentWrongInAThread) {
  for (const int threads : {1, 4}) {
    const auto corpus = from_file();
    EpochBatchStream batches(corpus, options(threads));
    const std::string whole = read_plainly(folder_ / "s");
    write_plainly(folder_ / "s", whole.substr(0, whole.size() / 2));
    EXPECT_ERROR(while (true) batches.next(), ErrorKind::kData, "changed during");
    EXPECT_ERROR(batches.next(), ErrorKind::kData, "changed during");
    write_plainly(folder_ / "s", whole);
  }
}

// What is ready does not need the file any more. How long that takes depends on the machine.
TEST_F(BatchStreams, PreparesBatchesAhead) {
  const size_t ahead = options().ahead;
  const std::string whole = read_plainly(folder_ / "s");
  const auto corpus = from_file();
  size_t ready = 0;
  for (auto wait = std::chrono::milliseconds(20); ready < ahead && wait.count() < 20'000;
       wait *= 4) {
    const auto batches = std::make_unique<EpochBatchStream>(corpus, options());
    batches->next();
    std::this_thread::sleep_for(wait);
    write_plainly(folder_ / "s", "");
    ready = 0;
    EXPECT_ERROR(
        while (true) {
          batches->next();
          ++ready;
        },
        ErrorKind::kData, "changed during");
    write_plainly(folder_ / "s", whole);
  }
  EXPECT_EQ(ready, ahead);
}

// By the lengths of the index as by those of the sentences; others' are not read.
TEST_F(BatchStreams, GiveTheOwnSharesOfEachBatch) {
  const auto whole = stream();
  for (int64_t rank = 0; rank < 2; ++rank) {
    const Division division{.workers = 2, .rank = rank, .processes = 2};
    const auto own = stream(2);
    own->divide(division);
    whole->seek({});
    for (int i = 0; i < 60; ++i) {
      const Batch all = whole->next(), some = own->next();
      const Batch expected = batch_of(examples_of(all), division);
      EXPECT_EQ(some.tokens, expected.tokens);
      EXPECT_EQ(some.sentences, expected.sentences);
      ASSERT_EQ(some.shards.size(), expected.shards.size());
      for (size_t s = 0; s < some.shards.size(); ++s) {
        EXPECT_EQ(some.shards[s].rows, expected.shards[s].rows);
        for (size_t k = 0; k < some.shards[s].rows.size(); ++k) {
          EXPECT_EQ(some.shards[s].examples[k].index, expected.shards[s].examples[k].index);
        }
      }
    }
    EXPECT_EQ(own->position(), whole->position());
  }
}

TEST_F(BatchStreams, NumberGoesOnOverEpochs) {
  const auto batches = stream();
  for (int64_t number = 0; number < 100; ++number) EXPECT_EQ(batches->next().number, number);
  EXPECT_GT(batches->position().epoch, 0);
}

}  // namespace
}  // namespace heed
