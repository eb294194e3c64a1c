// Definitions of papers besides the equations: sizes, fractions, initial values.
#include <gtest/gtest.h>

#include "nn/attention_fixture.h"
#include "nn/initialize.h"

namespace heed {
namespace {

AttentionDims dims_of(int64_t width, Place place = Place::kCross) {
  return {.place = place, .query = width, .source = {.key = width, .value = width}};
}

Attended read(Attention& attention, const Tensor& keys, const Tensor& query, const Pass& wanted) {
  Pass pass = wanted;
  pass.keep_weights = true;
  State state(attention.layout(), keys.size(0), pass, torch::kCPU);
  attention.start(
      {{"source", make_source(keys, torch::full({keys.size(0)}, keys.size(1), torch::kLong))}},
      state.view());
  return attention.attend(query, positions_from(0, keys.size(0), query.size(1)), state.view());
}

// Kim 2017, in the authors' code: λ = 2 for every length.
TEST(StructuredAttention, GivesNoLargerContextToALongerSentence) {
  const auto attention =
      build(*attention_of("{score: dot, normalizer: structured}"), dims_of(kKey));
  const Tensor query = uniform({1, 1, kKey}, "query");
  for (const int64_t length : {2, 20, 200}) {
    const Tensor keys = uniform({1, 1, kKey}, "key").expand({1, length, kKey}).contiguous();
    const Attended attended = read(*attention, keys, query, Pass());
    EXPECT_NEAR(attended.weights.sum().item<double>(), 2, 1e-6) << length;
    expect_close(attended.context[0][0], 2 * keys[0][0], 1e-6, std::to_string(length));
  }
}

TEST(StructuredAttention, PaysForItsTransitionsInTraining) {
  const auto attention = build(
      *attention_of("{score: dot, normalizer: {type: structured, penalty: 0.3}}"), dims_of(kKey));
  fill(*attention);
  const Tensor keys = uniform({2, kKeys, kKey}, "keys"), query = uniform({2, 3, kKey}, "query");
  const Attended training = read(*attention, keys, query, Pass::for_training(1, 2));
  ASSERT_EQ(training.losses.size(), 1U);
  EXPECT_EQ(training.losses[0].weight, 0.3);
  const Tensor squares =
      parameters_of(*attention).at("normalizer.transition_bias").square().sum().expand({2, 3});
  expect_close(training.losses[0].value, squares, kExact, "|b|²");
  EXPECT_TRUE(read(*attention, keys, query, Pass()).losses.empty());
}

// Shaw 2018: one clipping distance k for keys and values.
TEST(RelativeAttention, HasOneClipForKeysAndValues) {
  const auto rows = [](const std::string& text, const char* table) {
    const auto attention = build(*attention_of(text), dims_of(kKey, Place::kEncoderSelf));
    return parameters_of(*attention).at(table).size(0);
  };
  const std::string own = "{score: {type: relative, clip: 3}}";
  EXPECT_EQ(rows(own, "score.table"), 7);
  EXPECT_EQ(rows(own, "read.table"), 7);
  EXPECT_EQ(
      rows("{score: {type: relative, clip: 3}, read: {type: relative, clip: 5}}", "read.table"),
      11);
  EXPECT_EQ(rows("{score: dot, read: relative}", "read.table"), 33);
}

// Xu 2015: with probability ½ a sentence reads the softmax itself, and its sample gives no
// gradient.
TEST(HardAttention, ReadsTheSoftmaxInHalfOfTheSentences) {
  constexpr int64_t kRows = 2000;
  const auto weights = [](const std::string& normalizer, Attended& attended) {
    const auto attention =
        build(*attention_of("{score: dot, normalizer: " + normalizer + "}"), dims_of(kKey));
    const Tensor keys = uniform({kRows, kKeys, kKey}, "keys"),
                 query = uniform({kRows, kQueries, kKey}, "query");
    attended = read(*attention, keys, query, Pass::for_training(1, 2));
    return attended.weights;
  };
  Attended half, soft;
  const Tensor mixed = weights("{type: hard, soft: 0.5, gradient: {type: reinforce, weight: 0.2}}",
                               half),
               softmax = weights("softmax", soft);
  const Tensor is_hard = (mixed.eq(0) | mixed.eq(1)).flatten(1).all(1);         // [R]
  const Tensor is_soft = (mixed - softmax).abs().flatten(1).amax(1).lt(1e-12);  // [R]
  EXPECT_TRUE((is_hard ^ is_soft).all().item<bool>()) << "a sentence is one or the other";
  EXPECT_NEAR(is_soft.to(torch::kDouble).mean().item<double>(), 0.5, 4 * 0.5 / std::sqrt(kRows));
  EXPECT_EQ(half.losses.at(0).weight, 0.2) << "λ_r";
  EXPECT_TRUE(half.losses.at(0).value.abs().sum(1).gt(0).equal(is_hard));
}

// The choice is made for a whole sentence, even if a decoder asks word by word.
TEST(HardAttention, ReadsTheSoftmaxForAWholeSentence) {
  constexpr int64_t kRows = 200;
  const auto attention =
      build(*attention_of("{score: dot, normalizer: {type: hard, soft: 0.5}}"), dims_of(kKey));
  Pass pass = Pass::for_training(1, 2);
  pass.keep_weights = true;
  State state(attention->layout(), kRows, pass, torch::kCPU);
  const Tensor keys = uniform({kRows, kKeys, kKey}, "keys");
  attention->start({{"source", make_source(keys, torch::full({kRows}, kKeys, torch::kLong))}},
                   state.view());
  const auto reads_one_key = [&](int64_t word) {
    const Tensor query = uniform({kRows, 1, kKey}, "query" + std::to_string(word));
    const Tensor weights =
        attention->attend(query, positions_from(word, kRows, 1), state.view()).weights;
    return (weights.eq(0) | weights.eq(1)).flatten(1).all(1);  // [R]
  };
  const Tensor first = reads_one_key(0);
  EXPECT_TRUE(first.any().item<bool>() && !first.all().item<bool>());
  for (const int64_t word : {1, 2}) EXPECT_TRUE(reads_one_key(word).equal(first)) << word;
}

// Li 2019: each W_{h,n} is a separate map from a head to a capsule.
TEST(Routing, BeginsWithMapsOfTheirOwnFan) {
  constexpr int64_t kWidth = 512, kHeadCount = 8;
  AttentionDims dims = dims_of(kWidth);
  dims.block = kWidth;
  const auto heads_of = [&](const std::string& combination) {
    const auto attention =
        build(*attention_of("{score: scaled_dot, heads: 8, head_combination: " + combination + "}"),
              dims);
    initialize(*attention, {}, 1);
    return attention;
  };
  const auto routed = heads_of("routing");
  const Tensor votes = parameters_of(*routed).at("read.heads.vote");
  // Glorot's uniform for a matrix of 64 by 64: within ±√(6/128) = ±0.2165.
  EXPECT_NEAR(votes.abs().max().item<double>(), 0.2165, 0.001);
  EXPECT_EQ(votes.size(0), kHeadCount);
  // The initial context has the scale of joined heads.
  const Tensor keys = uniform({4, 6, kWidth}, "keys").to(torch::kFloat),
               query = uniform({4, 6, kWidth}, "query").to(torch::kFloat);
  const auto scale = [&](const std::string& combination) {
    return read(*heads_of(combination), keys, query, Pass()).context.std().item<double>();
  };
  const double joined = scale("concat");
  for (const char* kind : {"{type: routing, kind: em}", "{type: routing, kind: dynamic}"}) {
    std::cout << kind << " " << scale(kind) / joined << " of concat's scale\n";
    EXPECT_GT(scale(kind), joined / 10) << kind;
    EXPECT_LT(scale(kind), joined * 10) << kind;
  }
}

// Hinton 2018, section 3: the cost of a capsule has the constant ½ + ½ log 2π of a normal density for
// each dimension; the learned β begin at 0 beside it.
TEST(Routing, BeginsWithTheConstantOfTheDensity) {
  const auto attention =
      build(*attention_of("{score: scaled_dot, heads: 2, head_combination: routing}"), dims_of(16));
  initialize(*attention, {}, 1);
  const auto parameters = parameters_of(*attention);
  const Tensor cost = parameters.at("read.heads.cost_bias"),
               activation = parameters.at("read.heads.activation_bias");
  for (int64_t n = 0; n < 2; ++n) {
    EXPECT_NEAR(cost[n].item<double>(), 8 * (0.5 + 0.9189385332), 1e-5) << "½ log 2π = 0.9189…";
    EXPECT_EQ(activation[n].item<double>(), 0);
  }
}

// Press 2022, in the authors' code: the slopes of the power of two below the number of heads, then
// every second one of twice this power.
TEST(Alibi, HasSlopesForAnyNumberOfHeads) {
  const std::map<int64_t, std::vector<double>> exponents = {
      {1, {8}},
      {3, {4, 8, 2}},
      {4, {2, 4, 6, 8}},
      {6, {2, 4, 6, 8, 1, 3}},
      {12, {1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5}}};
  for (const auto& [heads, expected] : exponents) {
    const auto attention =
        build(*attention_of(fmt::format(
                  "{{score: {{type: dot, project: false}}, heads: {}, terms: [alibi]}}", heads)),
              dims_of(heads, Place::kEncoderSelf));
    attention->to(torch::kDouble);
    const Tensor keys = torch::zeros({1, 3, heads}, torch::kDouble);
    const Tensor weights = read(*attention, keys, keys, Pass()).weights;  // [1,H,3,3]
    for (int64_t h = 0; h < heads; ++h) {
      const Tensor row = weights[0][h][0];
      const double slope = std::pow(2, -expected[static_cast<size_t>(h)]);
      EXPECT_NEAR((row[0] / row[1]).log().item<double>(), slope, 1e-12) << heads << " " << h;
      EXPECT_NEAR((row[0] / row[2]).log().item<double>(), 2 * slope, 1e-12) << heads << " " << h;
    }
  }
}

// Veličković 2018: the neighbourhood of a node includes the node.
TEST(GraphAttention, ReadsItselfWithoutAnEdge) {
  const auto weights = [](const std::string& terms) {
    const auto attention = build(*attention_of("{score: graph, terms: [" + terms + "]}"),
                                 dims_of(kKey, Place::kEncoderSelf));
    fill(*attention);
    const Tensor x = uniform({1, 3, kKey}, "x");
    Source source = make_source(x, torch::tensor({3L}, torch::kLong));
    source.features[kEdges] = torch::zeros({1, 3, 3}, torch::kBool);
    source.features[kEdges][0][0][2] = true;
    Pass pass;
    pass.keep_weights = true;
    State state(attention->layout(), 1, pass, torch::kCPU);
    attention->start({{"self", source}}, state.view());
    return attention->attend(x, source.positions, state.view()).weights[0][0];  // [T,S]
  };
  const Tensor itself = weights("edges");
  EXPECT_EQ(itself[1][1].item<double>(), 1);
  EXPECT_EQ(itself[2][2].item<double>(), 1);
  EXPECT_GT(itself[0][0].item<double>(), 0);
  EXPECT_GT(itself[0][2].item<double>(), 0);
  EXPECT_EQ(itself[0][1].item<double>(), 0);
  EXPECT_EQ(weights("{type: edges, itself: false}")[1].sum().item<double>(), 0);
}

// Raffel 2017: r is negative at first, and the initialization keeps it so.
TEST(MonotonicAttention, BeginsWithANegativeOffset) {
  const auto attention =
      build(*attention_of("{score: additive, normalizer: monotonic}"), dims_of(kKey));
  initialize(*attention, {}, 1);
  EXPECT_EQ(parameters_of(*attention).at("normalizer.offset").item<double>(), -1);
}

TEST(LinearAttention, HasAsManyHeadsAsTheAttentionItReplaces) {
  AttentionDims block = dims_of(16, Place::kEncoderSelf);
  block.block = 16;
  const auto config = attention_of("{type: linear}");
  EXPECT_EQ(config->weight_heads(block), kBlockHeads);
  EXPECT_EQ(config->weight_heads(dims_of(16)), 1);
  EXPECT_EQ(attention_of("{type: linear, heads: 2}")->weight_heads(block), 2);
}

}  // namespace
}  // namespace heed
