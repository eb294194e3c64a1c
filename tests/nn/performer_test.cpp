// Performer: its distance from the softmax that it approximates.
#include <gtest/gtest.h>

#include "nn/attention_cases.h"
#include "nn/compare.h"
#include "nn/redrawn.h"
#include "reference/linear_attention.h"
#include "reference/terms.h"

namespace heed {
namespace {

constexpr int64_t kPlaces = 20;

// One head of this width over unchanged inputs: every projection is the identity.
class Performer {
 public:
  explicit Performer(int64_t width, Place place = Place::kEncoderSelf)
      : own_past_(place == Place::kDecoderSelf) {
    attention_ = build(*attention_of("{type: linear, features: performer, heads: 1}"),
                       {.place = place, .query = width, .source = {.key = width, .value = width}});
    const torch::NoGradGuard no_grad;
    for (const auto& [name, value] : parameters_of(*attention_))
      value.copy_(value.dim() == 2 ? torch::eye(width) : torch::zeros({width}));
  }
  Tensor read(const Tensor& x, const Tensor& query) const {
    State state(attention_->layout(), x.size(0), Pass(), torch::kCPU);
    const Tensor positions = positions_from(0, x.size(0), query.size(1));
    if (own_past_) return attention_->attend_past(x, x, query, positions, state.view()).context;
    attention_->start(
        {{"source", make_source(x, torch::full({x.size(0)}, x.size(1), torch::kLong))}},
        state.view());
    return attention_->attend(query, positions, state.view()).context;
  }
  reference::Matrix random() const { return matrix_of(attention_->named_buffers()["random"]); }
  Tensor draw(uint64_t key) const {
    dynamic_cast<Redrawn&>(*attention_).draw(key);
    return attention_->named_buffers()["random"][0];
  }
  double features() const { return static_cast<double>(random().rows); }

 private:
  std::shared_ptr<Attention> attention_;
  bool own_past_;
};

// Softmax attention of queries q over rows x, in double precision.
reference::Matrix softmax_of(const Tensor& q, const Tensor& x, bool causal) {
  const auto queries = matrix_of(q), keys = matrix_of(x);
  const reference::Mask open = reference::mask_of(
      queries.rows, keys.rows, [&](size_t t, size_t s) { return !causal || s <= t; });
  return reference::weighted_sum(
      reference::softmax(reference::scores(queries, keys, reference::scaled_dot_score), open),
      keys);
}

// Inputs scaled to `times` the length at which |x'|² = |x|²/√D is 1/4.
struct Inputs {
  int64_t width;
  double times;
};
std::ostream& operator<<(std::ostream& out, const Inputs& inputs) {
  return out << inputs.width << " x" << inputs.times;
}
// Rows with this |x'|².
Tensor rows_of(int64_t width, double square, const std::string& name) {
  const Tensor x = uniform({1, kPlaces, width}, name);
  const double length = std::sqrt(square * std::sqrt(static_cast<double>(width)));
  return x / x.norm(2, -1, true) * length;
}

class PerformerDistance : public testing::TestWithParam<Inputs> {};
// Choromanski 2021, lemma 2: an estimate of exp(q'·k') by M features has a mean square error of at
// most exp(|q' + k'|²) / M times its square. Weights, and means of unrelated values, may be off by
// this much. The test allows one and a half times that; a context of zeros would be off by 1.
TEST_P(PerformerDistance, ToSoftmaxIsTheErrorOfTheEstimate) {
  const auto& [width, times] = GetParam();
  const double square = times * times / 4;
  for (const bool causal : {false, true}) {
    const Performer performer(width, causal ? Place::kDecoderSelf : Place::kEncoderSelf);
    const Tensor x = rows_of(width, square, "x").to(torch::kFloat),
                 q = rows_of(width, square, "q").to(torch::kFloat);
    const Tensor context = performer.read(x, q)[0].to(torch::kDouble);
    const Tensor expected = tensor_of(softmax_of(q[0], x[0], causal));
    const double error = ((context - expected).norm() / expected.norm()).item<double>();
    const double bound = 1.5 * std::sqrt(std::expm1(2 * square) / performer.features());
    std::cout << GetParam() << (causal ? " causal: " : ": ") << error << ", at most " << bound
              << "\n";
    EXPECT_LE(error, bound) << (causal ? "causal" : "all");
  }
}
INSTANTIATE_TEST_SUITE_P(All, PerformerDistance,
                         testing::Values(Inputs{64, 1}, Inputs{64, 2}, Inputs{64, 3},
                                         Inputs{256, 1.5}, Inputs{256, 3}, Inputs{256, 4.5}));

// The inputs are so long that exp(w·x' - |x'|²/2) in single precision, and products of two, are 0.
// The result is still that of the equation in double precision.
class PerformerOfLongInputs : public testing::TestWithParam<Inputs> {};
TEST_P(PerformerOfLongInputs, IsTheEquation) {
  const auto& [width, times] = GetParam();
  for (const bool causal : {false, true}) {
    const Performer performer(width, causal ? Place::kDecoderSelf : Place::kEncoderSelf);
    const Tensor x = (uniform({1, kPlaces, width}, "x", 1.5) * times).to(torch::kFloat),
                 q = (uniform({1, kPlaces, width}, "q", 1.5) * times).to(torch::kFloat);
    const Tensor context = performer.read(x, q)[0];
    const auto keys = matrix_of(x[0]);
    const reference::Mask open =
        reference::mask_of(kPlaces, kPlaces, [&](size_t t, size_t s) { return !causal || s <= t; });
    const Tensor expected = tensor_of(
        reference::performer_attention(matrix_of(q[0]), keys, keys, open, performer.random()));
    EXPECT_GT(expected.norm(2, -1).min().item<double>(), 0.1) << "there is something to read";
    expect_close(context, expected, 1e-3, causal ? "causal" : "all");
  }
}
INSTANTIATE_TEST_SUITE_P(All, PerformerOfLongInputs,
                         testing::Values(Inputs{64, 1}, Inputs{64, 2}, Inputs{64, 3},
                                         Inputs{256, 1.5}, Inputs{256, 3}, Inputs{256, 4.5}));

// Keys that are longer than all earlier keys do not erase what earlier queries read: one call and
// single steps agree in single precision.
TEST(PerformerFeatures, LongVectorsDoNotHideWhatWasReadBefore) {
  constexpr int64_t kWidth = 64;
  const Performer performer(kWidth, Place::kDecoderSelf);
  Tensor x = uniform({1, kPlaces, kWidth}, "x").to(torch::kFloat) *
             torch::linspace(8, 0.1, kPlaces).view({1, kPlaces, 1});
  const Tensor whole = performer.read(x, x);
  for (int64_t t = 0; t < kPlaces; ++t) {
    const Tensor past = x.narrow(1, 0, t + 1);
    expect_close(whole.select(1, t), performer.read(past, past).select(1, t), 1e-4,
                 "query " + std::to_string(t));
  }
  EXPECT_GT(whole.norm(2, -1).min().item<double>(), 1e-3);
}

// Each row is distributed as N(0, I). With a mean other than 0, estimates of exp(q'·k') would be
// wrong for any number of features (section 3.2).
TEST(PerformerFeatures, HaveNoDirection) {
  constexpr int64_t kWidth = 8, kDraws = 2000;
  const Performer performer(kWidth);
  Tensor sum = torch::zeros({performer.draw(0).size(0), kWidth}, torch::kDouble);
  Tensor squares = sum.clone();
  for (uint64_t i = 0; i < kDraws; ++i) {
    const Tensor random = performer.draw(i).to(torch::kDouble);
    sum += random;
    squares += random.square();
  }
  const double deviation = 1 / std::sqrt(static_cast<double>(kDraws));
  EXPECT_LT((sum / kDraws).abs().max().item<double>(), 5 * deviation);
  EXPECT_LT((squares / kDraws - 1).abs().max().item<double>(), 5 * std::sqrt(2) * deviation);
}

TEST(PerformerFeatures, HasAsManyFeaturesAsItsWidthAsksFor) {
  const auto count = [](int64_t width) { return Performer(width).features(); };
  EXPECT_EQ(count(64), 267);    // 64 ln 64 = 266.2
  EXPECT_EQ(count(512), 3195);  // 512 ln 512 = 3194.02
}

}  // namespace
}  // namespace heed
