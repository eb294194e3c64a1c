// The terms local, atrous and sparse over a long sequence, in blocks (fast/banded.cpp), give the
// results of the stages one by one, and score fewer keys.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "attention_variants.h"
#include "nn/attention/builders.h"
#include "nn/attention/fast/fast_path.h"
#include "nn/attention/staged_config.h"
#include "nn/compare.h"
#include "nn/sources.h"
#include "nn/torch.h"

namespace heed {
namespace {

constexpr int64_t kBandedLength = 201;  // a multiple of neither k nor the size of a block

std::shared_ptr<StagedConfig> banded_config(const std::string& keys) {
  return std::dynamic_pointer_cast<StagedConfig>(attention_of("{" + keys + "}"));
}

AttentionDims banded_dims(Place place) {
  return {.place = place, .query = 8, .source = {.key = 8, .value = 8}, .block = 8};
}

struct BandedVariant {
  std::string name, keys;
};
const BandedVariant kBandedVariants[] = {
    {"local", "score: scaled_dot, heads: 2, terms: [{type: local, k: 3}]"},
    {"local_wide", "score: dot, heads: 1, terms: [{type: local, k: 20}]"},
    {"local_of_norms",
     "score: {type: dot, query_key_norm: l2}, heads: 2, terms: [{type: local, k: 1}]"},
    {"atrous", "score: scaled_dot, heads: 2, terms: [{type: atrous, k: 7}]"},
    {"atrous_grouped",
     "score: scaled_dot, heads: 4, key_value_heads: 2, terms: [{type: atrous, k: 11}]"},
    {"sparse", "score: scaled_dot, heads: 2, terms: [{type: sparse, k: 7}]"},
    {"sparse_grouped",
     "score: scaled_dot, heads: 4, key_value_heads: 1, terms: [{type: sparse, k: 8}]"},
    {"sparse_gated", "score: scaled_dot, heads: 2, read: gated, terms: [{type: sparse, k: 9}]"},
    {"local_causal", "score: scaled_dot, heads: 2, terms: [causal, {type: local, k: 3}]"},
    {"sparse_causal", "score: scaled_dot, heads: 2, terms: [{type: sparse, k: 7}, causal]"}};

// A pass over a sequence as the path sees it.
struct BandedPass {
  std::string keys = "score: scaled_dot, heads: 2, terms: [{type: local, k: 3}]";
  int64_t length = kBandedLength, queries = kBandedLength, begin = 0;
  bool keep_weights = false, training = false;
  double dropout = 0;
};

// nullopt if the path does not fit the stages.
std::optional<bool> is_banded(const BandedPass& asked) {
  const auto config = banded_config(asked.keys);
  config->dropout = asked.dropout;
  const auto path = make_banded_path(*config, config->stage_dims(banded_dims(Place::kEncoderSelf)));
  if (path == nullptr) return std::nullopt;
  Pass pass = asked.training ? Pass::for_training(1, 1) : Pass();
  pass.keep_weights = asked.keep_weights;
  const SentenceFeatures features;
  std::vector<SideLoss> losses;
  const StateLayout layout;
  State state(layout, 1, pass, torch::kCPU);
  const Tensor keys = torch::zeros({1, 2, asked.length, 4}),
               queries = torch::zeros({1, 2, asked.queries, 4});
  const auto positions = [&](int64_t size) {
    return torch::arange(asked.begin, asked.begin + size).unsqueeze(0);
  };
  const At at{.query = queries,
              .queries = queries,
              .keys = keys,
              .positions = positions(asked.queries),
              .key_positions = positions(asked.length),
              .reach = {},
              .history = {},
              .features = features,
              .pass = pass,
              .losses = losses,
              .normalizer_state = state.view()};
  return path->takes(at, {.keys = keys,
                          .values = keys,
                          .mask = {},
                          .positions = positions(asked.length),
                          .lengths = {}});
}

// Sentences of all positions, of some, and of none.
const Tensor kBandedLengths = torch::tensor({kBandedLength, int64_t{70}, int64_t{1}, int64_t{0}});

class BandedAttentionTest : public testing::TestWithParam<std::tuple<BandedVariant, bool, bool>> {
 protected:
  BandedAttentionTest()
      : past_(std::get<1>(GetParam())),
        config_(banded_config(std::get<0>(GetParam()).keys)),
        attention_(
            build(*config_, banded_dims(past_ ? Place::kDecoderSelf : Place::kEncoderSelf))) {
    fill(*attention_);
  }

  // The context, and the gradients of the input and of all parameters.
  std::vector<Tensor> results(bool by_stages, double size) const {
    attention_->zero_grad();
    Pass pass = std::get<2>(GetParam()) ? Pass::for_training(1, 1) : Pass();
    pass.keep_weights = by_stages;
    State state(attention_->layout(), 4, pass, torch::kCPU);
    const Tensor x = uniform({4, kBandedLength, 8}, "x", size).requires_grad_();
    const Tensor positions = positions_of(kBandedLengths, kBandedLength);
    Attended attended;
    if (past_) {
      attended = attention_->attend_past(x, x, x, positions, state.view());
    } else {
      attention_->start({{"self", make_source(x, kBandedLengths)}}, state.view());
      attended = attention_->attend(x, positions, state.view());
    }
    EXPECT_EQ(attended.weights.defined(), by_stages);
    probed(attended.context).backward();
    std::vector<Tensor> results = {attended.context.detach(), x.grad()};
    for (const auto& parameter : attention_->parameters())
      results.push_back(parameter.grad().clone());
    return results;
  }
  void compare(double size) const {
    ASSERT_EQ(is_banded({.keys = std::get<0>(GetParam()).keys}), true);
    const auto blocks = results(false, size), stages = results(true, size);
    for (size_t i = 0; i < stages.size(); ++i)
      expect_close(blocks[i], stages[i], kExact, std::to_string(i));
  }

  bool past_;
  std::shared_ptr<StagedConfig> config_;
  std::shared_ptr<Attention> attention_;
};

TEST_P(BandedAttentionTest, EqualsTheStages) { compare(1); }

TEST_P(BandedAttentionTest, EqualsTheStagesWithExtremeScores) { compare(200); }

INSTANTIATE_TEST_SUITE_P(All, BandedAttentionTest,
                         testing::Combine(testing::ValuesIn(kBandedVariants), testing::Bool(),
                                          testing::Bool()),
                         [](const auto& test) {
                           return std::get<0>(test.param).name +
                                  (std::get<1>(test.param) ? "_past" : "_sentence") +
                                  (std::get<2>(test.param) ? "_training" : "");
                         });

// The number of entries of the largest tensor that an operation of this thread returns while an
// object lives.
class LargestTensor {
 public:
  LargestTensor()
      : callback_(at::addThreadLocalCallback(
            at::RecordFunctionCallback(
                [](const at::RecordFunction&) { return std::unique_ptr<at::ObserverContext>(); },
                [](const at::RecordFunction& operation, at::ObserverContext*) {
                  for (const auto& output : operation.outputs())
                    if (output.isTensor() && output.toTensor().defined())
                      entries_ = std::max(entries_, output.toTensor().numel());
                })
                .needsOutputs(true)
                .scopes({at::RecordScope::FUNCTION}))) {
    entries_ = 0;
  }
  ~LargestTensor() { at::removeCallback(callback_); }
  LargestTensor(const LargestTensor&) = delete;
  LargestTensor& operator=(const LargestTensor&) = delete;
  static int64_t entries() { return entries_; }

 private:
  static inline int64_t entries_ = 0;
  at::CallbackHandle callback_;
};

int64_t largest_tensor(const std::string& keys, Place place, int64_t length, Pass pass) {
  const auto attention = build(*banded_config(keys), banded_dims(place));
  fill(*attention);
  State state(attention->layout(), 1, pass, torch::kCPU);
  const Tensor x = uniform({1, length, 8}, "x"), lengths = torch::tensor({length}),
               positions = positions_of(lengths, length);
  const LargestTensor largest;
  Attended attended;
  if (place == Place::kDecoderSelf) {
    attended = attention->attend_past(x, x, x, positions, state.view());
  } else {
    attention->start({{"self", make_source(x, lengths)}}, state.view());
    attended = attention->attend(x, positions, state.view());
  }
  probed(attended.context).backward();
  return LargestTensor::entries();
}

TEST(BandedAttention, MakesNoMatrixOfQueriesByKeys) {
  constexpr int64_t kLength = 1000;
  const std::string dot = "score: scaled_dot, heads: 2, terms: ";
  for (const Place place : {Place::kEncoderSelf, Place::kDecoderSelf}) {
    for (const char* terms : {"[{type: local, k: 3}]", "[{type: atrous, k: 32}]",
                              "[{type: sparse, k: 32}]", "[causal, {type: local, k: 3}]"}) {
      for (const Pass& pass : {Pass(), Pass::for_training(1, 1)})
        EXPECT_LT(largest_tensor(dot + terms, place, kLength, pass), kLength * kLength / 2)
            << terms << (place == Place::kDecoderSelf ? " past" : " sentence");
    }
    Pass pass;
    pass.keep_weights = true;
    EXPECT_GE(largest_tensor(dot + "[{type: local, k: 3}]", place, kLength, pass),
              kLength * kLength);
  }
}

TEST(BandedAttention, IsOfLongSequencesThatAreThereAsAWhole) {
  EXPECT_EQ(is_banded({}), true);
  EXPECT_EQ(is_banded({.training = true}), true);
  EXPECT_EQ(is_banded({.dropout = 0.1}), true);
  EXPECT_EQ(is_banded({.length = 20, .queries = 20}), false);  // hardly fewer keys
  EXPECT_EQ(is_banded({.queries = 1}), false);                 // a single step
  EXPECT_EQ(is_banded({.begin = 5}), false);
  EXPECT_EQ(is_banded({.keep_weights = true}), false);
  EXPECT_EQ(is_banded({.training = true, .dropout = 0.1}), false);
  setenv("HEED_PLAIN", "1", 1);
  EXPECT_EQ(is_banded({}), false);
  unsetenv("HEED_PLAIN");
}

TEST(BandedAttention, IsOfSoftmaxAndDotProductsAlone) {
  const std::string local = ", terms: [{type: local, k: 3}]", dot = "score: scaled_dot, heads: 2";
  EXPECT_EQ(is_banded({.keys = dot + local}), true);
  for (const char* k : {"atrous, k: 9", "sparse, k: 12"})
    EXPECT_EQ(is_banded({.keys = dot + ", terms: [{type: " + k + "}]"}), true) << k;
  EXPECT_EQ(is_banded({.keys = dot + ", terms: [{type: local, k: 3}, causal]"}), true);
  EXPECT_EQ(is_banded({.keys = dot + ", terms: [{type: local, k: 40}]"}), false);
  EXPECT_EQ(is_banded({.keys = dot + ", terms: [{type: atrous, k: 1}]"}), false);
  for (const std::string& keys :
       {dot, dot + ", terms: [causal]", dot + ", terms: [alibi]",
        dot + ", terms: [{type: local, k: 3}, alibi]", "score: additive, heads: 2" + local,
        "score: rotary, heads: 2" + local, dot + ", normalizer: sparsemax" + local,
        dot + ", normalizer: off_by_one" + local, dot + ", read: relative" + local,
        dot + ", disagreement: output" + local})
    EXPECT_EQ(is_banded({.keys = keys}), std::nullopt) << keys;
}

}  // namespace
}  // namespace heed
