// Laws of epochs with augmented text.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "batch_of.h"
#include "captured_log.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

constexpr int kAugmentedPairs = 1500;

// Content of a batch, and its place.
std::string content_of(const Batch& batch) {
  std::string text = fmt::format("{} {} {}:", batch.number, batch.epoch, batch.tokens);
  for (const Example& example : examples_of(batch))
    text += fmt::format(" {},{};{}", example.index, fmt::join(example.sources.at(0), ","),
                        fmt::join(example.target, ","));
  return text;
}

std::vector<std::string> contents(BatchStream& stream, int count) {
  std::vector<std::string> batches;
  for (int i = 0; i < count; ++i) batches.push_back(content_of(stream.next()));
  return batches;
}

AugmentConfig joins(double probability, int64_t sentences = 2) {
  AugmentConfig config;
  JoinConfig& join = config.join.emplace();
  join.probability = probability;
  join.sentences = sentences;
  return config;
}

AugmentConfig drops(double probability) {
  AugmentConfig config;
  config.drop.emplace().probability = probability;
  return config;
}

class AugmentedEpochs : public testing::Test {
 protected:
  AugmentedEpochs() { write_pairs(folder_ / "s", folder_ / "t", kAugmentedPairs); }

  std::shared_ptr<const ParallelCorpus> corpus(const std::optional<AugmentConfig>& config,
                                               const Cleaning& cleaning = {},
                                               double weight = 1) const {
    const auto text = std::make_shared<const TrainingText>(
        std::vector<CorpusFiles>{corpus_files({folder_ / "s"}, {folder_ / "t"}, weight)});
    const auto made = std::make_shared<ParallelCorpus>(
        text, PairEncoder{.codecs = {2, hundred_words()}}, cleaning);
    if (config) made->augment(*config, {"source", "target"}, 2);
    return made;
  }
  static std::unique_ptr<EpochBatchStream> stream(std::shared_ptr<const ParallelCorpus> corpus,
                                                  int threads = 1, int64_t tokens = 300) {
    const StreamOptions options{
        .limit = {.tokens = tokens}, .seed = 3, .threads = threads, .ahead = 5};
    return std::make_unique<EpochBatchStream>(std::move(corpus), options);
  }
  TemporaryFolder folder_;
};

TEST_F(AugmentedEpochs, AreTheSameWithAnyThreadsAndFromAnyPosition) {
  AugmentConfig config = joins(0.2, 3);
  config.drop = drops(0.2).drop;
  const auto made = corpus(config);
  const auto expected = contents(*stream(made), 400);
  EXPECT_EQ(contents(*stream(made, 4), 400), expected);
  for (const int from : {1, 77, 150, 260}) {
    const auto first = stream(made);
    contents(*first, from);
    const auto resumed = stream(made, 2);
    resumed->seek(first->position());
    EXPECT_EQ(contents(*resumed, 100),
              std::vector(expected.begin() + from, expected.begin() + from + 100));
  }
}

TEST_F(AugmentedEpochs, WithoutProbabilityEqualPlainOnes) {
  AugmentConfig none;
  none.join.emplace().probability = 0;
  EXPECT_EQ(contents(*stream(corpus(none)), 200), contents(*stream(corpus(std::nullopt)), 200));
}

TEST_F(AugmentedEpochs, AreDividedBetweenProcesses) {
  const auto made = corpus(joins(0.3));
  const auto whole = stream(made);
  for (int64_t rank = 0; rank < 2; ++rank) {
    const Division division{.workers = 2, .rank = rank, .processes = 2};
    const auto own = stream(made);
    own->divide(division);
    whole->seek({});
    for (int i = 0; i < 60; ++i) {
      const Batch all = whole->next(), some = own->next();
      const Batch expected = batch_of(examples_of(all), division);
      EXPECT_EQ(some.tokens, target_tokens(examples_of(all)));
      ASSERT_EQ(some.shards.size(), expected.shards.size());
      for (size_t s = 0; s < some.shards.size(); ++s) {
        EXPECT_EQ(some.shards[s].rows, expected.shards[s].rows);
        for (size_t k = 0; k < some.shards[s].rows.size(); ++k)
          EXPECT_EQ(some.shards[s].examples[k].target, expected.shards[s].examples[k].target);
      }
    }
  }
}

TEST_F(AugmentedEpochs, KeepTheLimitOfBatches) {
  constexpr int64_t kTokens = 200;
  const auto batches = stream(corpus(joins(0.5, 4)), 1, kTokens);
  int64_t longest = 0;
  while (batches->position().epoch < 2) {
    const std::vector<Example> examples = examples_of(batches->next());
    int64_t row = 0;
    for (const Example& example : examples) row = std::max(row, longer_side(example) + 1);
    longest = std::max(longest, row);
    EXPECT_TRUE(examples.size() == 1 || row * std::ssize(examples) <= kTokens);
  }
  EXPECT_GT(longest, 40);  // of several lines of at most 20
}

TEST_F(AugmentedEpochs, HaveEveryPairOnceAndAboutTheDrawnShare) {
  constexpr double kProbability = 0.3;
  const auto made = corpus(joins(kProbability));
  const auto batches = stream(made);
  std::map<int64_t, std::set<int64_t>> joined;  // pairs by epoch
  std::map<int64_t, int64_t> pairs;
  while (batches->position().epoch < 3) {
    const Batch batch = batches->next();
    for (const Example& example : examples_of(batch)) {
      ++pairs[batch.epoch];
      EXPECT_EQ(number_of(example.target), example.index);
      const Example plain = made->example(static_cast<PairId>(example.index));
      const auto length = std::ssize(plain.target);
      ASSERT_GE(std::ssize(example.target), length);
      EXPECT_TRUE(std::equal(plain.target.begin(), plain.target.end(), example.target.begin()));
      if (std::ssize(example.target) > length) joined[batch.epoch].insert(example.index);
    }
  }
  // Five standard deviations of the binomial distribution.
  const double deviation = std::sqrt(kAugmentedPairs * kProbability * (1 - kProbability));
  for (int64_t epoch = 0; epoch < 3; ++epoch) {
    EXPECT_EQ(pairs[epoch], kAugmentedPairs);
    EXPECT_NEAR(static_cast<double>(joined[epoch].size()), kAugmentedPairs * kProbability,
                5 * deviation);
  }
  EXPECT_NE(joined[0], joined[1]);
}

TEST_F(AugmentedEpochs, LeavePairsThatWouldBeTooLong) {
  Cleaning cleaning;
  cleaning.max_length = 25;
  for (const TooLong too_long : {TooLong::kDrop, TooLong::kTruncate, TooLong::kError}) {
    cleaning.too_long = too_long;
    const auto made = corpus(joins(1), cleaning);
    const auto batches = stream(made);
    int64_t plain = 0, joined = 0;
    while (batches->position().epoch < 1) {
      for (const Example& example : examples_of(batches->next())) {
        EXPECT_LE(longer_side(example), 25);
        const bool is_plain =
            example.target == made->example(static_cast<PairId>(example.index)).target;
        ++(is_plain ? plain : joined);
      }
    }
    std::vector<PairId> all;
    for (PairId pair = 0; pair < kAugmentedPairs; ++pair) all.push_back(pair);
    const AugmentCount count = made->measure({3, 0}, all).count;
    EXPECT_EQ(count.unfit, plain);
    EXPECT_EQ(count.augmented, joined);
    EXPECT_GT(plain, 100);
    EXPECT_GT(joined, 100);
  }
}

TEST_F(AugmentedEpochs, LeaveUnevenPairs) {
  Cleaning cleaning;
  cleaning.max_ratio = 2;
  const auto made = corpus(drops(1), cleaning);
  const auto batches = stream(made);
  while (batches->position().epoch < 1) {
    for (const Example& example : examples_of(batches->next()))
      EXPECT_FALSE(
          is_uneven({std::ssize(example.sources[0]), std::ssize(example.target)}, cleaning));
  }
}

TEST_F(AugmentedEpochs, SayHowManyLinesEachModifierChanged) {
  CapturedLog log;
  AugmentConfig config = joins(1);
  config.drop = drops(1).drop;
  stream(corpus(config))->next();
  EXPECT_THAT(log.end(),
              HasSubstr("epoch 1: augmented 1,500 of 1,500 pairs: join 1,500, drop 1,500"));
  AugmentCount count{.pairs = 2000, .augmented = 3, .unfit = 1, .by_modifier = {}};
  count.by_modifier.resize(modifier_names().size());
  count.by_modifier[0] = 3;
  EXPECT_EQ(
      count.text(),
      "augmented 3 of 2,000 pairs: join 3; 1 would exceed a limit of data and stays as it is");
}

TEST_F(AugmentedEpochs, MaskTokensOfTheSource) {
  AugmentConfig config;
  WordNoiseConfig& mask = config.mask.emplace();
  mask.probability = mask.rate = 1;
  const auto batches = stream(corpus(config));
  for (const Example& example : examples_of(batches->next())) {
    EXPECT_EQ(example.sources[0], Ids(example.sources[0].size(), kUnknown));
    EXPECT_EQ(std::ranges::count(example.target, kUnknown), 0);
  }
}

TEST_F(AugmentedEpochs, LeaveCorporaWithoutAugmentation) {
  holds({"data.train[].augment"});
  CorpusFiles plain = corpus_files({folder_ / "s"}, {folder_ / "t"}), changed = plain;
  plain.augment = false;
  const auto text = std::make_shared<const TrainingText>(std::vector{plain, changed});
  const auto made = std::make_shared<ParallelCorpus>(
      text, PairEncoder{.codecs = {2, hundred_words()}}, Cleaning{});
  made->augment(joins(1), {"source", "target"}, 1);
  std::vector<PairId> all;
  for (PairId pair = 0; pair < 2 * kAugmentedPairs; ++pair) all.push_back(pair);
  const AugmentedEpoch epoch = made->measure({1, 0}, all);
  EXPECT_EQ(epoch.count.augmented, kAugmentedPairs);
  EXPECT_FALSE(epoch.lengths.is_augmented(kAugmentedPairs - 1));
  EXPECT_TRUE(epoch.lengths.is_augmented(kAugmentedPairs));
}

// Each copy in an epoch of a corpus with weight 2 is augmented in the same way.
TEST_F(AugmentedEpochs, CountWeightsOfACorpus) {
  const auto batches = stream(corpus(joins(0.5), {}, 2));
  std::map<int64_t, std::multiset<Ids>> targets;
  while (batches->position().epoch < 1) {
    for (const Example& example : examples_of(batches->next()))
      targets[example.index].insert(example.target);
  }
  EXPECT_EQ(std::ssize(targets), kAugmentedPairs);
  for (const auto& [index, own] : targets) {
    ASSERT_EQ(own.size(), 2U);
    EXPECT_EQ(*own.begin(), *own.rbegin());
  }
}

TEST_F(AugmentedEpochs, NoticeAChangedFile) {
  const auto batches = stream(corpus(drops(1)));
  batches->next();
  std::string whole = read_plainly(folder_ / "s");
  std::ranges::replace(whole, ' ', 'x');
  write_plainly(folder_ / "s", whole);
  EXPECT_ERROR(while (batches->position().epoch < 1) batches->next(), ErrorKind::kData,
               "changed during training");
}

}  // namespace
}  // namespace heed
