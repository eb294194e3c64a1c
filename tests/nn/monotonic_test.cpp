// Monotonic attention and MoChA: soft in training, hard in search, where they read no further than
// necessary.
#include <gtest/gtest.h>

#include "nn/attention_fixture.h"
#include "nn/compared_attention.h"
#include "reference/normalizers.h"

namespace heed {
namespace {

constexpr int64_t kManyKeys = 400;

// Scores by the first feature of the keys, and counts the scored keys.
class CountingScorer final : public Scorer {
 public:
  Tensor prepare_queries(const Tensor& x, const Tensor&) override { return x.unsqueeze(1); }
  Tensor prepare_keys(const Tensor& x, const Tensor&) override { return x.unsqueeze(1); }
  Tensor score(const At& at) override {
    scored += at.keys.size(2) * at.queries.size(2);
    return at.keys.select(3, 0).unsqueeze(2).expand({-1, -1, at.queries.size(2), -1});
  }
  int64_t scored = 0;
};
struct CountingScorerConfig final : ScorerConfig {
  std::shared_ptr<CountingScorer> scorer;
  explicit CountingScorerConfig(std::shared_ptr<CountingScorer> one) : scorer(std::move(one)) {
    type = "test_counting";
  }
  void fields(Fields&) override {}
};
std::shared_ptr<Scorer> counting_scorer(const ScorerConfig& config, const StageDims&) {
  return settings_as<CountingScorerConfig>(config).scorer;
}

TEST(MonotonicSearch, ReadsOnlyAsFarAsItMust) {
  const auto config =
      std::dynamic_pointer_cast<StagedConfig>(attention_of("{score: dot, normalizer: monotonic}"));
  const auto counting = std::make_shared<CountingScorer>();
  config->score = std::make_shared<CountingScorerConfig>(counting);
  mechanism_builders<ScorerConfig>()["test_counting"] = counting_scorer;
  const auto attention = build(*config, {.query = 2, .source = {.key = 2, .value = 2}});
  // The attention stops at every tenth key, whose score is above the offset of -1, and stays there
  // for the second query of each pair.
  Tensor keys = torch::zeros({1, kManyKeys, 2});
  for (int64_t s = 9; s < kManyKeys; s += 10) keys[0][s].fill_(5);
  State state(attention->layout(), 1, Pass(), torch::kCPU);
  attention->start({{"source", make_source(keys, torch::tensor(std::vector<int64_t>{kManyKeys}))}},
                   state.view());
  for (int64_t t = 0; t < 50; ++t) {
    const Attended read =
        attention->attend(torch::ones({1, 1, 2}), positions_from(t, 1, 1), state.view());
    EXPECT_EQ(read.context[0][0][0].item<double>(), 5) << t;
  }
  EXPECT_LE(counting->scored, 50 * 8 + 16) << "a block of keys for each step, not all of them";
}

// The parameter is a float, which cannot represent these offsets.
TEST(MonotonicConfig, BoundsTheOffset) {
  StagedConfig config;
  for (const char* offset : {"1e308", "-1e308"}) {
    const auto found = find_problems(
        fmt::format("{{normalizer: {{type: monotonic, offset: {}}}}}", offset), "test", config);
    ASSERT_EQ(found.size(), 1U) << offset;
    EXPECT_EQ(found[0].path, "normalizer.offset");
  }
}

// Reading ahead gives the same as scoring every key, which a term requires even if it has no
// effect.
class ReadsAhead : public testing::TestWithParam<std::string> {};
TEST_P(ReadsAhead, AsIfItLookedAtEveryKey) {
  register_test_mechanisms();
  const AttentionDims dims{.query = kKey, .source = {.key = kKey, .value = kKey}};
  const Tensor keys = uniform({3, 40, kKey}, "keys", 2), query = uniform({3, 30, kKey}, "query", 2),
               lengths = torch::tensor({40, 33, 1}, torch::kLong);
  for (const char* normalizer :
       {"{type: monotonic, offset: 0.2}", "{type: monotonic, offset: -0.4, chunk: 3}"}) {
    const auto read = [&](const std::string& terms) {
      const auto config = attention_of("{score: " + GetParam() + ", normalizer: " + normalizer +
                                       ", terms: [" + terms + "]}");
      const auto attention = build(*config, dims);
      fill(*attention);
      Pass pass;
      pass.keep_weights = true;
      State state(attention->layout(), 3, pass, torch::kCPU);
      attention->start({{"source", make_source(keys, lengths)}}, state.view());
      return attention->attend(query, positions_from(0, 3, 30), state.view());
    };
    const Attended ahead = read(""), all = read("test_costly");
    expect_close(ahead.context, all.context, kExact, "context");
    expect_close(ahead.weights, all.weights, kExact, "weights");
    EXPECT_GT(ahead.weights.sum().item<double>(), 1) << "something is read";
  }
}
INSTANTIATE_TEST_SUITE_P(All, ReadsAhead, testing::ValuesIn([] {
                           std::vector<std::string> scores;
                           for (const auto& [name, text] : variants(scorers())) {
                             const Case c{.score = name};
                             if (refusals_of(c).empty()) scores.push_back(text);
                           }
                           return scores;
                         }()),
                         [](const auto& score) { return "score_" + std::to_string(score.index); });

// Training uses the expected alignment of energies with the offset and with noise. Without noise it
// equals the reference.
class MonotonicTraining : public testing::Test {
 protected:
  static constexpr int64_t kRows = 3;
  Attended read(const std::string& normalizer, const Pass& wanted) const {
    const auto attention = build(*attention_of("{score: dot, normalizer: " + normalizer + "}"),
                                 {.query = kKey, .source = {.key = kKey, .value = kKey}});
    Pass pass = wanted;
    pass.keep_weights = true;
    State state(attention->layout(), kRows, pass, torch::kCPU);
    attention->start({{"source", make_source(keys_, lengths_)}}, state.view());
    return attention->attend(query_, positions_from(0, kRows, kQueries), state.view());
  }
  reference::Matrix energies(int64_t r, double offset) const {
    reference::Matrix e =
        reference::scores(matrix_of(query_[r]), matrix_of(keys_[r]), reference::dot_score);
    for (double& x : e.numbers) x += offset;
    return e;
  }
  reference::Mask mask(int64_t r) const {
    const auto length = static_cast<size_t>(lengths_[r].item<int64_t>());
    return reference::mask_of(kQueries, kKeys, [&](size_t, size_t s) { return s < length; });
  }
  Tensor query_ = uniform({kRows, kQueries, kKey}, "query", 1.5),
         keys_ = uniform({kRows, kKeys, kKey}, "keys", 1.5),
         lengths_ = torch::tensor({5, 3, 2}, torch::kLong);
};

TEST_F(MonotonicTraining, IsTheExpectedAlignmentWithTheOffset) {
  const Attended attended = read("{type: monotonic, noise: 0}", Pass::for_training(1, 2));
  for (int64_t r = 0; r < kRows; ++r) {
    expect_close(attended.weights[r][0], tensor_of(reference::monotonic(energies(r, -1), mask(r))),
                 1e-7, "weights, with the offset -1 that it begins with");
  }
}

TEST_F(MonotonicTraining, HasNoiseInTrainingAlone) {
  const Pass training = Pass::for_training(1, 2);
  const Tensor noisy = read("monotonic", training).weights,
               quiet = read("{type: monotonic, noise: 0}", training).weights;
  EXPECT_GT((noisy - quiet).abs().max().item<double>(), 1e-3);
  expect_close(noisy, read("monotonic", Pass::for_training(1, 2)).weights, 0, "the same draw");
  const Tensor hard = read("{type: monotonic, offset: 0}", Pass()).weights;
  EXPECT_TRUE((hard.eq(0) | hard.eq(1)).all().item<bool>()) << hard;
}

TEST_F(MonotonicTraining, IsTheExpectedChunkwiseAlignment) {
  const Attended attended =
      read("{type: monotonic, offset: 0, noise: 0, chunk: 3}", Pass::for_training(1, 2));
  for (int64_t r = 0; r < kRows; ++r) {
    const auto e = energies(r, 0);
    // Both scores are the same without projections.
    const auto expected = reference::over_chunks(reference::monotonic(e, mask(r)), e, mask(r), 3);
    expect_close(attended.weights[r][0], tensor_of(expected), kExact, "weights");
  }
}

// Scores of a chunk that differ by hundreds stay finite and exact.
TEST_F(MonotonicTraining, ChunksAreStable) {
  keys_ = keys_ * 200;
  const Attended attended =
      read("{type: monotonic, offset: 0, noise: 0, chunk: 4}", Pass::for_training(1, 2));
  EXPECT_TRUE(attended.weights.isfinite().all().item<bool>());
  const auto e = energies(0, 0);
  expect_close(attended.weights[0][0],
               tensor_of(reference::over_chunks(reference::monotonic(e, mask(0)), e, mask(0), 4)),
               kExact, "weights");
}

}  // namespace
}  // namespace heed
