// Buckets of T5 and scaled rotary position embedding against transformers run from Python
// (scripts/fixtures/relative_positions.py wrote the numbers).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "nn/attention_fixture.h"
#include "reference/scores.h"
#include "reference/terms.h"
#include "tensor_lines.h"

namespace heed {
namespace {

Tensor numbers(const std::string& name) {
  static const auto all = read_tensor_lines("tests/nn/fixtures/relative_positions.txt");
  return all.at(name);
}

struct Buckets {
  bool both;
  int64_t buckets, max_distance;
};

class BucketBias : public testing::TestWithParam<Buckets> {};

TEST_P(BucketBias, HasTheBucketsOfT5) {
  const auto [both, buckets, max_distance] = GetParam();
  const Tensor theirs =
      numbers(fmt::format("buckets/{}_{}_{}", both ? "both" : "past", buckets, max_distance))
          .to(torch::kLong);
  const int64_t reach = theirs.size(0) / 2, length = reach + 1;
  for (int64_t away = -reach; away <= reach; ++away) {
    const auto i = static_cast<size_t>(std::max<int64_t>(0, -away)),
               j = static_cast<size_t>(std::max<int64_t>(0, away));
    EXPECT_EQ(reference::relative_bucket(i, j, both, static_cast<size_t>(buckets),
                                         static_cast<double>(max_distance)),
              static_cast<size_t>(theirs[away + reach].item<int64_t>()))
        << away;
  }

  // Queries are 0, so that the scores are the biases alone.
  const auto attention =
      build(*attention_of(fmt::format("{{score: {{type: dot, project: false}}, terms: [{{type: "
                                      "bucket_bias, buckets: {}, max_distance: {}}}]}}",
                                      buckets, max_distance)),
            {.place = both ? Place::kEncoderSelf : Place::kDecoderSelf,
             .query = 2,
             .source = {.key = 2, .value = 2}});
  fill(*attention);
  Pass pass;
  pass.keep_weights = true;
  State state(attention->layout(), 1, pass, torch::kCPU);
  const Tensor x = torch::zeros({1, length, 2}, torch::kDouble),
               positions = positions_from(0, 1, length);
  Tensor weights;
  if (both) {
    attention->start({{"source", make_source(x, torch::tensor({length}, torch::kLong))}},
                     state.view());
    weights = attention->attend(x, positions, state.view()).weights;
  } else {
    weights = attention->attend_past(x, x, x, positions, state.view()).weights;
  }
  const Tensor bias = parameters_of(*attention).at("term_0.bias").squeeze(1);
  for (int64_t query = 0; query < length; ++query) {
    const int64_t keys = both ? length : query + 1;
    const Tensor rows = theirs.narrow(0, reach - query, keys);
    expect_close(weights[0][0][query].narrow(0, 0, keys), torch::softmax(bias.index({rows}), 0),
                 kExact, std::to_string(query));
  }
}

INSTANTIATE_TEST_SUITE_P(All, BucketBias,
                         testing::Values(Buckets{true, 32, 128}, Buckets{true, 16, 20},
                                         Buckets{true, 12, 50}, Buckets{false, 32, 128},
                                         Buckets{false, 16, 20}, Buckets{false, 12, 50}));

TEST(BucketBias, RefusesBucketsOfNoUse) {
  const auto reasons = [](const std::string& keys, Place place) {
    return refusals_of(*attention_of("{score: dot, terms: [{type: bucket_bias, " + keys + "}]}"),
                       {.place = place, .query = 2, .source = {.key = 2, .value = 2}});
  };
  using testing::PrintToString;
  EXPECT_EQ(reasons("buckets: 32", Place::kEncoderSelf), std::vector<std::string>{});
  EXPECT_EQ(reasons("buckets: 5, max_distance: 9", Place::kDecoderSelf),
            std::vector<std::string>{});
  EXPECT_EQ(reasons("buckets: 5, max_distance: 9", Place::kEncoderSelf),
            std::vector<std::string>{"terms[0].buckets: found 5, expected an even number, at least "
                                     "4: keys before and behind the query have half of them each"});
  EXPECT_EQ(reasons("max_distance: 16", Place::kDecoderSelf),
            std::vector<std::string>{"terms[0].max_distance: found 16, expected more than 16: the "
                                     "distances below that have a bucket each"});
  EXPECT_EQ(reasons("max_distance: 16", Place::kEncoderSelf), std::vector<std::string>{});
}

// Keys at position 3, of which each has one feature of the first of a pair.
Tensor turned_keys(const std::string& scaling) {
  constexpr int64_t kWidth = 32;
  const AttentionDims dims{
      .place = Place::kEncoderSelf, .query = kWidth, .source = {.key = kWidth, .value = kWidth}};
  const auto config = std::dynamic_pointer_cast<StagedConfig>(attention_of(
      "{score: {type: rotary, project: false, base: 500, factor: 4, scaling: " + scaling + "}}"));
  const auto scorer = build(*config->score, config->stage_dims(dims));
  const Tensor x = torch::eye(kWidth, torch::kDouble).view({kWidth / 2, 2, kWidth}).select(1, 0);
  return scorer->prepare_keys(x.unsqueeze(0), torch::full({1, kWidth / 2}, 3, torch::kLong))[0][0];
}

TEST(RotaryScaling, EqualsTransformers) {
  constexpr double kTheirs = 1e-6;  // float32
  const auto expect_angles = [&](const std::string& scaling, const std::string& name,
                                 const reference::Vector& angles, double length) {
    const Tensor theirs = numbers("rotary/" + name);
    expect_close(tensor_of(angles), theirs, kTheirs, scaling);
    EXPECT_NEAR(numbers("rotary/" + name + "_scale").item<double>(), length, kTheirs);
    const Tensor keys = turned_keys(scaling);
    const auto diagonal = [&](int64_t second) {
      return keys.view({16, 16, 2}).select(2, second).diagonal();
    };
    expect_close(diagonal(0), length * torch::cos(3 * tensor_of(angles)), kExact, scaling);
    expect_close(diagonal(1), length * torch::sin(3 * tensor_of(angles)), kExact, scaling);
  };
  expect_angles("linear", "linear", reference::interpolated(reference::rotary_angles(32, 500), 4),
                1);
  expect_angles("ntk", "dynamic", reference::ntk_angles(32, 4, 500), 1);
  expect_angles("yarn, trained_length: 128", "yarn", reference::yarn_angles(32, 4, 128, 500),
                reference::yarn_length(4));
}

}  // namespace
}  // namespace heed
