#include "align/word_aligner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>
#include <thread>

#include "align/aligner_reference.h"
#include "align/diagonal_model.h"
#include "align/jump_model.h"
#include "base/random.h"

namespace heed {
namespace {

const TrainingWatch kNoWatch{[](int64_t) {}, [](const std::string&) {}};

void one_thread(size_t count, const std::function<void(size_t)>& work) {
  for (size_t i = 0; i < count; ++i) work(i);
}

void three_threads(size_t count, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (size_t i = next++; i < count; i = next++) work(i);
    });
  for (std::thread& thread : threads) thread.join();
}

reference::Matrix random_emissions(size_t words, size_t positions, RandomStream& draws) {
  reference::Matrix matrix(words, std::vector<double>(positions + 1));
  for (auto& row : matrix)
    for (double& p : row) p = draws.uniform() * draws.uniform();
  return matrix;
}

PositionMatrix as_positions(const reference::Matrix& matrix) {
  PositionMatrix result;
  result.resize(matrix.size(), matrix[0].size());
  for (size_t j = 0; j < matrix.size(); ++j)
    for (size_t i = 0; i < matrix[j].size(); ++i)
      result.row(j)[i] = static_cast<float>(matrix[j][i]);
  return result;
}

void expect_near(const PositionMatrix& found, const reference::Matrix& expected) {
  ASSERT_EQ(found.words, expected.size());
  ASSERT_EQ(found.positions, expected[0].size());
  for (size_t j = 0; j < expected.size(); ++j)
    for (size_t i = 0; i < expected[j].size(); ++i)
      EXPECT_NEAR(found.row(j)[i], expected[j][i], 1e-5) << j << " " << i;
}

const std::vector<std::pair<size_t, size_t>> kShapes{{1, 1}, {3, 1}, {1, 4},
                                                     {4, 3}, {3, 5}, {5, 2}};

TEST(DiagonalModel, SumsOverAllAlignments) {
  RandomStream draws(stream_key(1, "diagonal"));
  for (const auto& [words, positions] : kShapes) {
    const double null = 0.08, tension = 3.7;
    const auto emissions = random_emissions(words, positions, draws);
    const auto expected = reference::diagonal_sums(emissions, null, tension);
    PositionMatrix found;
    PositionCounts counts;
    const double log_likelihood =
        DiagonalModel(null, tension).posteriors(as_positions(emissions), found, counts);
    EXPECT_NEAR(log_likelihood, std::log(expected.likelihood), 1e-4);
    expect_near(found, expected.posteriors);
  }
}

TEST(JumpModel, SumsOverAllAlignments) {
  RandomStream draws(stream_key(1, "jumps"));
  std::vector<float> weights(JumpModel::kJumps);
  for (float& weight : weights) weight = static_cast<float>(draws.uniform());
  for (const auto& [words, positions] : kShapes) {
    const auto emissions = random_emissions(words, positions, draws);
    const auto expected = reference::jump_sums(emissions, 0.3, 0.1, [&](int jump) {
      return weights.at(static_cast<size_t>(jump + int(JumpModel::kLongest)));
    });
    PositionMatrix found;
    PositionCounts counts(JumpModel::kJumps);
    const double log_likelihood =
        JumpModel(0.3, weights).posteriors(as_positions(emissions), found, counts);
    EXPECT_NEAR(log_likelihood, std::log(expected.likelihood), 1e-4);
    expect_near(found, expected.posteriors);
    double all = 0;
    for (const auto& [jump, count] : expected.jumps) {
      EXPECT_NEAR(counts.at(static_cast<size_t>(jump + int(JumpModel::kLongest))), count, 1e-4);
      all += count;
    }
    EXPECT_NEAR(std::accumulate(counts.begin(), counts.end(), 0.0), all, 1e-4);
  }
}

TEST(JumpModel, StaysFiniteInLongSentencesWithUnlikelyWords) {
  reference::Matrix emissions(400, std::vector<double>(450, 1e-9));
  for (size_t j = 0; j < 200; ++j) emissions[j][449 - j] = 1;
  PositionMatrix found;
  PositionCounts counts(JumpModel::kJumps);
  EXPECT_TRUE(std::isfinite(JumpModel(0.2).posteriors(as_positions(emissions), found, counts)));
  for (size_t j = 0; j < found.words; ++j) {
    double sum = 0;
    for (size_t i = 0; i < found.positions; ++i) sum += found.row(j)[i];
    ASSERT_NEAR(sum, 1, 1e-3) << j;
  }
}

// Whole training with short sentences, by the sums over all alignments.
class TrainingReference {
 public:
  using Sentence = std::vector<int32_t>;
  using Table = std::map<std::pair<int32_t, int32_t>, double>;  // (given, observed); given -1: NULL

  TrainingReference(std::vector<std::pair<Sentence, Sentence>> pairs, const AlignerOptions& options)
      : pairs_(std::move(pairs)), options_(options) {
    for (const auto& [source, target] : pairs_) {
      for (const int32_t s : source) tables_[kReverse][{-1, s}] = 1;
      for (const int32_t t : target) tables_[kForward][{-1, t}] = 1;
      for (const int32_t s : source)
        for (const int32_t t : target) {
          tables_[kForward][{s, t}] = 1;
          tables_[kReverse][{t, s}] = 1;
        }
    }
    for (int jump = -20; jump <= 20; ++jump)
      jumps_[kForward][jump] = jumps_[kReverse][jump] = std::exp(-std::abs(jump - 1)) + 1e-3;
    for (int64_t i = 0; i < options.diagonal_iterations; ++i) iterate(false);
    for (int64_t i = 0; i < options.jump_iterations; ++i) iterate(true);
  }

  const Table& table(ModelDirection d) const { return tables_[d]; }

 private:
  void iterate(bool use_jumps) {
    std::array<Table, 2> counts;
    std::array<std::map<int, double>, 2> jumps;
    for (const auto& [source, target] : pairs_) {
      std::array<reference::Sums, 2> sums;
      for (const ModelDirection d : kDirections) {
        const Sentence &observed = d == kForward ? target : source,
                       &given = d == kForward ? source : target;
        reference::Matrix emissions(observed.size());
        for (size_t j = 0; j < observed.size(); ++j) {
          emissions[j].push_back(tables_[d].at({-1, observed[j]}));
          for (const int32_t g : given) emissions[j].push_back(tables_[d].at({g, observed[j]}));
        }
        sums[d] = use_jumps ? reference::jump_sums(emissions, options_.jump_null, 0.1,
                                                   [&](int jump) { return jumps_[d].at(jump); })
                            : reference::diagonal_sums(emissions, options_.null, options_.tension);
        for (const auto& [jump, count] : sums[d].jumps) jumps[d][jump] += count;
        for (size_t j = 0; j < observed.size(); ++j)
          counts[d][{-1, observed[j]}] += sums[d].posteriors[j][0];
      }
      for (size_t s = 0; s < source.size(); ++s) {
        for (size_t t = 0; t < target.size(); ++t) {
          double forward = sums[kForward].posteriors[t][s + 1],
                 reverse = sums[kReverse].posteriors[s][t + 1];
          if (use_jumps && options_.agreement) forward = reverse = forward * reverse;
          counts[kForward][{source[s], target[t]}] += forward;
          counts[kReverse][{target[t], source[s]}] += reverse;
        }
      }
    }
    for (const ModelDirection d : kDirections) {
      normalize(counts[d], tables_[d]);
      if (use_jumps) {
        double total = 0;
        for (const auto& [jump, count] : jumps[d]) total += count;
        for (auto& [jump, weight] : jumps_[d]) {
          const auto found = jumps[d].find(jump);
          weight = ((found == jumps[d].end() ? 0 : found->second) + 0.5) /
                   (total + 0.5 * double(JumpModel::kJumps));
        }
      }
    }
  }

  void normalize(const Table& counts, Table& table) const {
    std::map<int32_t, double> totals;
    for (const auto& [words, count] : counts) totals[words.first] += count + options_.alpha;
    for (const auto& [words, count] : counts) {
      const double total = totals.at(words.first);
      table[words] =
          std::max(1e-9, options_.alpha > 0 ? std::exp(reference::digamma(count + options_.alpha) -
                                                       reference::digamma(total))
                                            : count / total);
    }
  }

  std::vector<std::pair<Sentence, Sentence>> pairs_;
  AlignerOptions options_;
  std::array<Table, 2> tables_{};
  std::array<std::map<int, double>, 2> jumps_{};
};

class Training : public testing::TestWithParam<AlignerOptions> {};

TEST_P(Training, IsExpectationMaximization) {
  const std::vector<std::pair<std::vector<int32_t>, std::vector<int32_t>>> sentences{
      {{0, 1}, {0, 1}},    {{0, 2, 3}, {0, 3, 2}}, {{1, 3}, {1, 3, 0}}, {{2}, {2, 4}},
      {{0, 1, 2}, {1, 2}}, {{3, 0, 0}, {3, 0, 4}}, {{1, 1}, {1}}};
  SentencePairs pairs;
  for (const auto& [source, target] : sentences) pairs.add(source, target);
  const TrainingReference expected(sentences, GetParam());
  const WordAligner aligner(pairs, 4, 5, GetParam(), one_thread, kNoWatch);
  for (const ModelDirection d : kDirections) {
    for (const auto& [words, probability] : expected.table(d)) {
      const auto [given, observed] = words;
      const int32_t source = d == kForward ? given : observed,
                    target = d == kForward ? observed : given;
      const float found =
          given < 0 ? aligner.table().null(d, observed)
                    : aligner.table().probability(d, aligner.table().find(source, target));
      EXPECT_NEAR(found, probability, 1e-4 * probability + 1e-6)
          << d << ": " << given << " " << observed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Options, Training,
    testing::Values(AlignerOptions{.diagonal_iterations = 1, .jump_iterations = 0, .alpha = 0},
                    AlignerOptions{.diagonal_iterations = 3, .jump_iterations = 0},
                    AlignerOptions{.diagonal_iterations = 2, .jump_iterations = 2, .alpha = 0},
                    AlignerOptions{.diagonal_iterations = 2, .jump_iterations = 3},
                    AlignerOptions{
                        .diagonal_iterations = 2, .jump_iterations = 3, .agreement = false}));

// A corpus with a known alignment: word s is translated by s; two words may change places, and
// each side has words without a translation.
struct KnownCorpus {
  explicit KnownCorpus(size_t size) {
    RandomStream draws(stream_key(1, "known alignment"));
    for (size_t pair = 0; pair < size; ++pair) {
      std::vector<int32_t> source, target;
      Links gold;
      const size_t words = 3 + draws.below(10);
      for (size_t i = 0; i < words; ++i) {
        if (draws.below(5) == 0) source.push_back(kWords + int32_t(draws.below(2)));
        // A few words are frequent, most are rare.
        source.push_back(
            int32_t(double(kWords) * draws.uniform() * draws.uniform() * draws.uniform()));
      }
      std::vector<size_t> order;
      for (size_t i = 0; i < source.size(); ++i)
        if (source[i] < kWords) order.push_back(i);
      for (size_t i = 0; i + 1 < order.size(); i += 2)
        if (draws.below(3) == 0) std::swap(order[i], order[i + 1]);
      for (const size_t i : order) {
        if (draws.below(6) == 0) target.push_back(kWords);
        gold.emplace_back(int32_t(i), int32_t(target.size()));
        target.push_back(source[i]);
      }
      std::sort(gold.begin(), gold.end());
      pairs.add(source, target);
      links.push_back(gold);
    }
  }
  WordAligner aligner(const AlignerOptions& options, const Workers& workers) const {
    return {pairs, kWords + 2, kWords + 1, options, workers, kNoWatch};
  }
  // Alignment error rate in percent: all links of the gold alignment are sure.
  double error_rate(const WordAligner& aligner) const {
    double found = 0, right = 0, all = 0;
    for (size_t i = 0; i < links.size(); ++i) {
      const AlignedPair pair = aligner.align(pairs.source(i), pairs.target(i));
      const Links both =
          symmetrize(pair.links[0], pair.links[1], Symmetrization::kGrowDiagFinalAnd);
      const std::set<Links::value_type> gold(links[i].begin(), links[i].end());
      for (const auto& link : both) right += gold.contains(link) ? 1 : 0;
      found += double(both.size());
      all += double(gold.size());
    }
    return 100 * (1 - 2 * right / (found + all));
  }
  static constexpr int32_t kWords = 200;
  SentencePairs pairs{};
  std::vector<Links> links{};
};

TEST(WordAligner, FindsAKnownAlignment) {
  const KnownCorpus corpus(1500);
  const double jumps = corpus.error_rate(corpus.aligner({}, one_thread)),
               diagonal = corpus.error_rate(corpus.aligner(AlignerOptions::diagonal(), one_thread)),
               untrained = corpus.error_rate(
                   corpus.aligner({.diagonal_iterations = 0, .jump_iterations = 0}, one_thread));
  EXPECT_LT(jumps, 5);
  EXPECT_LT(diagonal, 12);
  EXPECT_LT(jumps, diagonal);
  EXPECT_GT(untrained, 40);
}

TEST(WordAligner, CountsEveryPair) {
  constexpr int32_t kPairs = 5000;
  SentencePairs pairs;
  for (int32_t i = 0; i < kPairs; ++i) pairs.add({i}, {i});
  const AlignerOptions options{.diagonal_iterations = 1, .jump_iterations = 0, .alpha = 0};
  const WordAligner aligner(pairs, kPairs, kPairs, options, three_threads, kNoWatch);
  for (int32_t i = 0; i < kPairs; ++i)
    ASSERT_EQ(aligner.table().probability(kForward, aligner.table().find(i, i)), 1) << i;
}

TEST(WordAligner, DoesNotDependOnTheThreads) {
  const KnownCorpus corpus(9000);  // more than are counted at once
  const AlignerOptions options{.diagonal_iterations = 2, .jump_iterations = 2};
  const WordAligner one = corpus.aligner(options, one_thread),
                    three = corpus.aligner(options, three_threads);
  ASSERT_EQ(one.table().size(), three.table().size());
  for (int32_t s = 0; s < one.table().sources(); ++s) {
    const auto left = one.table().of(s), right = three.table().of(s);
    ASSERT_EQ(left.size(), right.size());
    for (size_t i = 0; i < left.size(); ++i) {
      ASSERT_EQ(left[i].target, right[i].target);
      ASSERT_EQ(left[i].probability, right[i].probability);
    }
  }
  for (const ModelDirection d : kDirections)
    EXPECT_EQ(one.model(d).parameters(), three.model(d).parameters());
}

TEST(WordAligner, DoesNotDependOnTheThreadsInLongSentences) {
  RandomStream draws(stream_key(1, "long sentences"));
  SentencePairs pairs;
  int64_t size = 0;
  for (; size < 360; ++size) {  // more cells than are counted at once
    const size_t words = size % 3 == 0 ? 200 : draws.below(40);
    std::vector<int32_t> source, target;
    for (size_t i = 0; i < words; ++i) {
      source.push_back(int32_t(draws.below(50)));
      target.push_back(source.back());
    }
    pairs.add(source, target);
  }
  int64_t done = 0;
  const TrainingWatch watch{[&](int64_t count) { done += count; }, [](const std::string&) {}};
  const AlignerOptions options{.diagonal_iterations = 1, .jump_iterations = 1};
  const WordAligner one(pairs, 50, 50, options, one_thread, watch);
  EXPECT_EQ(done, 2 * size);
  const WordAligner three(pairs, 50, 50, options, three_threads, kNoWatch);
  for (int32_t s = 0; s < one.table().sources(); ++s) {
    const auto left = one.table().of(s), right = three.table().of(s);
    ASSERT_EQ(left.size(), right.size());
    for (size_t i = 0; i < left.size(); ++i) ASSERT_EQ(left[i].probability, right[i].probability);
  }
  for (const ModelDirection d : kDirections)
    EXPECT_EQ(one.model(d).parameters(), three.model(d).parameters());
}

TEST(WordAligner, GivesNoLinksWithoutWordsAndForUnknownWordsOnesByPosition) {
  const KnownCorpus corpus(300);
  const WordAligner aligner = corpus.aligner({}, one_thread);
  const std::vector<int32_t> none, word{0}, many(WordAligner::kLongest + 1, 0);
  for (const auto& [source, target] :
       {std::pair(none, word), {word, none}, {none, none}, {many, word}}) {
    const AlignedPair pair = aligner.align(source, target);
    EXPECT_TRUE(pair.links[kForward].empty() && pair.links[kReverse].empty());
  }
  const std::vector<int32_t> unknown{0, -1, 2};
  const AlignedPair pair = aligner.align(unknown, unknown);
  EXPECT_TRUE(std::isfinite(pair.log_likelihood[kForward]));
  EXPECT_EQ(pair.links[kForward], (Links{{0, 0}, {1, 1}, {2, 2}}));
}

TEST(WordPairCounts, SeeSmallAdditionsToLargeCounts) {
  SentencePairs pairs;
  pairs.add({0}, {0, 1});
  WordPairTable table(pairs, 1, 2, one_thread);
  WordPairCounts counts(table);
  const auto add = [&](int32_t target, float count) {
    const size_t cell = table.find(0, target);
    counts.add(counts.shard_of(cell), counts.count_of(cell, count, count));
  };
  add(1, 1e6F);
  for (int i = 0; i < 4'000'000; ++i) add(1, 0.03F);  // a float would stay at 1e6
  for (int i = 0; i < 280; ++i) add(0, 4000);
  counts.maximize(table, 0, one_thread);
  EXPECT_NEAR(table.probability(kForward, table.find(0, 0)), 0.5, 1e-4);
  EXPECT_NEAR(table.probability(kForward, table.find(0, 1)), 0.5, 1e-4);
}

}  // namespace
}  // namespace heed
