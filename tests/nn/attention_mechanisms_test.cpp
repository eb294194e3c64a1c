// Attention mechanisms of the tests, dropout of weights, and no attention.
#include <gtest/gtest.h>

#include "holds.h"
#include "nn/attention_fixture.h"
#include "reference/attention.h"

namespace heed {
namespace {

// Expected effect of each term of the tests, by loops over scores that the module without it gives.
class Mechanisms : public testing::Test {
 protected:
  static constexpr int64_t kHeads = 2;
  static Case with(const std::string& term) {
    return {.score = "dot", .term = term, .heads = kHeads};
  }
  // Attention of four queries over one sentence of five keys; all projections are those of `fill`.
  Attended read(const std::string& term) const {
    const Case c = with(term);
    const auto attention = build(*c.config(), c.dims());
    fill(*attention);
    Pass pass;
    pass.keep_weights = true;
    State state(attention->layout(), 1, pass, torch::kCPU);
    attention->start({{"source", make_source(keys_, torch::tensor({kKeys}, torch::kLong))}},
                     state.view());
    return attention->attend(query_, positions_from(0, 1, kQueries), state.view());
  }
  // Scores of head h, up to a constant for each query that cancels in the softmax: the log of the
  // plain weights.
  reference::Matrix scores(int64_t h) const { return matrix_of(read("").weights[0][h].log()); }
  static reference::Mask open() {
    return reference::Mask(kQueries, std::vector<bool>(static_cast<size_t>(kKeys), true));
  }

  Tensor query_ = uniform({1, kQueries, kKey}, "query"), keys_ = uniform({1, kKeys, kKey}, "keys");
};

TEST_F(Mechanisms, HistoryIsWhatWasReadBefore) {
  const Attended attended = read("test_fading");
  for (int64_t h = 0; h < kHeads; ++h) {
    auto e = scores(h);
    reference::Vector total(kKeys, 0.0), previous(kKeys, 0.0);
    for (size_t t = 0; t < e.rows; ++t) {
      for (size_t s = 0; s < e.columns; ++s) e(t, s) -= 2 * total[s] + previous[s];
      previous = reference::softmax(e, open()).row(t);
      total = reference::sum(total, previous);
      expect_close(attended.weights[0][h][static_cast<int64_t>(t)], tensor_of(previous), kExact,
                   "query " + std::to_string(t));
    }
  }
}

TEST_F(Mechanisms, RestrictNarrowsTheMask) {
  const Attended attended = read("test_near");
  auto mask = open();
  for (size_t t = 0; t < mask.size(); ++t) {
    for (size_t s = 0; s < mask[t].size(); ++s) mask[t][s] = s + 1 >= t && s <= t + 1;
  }
  for (int64_t h = 0; h < kHeads; ++h) {
    expect_close(attended.weights[0][h], tensor_of(reference::softmax(scores(h), mask)), kExact,
                 "weights");
  }
}

TEST_F(Mechanisms, ReweighChangesWeightsAndWhatIsRead) {
  const Attended plain = read(""), squared = read("test_squaring");
  expect_close(squared.weights, plain.weights.square(), kExact, "weights");
  expect_close(read("test_costly").context, plain.context, 0, "a side loss changes no context");
  EXPECT_GT((squared.context - plain.context).abs().max().item<double>(), 1e-3);
}

TEST_F(Mechanisms, SideLossComesOut) {
  const Attended attended = read("test_costly");
  ASSERT_EQ(attended.losses.size(), 1U);
  EXPECT_EQ(attended.losses[0].name, "cost");
  expect_close(attended.losses[0].value, attended.weights.square().sum(-1).mean(1), kExact, "loss");
  EXPECT_TRUE(read("").losses.empty());
}

TEST(AttentionDropout, DropsWeightsInTrainingOnly) {
  const Case c{.score = "dot"};
  const auto config = std::dynamic_pointer_cast<StagedConfig>(c.config());
  config->dropout = 0.5;
  const auto attention = build(*config, c.dims());
  const Tensor keys = uniform({2, kKeys, kKey}, "keys"),
               query = uniform({2, kQueries, kKey}, "query"),
               lengths = torch::tensor({5, 5}, torch::kLong);
  const auto read = [&](Pass pass) {
    pass.keep_weights = true;
    State state(attention->layout(), 2, pass, torch::kCPU);
    attention->start({{"source", make_source(keys, lengths)}}, state.view());
    return attention->attend(query, positions_from(0, 2, kQueries), state.view());
  };
  const Attended plain = read(Pass()), dropped = read(Pass::for_training(1, 2));
  expect_close(plain.context, torch::matmul(plain.weights.squeeze(1), keys), kExact, "inference");
  const Tensor mask =
      dropout_mask({2, 1, kQueries, kKeys}, 0.5, keys, Pass::for_training(1, 2)).squeeze(1);
  expect_close(dropped.context, torch::matmul(plain.weights.squeeze(1) * mask, keys), kExact,
               "training");
  expect_close(dropped.weights, plain.weights, kExact, "what is shown is whole");
}

// The forward pass reads the sampled key, the backward pass uses the softmax.
TEST(HardAttention, StraightThroughHasTheGradientOfItsSurrogate) {
  holds("gradient", {"gradient: straight_through"});
  const Tensor keys = uniform({2, kKeys, kKey}, "keys"),
               lengths = torch::tensor({5, 4}, torch::kLong);
  const auto gradient_of = [&](const char* normalizer, Attended& attended) {
    const Case c{.score = "dot", .normalizer = normalizer};
    const auto attention = build(*c.config(), c.dims());
    Pass pass = Pass::for_training(1, 2);
    pass.keep_weights = true;
    State state(attention->layout(), 2, pass, torch::kCPU);
    attention->start({{"source", make_source(keys, lengths)}}, state.view());
    const Tensor query = uniform({2, kQueries, kKey}, "query").requires_grad_(true);
    attended = attention->attend(query, positions_from(0, 2, kQueries), state.view());
    probed(attended.context).backward();
    return query.grad();
  };
  Attended hard, soft;
  const Tensor through = gradient_of("hard_straight_through", hard);
  expect_close(through, gradient_of("softmax", soft), kExact, "gradient");
  expect_close(hard.weights.sum(-1), torch::ones({2, 1, kQueries}, torch::kDouble), kExact, "sum");
  expect_close(hard.weights.amax(-1), torch::ones({2, 1, kQueries}, torch::kDouble), kExact, "one");
}

TEST(ReinforcedAttention, ReadsAllOthersUntilTheWarmUpIsOver) {
  const auto attention =
      build(*attention_of("{score: dot, terms: [{type: reinforced, warmup: 5}]}"),
            {.place = Place::kEncoderSelf, .query = kKey, .source = {.key = kKey, .value = kKey}});
  fill(*attention);
  const Tensor x = uniform({40, 4, kKey}, "x");
  const Source source = make_source(x, torch::full({40}, 4, torch::kLong));
  const auto read_pairs = [&](int64_t update) {
    Pass pass = Pass::for_training(1, update);
    pass.keep_weights = true;
    State state(attention->layout(), 40, pass, torch::kCPU);
    attention->start({{"self", source}}, state.view());
    const Attended attended = attention->attend(x, source.positions, state.view());
    EXPECT_EQ(attended.losses.empty(), update <= 5);
    return attended.weights.gt(0).sum().item<int64_t>();
  };
  EXPECT_EQ(read_pairs(1), 40 * 4 * 3);
  EXPECT_EQ(read_pairs(5), 40 * 4 * 3);
  EXPECT_LT(read_pairs(6), 40 * 4 * 3);
}

// Each key is sampled as often as the softmax says.
TEST(HardAttention, DrawsFromTheSoftmax) {
  const Case c{.score = "dot", .normalizer = "hard_reinforce"};
  const auto attention = build(*c.config(), c.dims());
  constexpr int64_t kRows = 20000;
  const Tensor keys = uniform({1, kKeys, kKey}, "keys").expand({kRows, kKeys, kKey}),
               query = uniform({1, 1, kKey}, "query").expand({kRows, 1, kKey}),
               lengths = torch::full({kRows}, 4, torch::kLong);
  Pass pass = Pass::for_training(3, 4);
  pass.keep_weights = true;
  State state(attention->layout(), kRows, pass, torch::kCPU);
  attention->start({{"source", make_source(keys, lengths)}}, state.view());
  const Tensor weights =
      attention->attend(query, positions_from(0, kRows, 1), state.view()).weights;
  const Tensor expected =
      torch::softmax(torch::matmul(query[0], keys[0].narrow(0, 0, 4).t()), -1).squeeze(0);
  const Tensor often = weights.mean(0).flatten();
  for (int64_t s = 0; s < 4; ++s) {
    const double p = expected[s].item<double>();
    EXPECT_NEAR(often[s].item<double>(), p, 4 * std::sqrt(p * (1 - p) / kRows)) << s;
  }
  EXPECT_EQ(often[4].item<double>(), 0);
}

TEST(NoAttention, GivesZerosOfTheBlock) {
  holds("reference", {"attention: none"});
  const auto config = fresh_kind(attentions(), "none");
  for (const int64_t block : {0, 6}) {
    const AttentionDims dims{.query = 6, .source = {.key = 4, .value = 4}, .block = block};
    EXPECT_EQ(config->context_width(dims), block);
    State state(StateLayout(), 2, Pass(), torch::kCPU);
    const Attended attended =
        build(*config, dims)
            ->attend(uniform({2, 3, 6}, "query"), positions_from(0, 2, 3), state.view());
    EXPECT_EQ(attended.context.sizes(), (c10::IntArrayRef{2, 3, block}));
    EXPECT_TRUE(attended.context.eq(0).all().item<bool>());
    EXPECT_FALSE(attended.weights.defined());
  }
}

}  // namespace
}  // namespace heed
