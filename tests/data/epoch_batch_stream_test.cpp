#include "data/epoch_batch_stream.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <thread>

#include "batch_of.h"
#include "data_test_tools.h"
#include "holds.h"
#include "text/sentencepiece.h"

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

// All contents of a batch as text.
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

// Batches that are ready do not need the file any longer. How long this takes depends on the
// machine.
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

// Shards are the same by the lengths in the index as by the sentences; sentences of other processes
// are not read.
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

// SentencePiece codec that can merge or split the digits of the words.
std::shared_ptr<const Codec> subwords_of_words() {
  SentencePieceConfig config;
  config.size = 60;
  const LineSource lines = [](const std::function<void(std::string_view)>& take) {
    for (int i = 0; i < 100; ++i) take(fmt::format("w{} w{}", i, i));
  };
  const auto tokenizer = config.make(lines, 1);
  return std::make_shared<const Codec>(tokenizer,
                                       std::make_shared<const Vocabulary>(tokenizer->own_pieces()));
}

class SampledStreams : public testing::Test {
 protected:
  SampledStreams() { write_pairs(folder_ / "s", folder_ / "t", kPairs); }
  std::shared_ptr<ParallelCorpus> corpus(const std::vector<size_t>& sampled,
                                         const Cleaning& cleaning = {}) const {
    const auto text = std::make_shared<const TrainingText>(
        std::vector<CorpusFiles>{corpus_files({folder_ / "s"}, {folder_ / "t"})});
    const PairEncoder encoder{.codecs = {2, codec_}};
    auto corpus = std::make_shared<ParallelCorpus>(text, encoder, cleaning);
    if (!sampled.empty()) corpus->regularize(how_, sampled);
    return corpus;
  }
  std::unique_ptr<EpochBatchStream> stream(const std::vector<size_t>& sampled,
                                           int threads = 1) const {
    const StreamOptions options{
        .limit = {.tokens = 300}, .seed = 3, .threads = threads, .ahead = 5};
    return std::make_unique<EpochBatchStream>(corpus(sampled), options);
  }
  TemporaryFolder folder_;
  SubwordRegularizationConfig how_;
  std::shared_ptr<const Codec> codec_ = subwords_of_words();
};

TEST_F(SampledStreams, AreTheSameWithAnyThreadsAndFromAnyPosition) {
  const auto expected = read(*stream({0, 1}), 60);
  EXPECT_EQ(read(*stream({0, 1}, 4), 60), expected);
  const auto resumed = stream({0, 1});
  read(*resumed, 20);
  const BatchPosition position = resumed->position();
  const auto other = stream({0, 1}, 2);
  other->seek(position);
  EXPECT_EQ(read(*other, 40), std::vector(expected.begin() + 20, expected.end()));
}

TEST_F(SampledStreams, HaveTheSameBatchesInOtherPieces) {
  const auto sampled = stream({0, 1}), best = stream({});
  int others = 0;
  for (int i = 0; i < 40; ++i) {
    const Batch drawn = sampled->next(), plain = best->next();
    ASSERT_EQ(drawn.sentences, plain.sentences);
    const auto examples = examples_of(drawn), all_expected = examples_of(plain);
    EXPECT_EQ(drawn.tokens, target_tokens(examples));
    for (size_t row = 0; row < examples.size(); ++row) {
      const Example& expected = all_expected[row];
      EXPECT_EQ(examples[row].index, expected.index);
      EXPECT_EQ(codec_->decode(examples[row].target), codec_->decode(expected.target));
      EXPECT_EQ(codec_->decode(examples[row].sources[0]), codec_->decode(expected.sources[0]));
      others += examples[row].target != expected.target;
    }
  }
  EXPECT_GT(others, 100);
}

TEST_F(SampledStreams, DrawAnewInEachEpoch) {
  const auto batches = stream({1});
  std::map<int64_t, std::set<Ids>> targets;
  while (batches->position().epoch < 4)
    for (const Example& example : examples_of(batches->next()))
      targets[example.index].insert(example.target);
  const auto several =
      std::ranges::count_if(targets, [](const auto& entry) { return entry.second.size() > 1; });
  EXPECT_GT(several, kPairs / 2);
}

TEST_F(SampledStreams, LeaveOtherSidesAlone) {
  holds({"train.subword_regularization.sides"});
  const auto sampled = stream({1}), best = stream({});
  for (int i = 0; i < 10; ++i) {
    const auto drawn = examples_of(sampled->next()), plain = examples_of(best->next());
    for (size_t row = 0; row < plain.size(); ++row)
      EXPECT_EQ(drawn[row].sources, plain[row].sources);
  }
}

TEST_F(SampledStreams, DivideIntoTheSameExamples) {
  const auto whole = stream({0, 1});
  const Batch expected = whole->next();
  const auto examples = examples_of(expected);
  size_t rows = 0;
  for (int64_t rank = 0; rank < 2; ++rank) {
    const auto own = stream({0, 1});
    own->divide({.workers = 2, .rank = rank, .processes = 2});
    const Batch batch = own->next();
    EXPECT_EQ(batch.tokens, expected.tokens);
    for (const Shard& shard : batch.shards) {
      for (size_t i = 0; i < shard.rows.size(); ++i, ++rows) {
        const auto row = static_cast<size_t>(shard.rows[i]);
        EXPECT_EQ(shard.examples[i].target, examples[row].target);
      }
    }
  }
  EXPECT_EQ(rows, static_cast<size_t>(expected.sentences));
}

// A pair whose best segmentation has the maximum length keeps this segmentation.
TEST_F(SampledStreams, ExceedNoMaximumLength) {
  how_.bpe_dropout = 0.5;
  Cleaning cleaning;
  cleaning.max_length = 30;
  const auto sampled = corpus({0, 1}, cleaning);
  for (PairId pair = 0; pair < sampled->index().size(); ++pair) {
    const Example drawn = sampled->sampled(pair, pair), best = sampled->example(pair);
    EXPECT_LE(drawn.target.size(), 30U);
    EXPECT_LE(drawn.sources[0].size(), 30U);
    if (best.target.size() == 30) {
      EXPECT_EQ(drawn.target, best.target);
    }
  }
}

}  // namespace
}  // namespace heed
