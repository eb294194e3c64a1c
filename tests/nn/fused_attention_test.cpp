#include "nn/attention/fast/fused_attention.h"

#include <gtest/gtest.h>

#include "attention_variants.h"
#include "nn/attention/builders.h"
#include "nn/attention/heads.h"
#include "nn/attention/staged_config.h"
#include "nn/compare.h"
#include "nn/initialize.h"
#include "nn/product.h"
#include "nn/sources.h"
#include "nn/torch.h"

namespace heed {
namespace {

struct Variant {
  int64_t heads, queries, keys, width, value_width;
  bool masked, causal;
  double dropout;
};

void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.heads << " heads, " << variant.queries << " x " << variant.keys
       << (variant.masked ? ", masked" : "") << (variant.causal ? ", causal" : "") << ", dropout "
       << variant.dropout;
}

class FusedAttentionTest : public testing::TestWithParam<Variant> {};

// Computes the same with operations of libtorch.
Tensor by_operations(const Tensor& queries, const Tensor& keys, const Tensor& values,
                     const Tensor& readable, const FusedAttention& settings, const Pass& pass) {
  Tensor mask = torch::ones({1, 1, queries.size(2), keys.size(2)}, torch::kBool);
  if (settings.causal) mask = mask.tril();
  if (readable.defined()) mask = mask & readable.unsqueeze(1).unsqueeze(1);
  const Tensor scores = torch::matmul(queries, keys.transpose(2, 3)) * settings.scale;
  const Tensor weights = torch::softmax(scores.masked_fill(~mask, -1e30), -1).masked_fill(~mask, 0);
  return torch::matmul(dropout(weights, settings.dropout, pass), values);
}

// Returns the context of the joined heads, and the gradients of queries, keys and values.
template <class Attention>
std::vector<Tensor> results(const Variant& variant, const Attention& attention) {
  constexpr int64_t kRows = 4;
  const auto leaf = [&](int64_t length, int64_t width, const char* name) {
    return uniform({kRows, length, variant.heads * width}, name).to(torch::kFloat);
  };
  Tensor readable;
  if (variant.masked) {
    readable = torch::ones({kRows, variant.keys}, torch::kBool);
    readable[0].narrow(0, 1, variant.keys - 1).fill_(false);  // shorter than the rows that follow
    readable[1].narrow(0, variant.keys - 1, 1).fill_(false);  // padding
    readable[2].narrow(0, 0, 1).fill_(false);                 // a gap
    readable[3].fill_(false);                                 // nothing to read
  }
  const FusedAttention settings{.scale = 0.4, .dropout = variant.dropout, .causal = variant.causal};
  std::vector<Tensor> leaves = {leaf(variant.queries, variant.width, "queries"),
                                leaf(variant.keys, variant.width, "keys"),
                                leaf(variant.keys, variant.value_width, "values")};
  std::vector<Tensor> by_head;
  for (Tensor& x : leaves) by_head.push_back(split_heads(x.requires_grad_(), variant.heads));
  const Pass pass = Pass::for_training(3, 5);
  const Tensor heads = attention(by_head[0], by_head[1], by_head[2], readable, settings, pass);
  const Tensor joined = join_heads(heads);
  (joined * leaf(variant.queries, variant.value_width, "weights of the loss")).sum().backward();
  return {joined.detach(), leaves[0].grad(), leaves[1].grad(), leaves[2].grad()};
}

TEST_P(FusedAttentionTest, EqualsTheOperations) {
  const auto expected = results(GetParam(), by_operations),
             actual = results(GetParam(), fused_attention);
  for (size_t i = 0; i < expected.size(); ++i)
    expect_close(actual[i], expected[i], 2e-6, std::to_string(i));
}

INSTANTIATE_TEST_SUITE_P(All, FusedAttentionTest,
                         testing::Values(Variant{1, 1, 1, 1, 1, false, false, 0},
                                         Variant{2, 9, 9, 16, 16, false, true, 0},
                                         Variant{4, 5, 21, 8, 12, true, false, 0},
                                         Variant{3, 7, 35, 32, 5, true, false, 0.3},
                                         Variant{2, 20, 70, 32, 32, true, false, 0},
                                         Variant{2, 33, 33, 3, 32, false, true, 0.3}));

// libtorch's fused attention on a GPU is used only without dropout, because its masks would not be
// those of heed.
TEST_P(FusedAttentionTest, OnAGpuEqualsTheOperations) {
  if (!at::hasCUDA()) GTEST_SKIP() << "there is no GPU";
  const Variant& variant = GetParam();
  EXPECT_EQ(takes_sdpa(torch::empty({1}, torch::kCUDA), variant.dropout), variant.dropout == 0);
  EXPECT_FALSE(takes_sdpa(torch::empty({1}), 0));
  {
    const Bf16Scope halves(true);
    EXPECT_FALSE(takes_sdpa(torch::empty({1}, torch::kCUDA), 0));
  }
  const auto on_gpu = [](const Tensor& x) { return x.defined() ? x.to(torch::kCUDA) : x; };
  const auto by_libtorch = [&](const Tensor& queries, const Tensor& keys, const Tensor& values,
                               const Tensor& readable, const FusedAttention& settings,
                               const Pass&) {
    return sdpa(on_gpu(queries), on_gpu(keys), on_gpu(values), on_gpu(readable), settings.scale,
                settings.causal)
        .cpu();
  };
  Variant plain = variant;
  plain.dropout = 0;
  const auto expected = results(plain, by_operations);
  const auto actual = results(plain, by_libtorch);
  for (size_t i = 0; i < expected.size(); ++i)
    expect_close(actual[i], expected[i], 2e-5, std::to_string(i));
}

// A training pass that keeps the weights takes the stages one by one.
TEST(FusedAttention, StagedAttentionIsTheSame) {
  for (const std::string keys :
       {"score: dot, heads: 2", "score: scaled_dot, heads: 2",
        "score: scaled_dot, heads: 4, key_value_heads: 2",
        "score: scaled_dot, heads: 2, key_value_heads: 1",
        "score: {type: dot, query_key_norm: l2}, heads: 2",
        "score: {type: scaled_dot, query_key_norm: l2}, heads: 2",
        "score: {type: scaled_dot, query_key_norm: rms}, heads: 2",
        "score: scaled_dot, read: gated, heads: 2",
        "score: scaled_dot, read: {type: gated, gate: head}, heads: 4, key_value_heads: 1"}) {
    const auto config = std::dynamic_pointer_cast<StagedConfig>(attention_of("{" + keys + "}"));
    config->dropout = 0.2;
    const AttentionDims dims{.place = Place::kCross, .query = 8, .source = {.key = 8, .value = 8}};
    const auto attention = build(*config, dims);
    initialize(*attention, {}, 1);
    for (const bool past : {false, true}) {
      std::vector<Tensor> results[2];
      for (const bool keeps : {false, true}) {
        attention->zero_grad();
        Pass pass = Pass::for_training(1, 1);
        pass.keep_weights = keeps;
        State state(attention->layout(), 3, pass, torch::kCPU);
        const Tensor lengths = torch::tensor({6L, 4L, 1L});
        Tensor x = uniform({3, 6, 8}, "x").to(torch::kFloat).requires_grad_();
        const Tensor query = uniform({3, 6, 8}, "query").to(torch::kFloat);
        const Tensor positions = positions_of(lengths, 6);
        Attended attended;
        if (past) {
          attended = attention->attend_past(x, x, query, positions, state.view());
        } else {
          attention->start({{"source", make_source(x, lengths)}}, state.view());
          attended = attention->attend(query, positions, state.view());
        }
        EXPECT_EQ(attended.weights.defined(), keeps);
        attended.context.square().sum().backward();
        results[keeps] = {attended.context.detach(), x.grad()};
        for (const auto& parameter : attention->parameters())
          results[keeps].push_back(parameter.grad().clone());
      }
      for (size_t i = 0; i < results[0].size(); ++i)
        expect_close(results[0][i], results[1][i], 2e-5, keys);
    }
  }
}

TEST(FusedAttention, IsOfPlainStagesAlone) {
  const auto fused = [](const std::function<void(StagedConfig&)>& change, const char* score) {
    const auto config = StagedConfig::with(score, 2);
    change(*config);
    StageDims dims{AttentionDims{
        .place = Place::kEncoderSelf, .query = 8, .source = {.key = 8, .value = 8}, .block = 8}};
    dims.heads = 2;
    dims.project = true;
    return config->fused_scale(dims);
  };
  const auto as_is = [](StagedConfig&) {};
  EXPECT_EQ(fused(as_is, "dot"), 1);
  EXPECT_EQ(fused(as_is, "scaled_dot"), 0.5);
  EXPECT_EQ(fused(as_is, "additive"), std::nullopt);
  EXPECT_EQ(fused(as_is, "rotary"), std::nullopt);
  for (const char* read : {"talking_heads", "differential"}) {
    EXPECT_EQ(fused([read](StagedConfig& config) { config.read = fresh_kind(readouts(), read); },
                    "scaled_dot"),
              std::nullopt)
        << read;
  }
  for (const char* normalizer : {"off_by_one", "sink"}) {
    EXPECT_EQ(fused(
                  [normalizer](StagedConfig& config) {
                    config.normalizer = fresh_kind(normalizers(), normalizer);
                  },
                  "scaled_dot"),
              std::nullopt)
        << normalizer;
  }
  EXPECT_EQ(fused([](StagedConfig& config) { config.read = fresh_kind(readouts(), "relative"); },
                  "scaled_dot"),
            std::nullopt);
  EXPECT_EQ(
      fused(
          [](StagedConfig& config) { config.normalizer = fresh_kind(normalizers(), "sparsemax"); },
          "scaled_dot"),
      std::nullopt);
  EXPECT_EQ(fused([](StagedConfig& config) { config.terms = {fresh_kind(terms(), "alibi")}; },
                  "scaled_dot"),
            std::nullopt);
}

}  // namespace
}  // namespace heed
