// What the mechanisms of the tests do, weights that are dropped, and no attention.
#include <gtest/gtest.h>

#include "nn/attention_fixture.h"
#include "reference/attention.h"

namespace heed {
namespace {

// What each term of the tests does, by loops over scores that the module without it shows.
class Mechanisms : public testing::Test {
 protected:
  static constexpr int64_t kHeads = 2;
  static Case with(const std::string& term) {
    return {.score = "dot", .term = term, .heads = kHeads};
  }
  // The read of one sentence of five keys by four queries, all of whose projections are those of
  // `fill`.
  Attended read(const std::string& term) const {
    const Case c = with(term);
    const auto attention = c.config()->build(c.dims());
    fill(*attention);
    Pass pass;
    pass.keep_weights = true;
    State state(1, pass, torch::kCPU);
    attention->start({{"source", make_source(keys_, torch::tensor({kKeys}, torch::kLong))}},
                     state.view("a"));
    return attention->attend(query_, positions_from(0, 1, kQueries), state.view("a"));
  }
  // Scores of head h up to a number a query, which no softmax sees: log of the plain weights.
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
  const auto config = c.config();
  config->dropout = 0.5;
  const auto attention = config->build(c.dims());
  const Tensor keys = uniform({2, kKeys, kKey}, "keys"),
               query = uniform({2, kQueries, kKey}, "query"),
               lengths = torch::tensor({5, 5}, torch::kLong);
  const auto read = [&](Pass pass) {
    pass.keep_weights = true;
    State state(2, pass, torch::kCPU);
    attention->start({{"source", make_source(keys, lengths)}}, state.view("a"));
    return attention->attend(query, positions_from(0, 2, kQueries), state.view("a"));
  };
  const Attended plain = read(Pass()), dropped = read(Pass::for_training(1, 2));
  expect_close(plain.context, torch::matmul(plain.weights.squeeze(1), keys), kExact, "inference");
  const Tensor mask =
      dropout_mask({2, 1, kQueries, kKeys}, 0.5, keys, Pass::for_training(1, 2)).squeeze(1);
  expect_close(dropped.context, torch::matmul(plain.weights.squeeze(1) * mask, keys), kExact,
               "training");
  expect_close(dropped.weights, plain.weights, kExact, "what is shown is whole");
}

TEST(NoAttention, GivesZerosOfTheBlock) {
  const auto config = fresh_kind(attentions(), "none");
  for (const int64_t block : {0, 6}) {
    const AttentionDims dims{.query = 6, .key = 4, .value = 4, .block = block, .name = "here"};
    EXPECT_EQ(config->context_width(dims), block);
    State state(2, Pass(), torch::kCPU);
    const Attended attended = config->build(dims)->attend(uniform({2, 3, 6}, "query"),
                                                          positions_from(0, 2, 3), state.view("a"));
    EXPECT_EQ(attended.context.sizes(), (c10::IntArrayRef{2, 3, block}));
    EXPECT_TRUE(attended.context.eq(0).all().item<bool>());
    EXPECT_FALSE(attended.weights.defined());
  }
}

}  // namespace
}  // namespace heed
