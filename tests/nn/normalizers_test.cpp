// Normalizers besides their definitions: other implementations, limits, bounds and extreme scores.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "nn/attention_fixture.h"
#include "reference/normalizers.h"

namespace heed {
namespace {

// Attention whose scores are the queries themselves, because the keys are unit vectors.
class GivenScores {
 public:
  explicit GivenScores(const std::string& normalizer, int64_t keys)
      : keys_(keys),
        attention_(build(
            *attention_of(fmt::format("{{score: dot, normalizer: {}}}", normalizer)),
            {.place = Place::kCross, .query = keys, .source = {.key = keys, .value = keys}})) {
    attention_->to(torch::kDouble);
  }
  torch::nn::Module& module() { return *attention_; }
  Tensor parameter(const std::string& name) const { return parameters_of(*attention_).at(name); }
  // scores [T,S] of T queries; readable keys.  [T,S]
  Tensor weights(const Tensor& scores, int64_t readable) {
    Pass pass;
    pass.keep_weights = true;
    State state(attention_->layout(), 1, pass, torch::kCPU);
    Source source = make_source(torch::eye(keys_, scores.options()).unsqueeze(0),
                                torch::tensor({readable}, torch::kLong));
    attention_->start({{"source", source}}, state.view());
    return attention_
        ->attend(scores.unsqueeze(0), positions_from(0, 1, scores.size(0)), state.view())
        .weights[0][0];
  }
  Tensor weights(const Tensor& scores) { return weights(scores, keys_); }

 private:
  int64_t keys_;
  std::shared_ptr<Attention> attention_;
};

std::string fixed_entmax(double alpha) {
  return fmt::format("{{type: entmax, alpha: {}, learned: false}}", alpha);
}
std::string learned_entmax(double alpha) {
  return fmt::format("{{type: entmax, alpha: {}}}", alpha);
}

// A line of tests/nn/fixtures/entmax.txt.
struct EntmaxLine {
  double alpha = 0;
  int64_t size = 0;
  Tensor scores, weights, probe, by_scores;  // [S]
  double by_alpha = 0;
};
std::vector<EntmaxLine> entmax_lines() {
  const char* root = std::getenv("HEED_SOURCE");
  std::ifstream file(std::string(root ? root : ".") + "/tests/nn/fixtures/entmax.txt");
  std::vector<EntmaxLine> lines;
  for (EntmaxLine line; file >> line.alpha >> line.size; lines.push_back(line)) {
    const auto numbers = [&] {
      std::vector<double> list(static_cast<size_t>(line.size));
      for (double& x : list) file >> x;
      return torch::tensor(list, torch::kDouble);
    };
    line.scores = numbers();
    line.weights = numbers();
    line.probe = numbers();
    line.by_scores = numbers();
    file >> line.by_alpha;
  }
  return lines;
}

TEST(Entmax, EqualsThePackage) {
  const std::vector<EntmaxLine> lines = entmax_lines();
  ASSERT_EQ(lines.size(), 20U) << "run from the root of the sources, or set HEED_SOURCE";
  for (const EntmaxLine& line : lines) {
    const std::string name = fmt::format("α = {}, {} scores", line.alpha, line.size);
    GivenScores attention(learned_entmax(line.alpha), line.size);
    const Tensor logit = attention.parameter("normalizer.logit");
    logit.data().fill_(std::log((line.alpha - 1) / (2 - line.alpha)));  // as double
    const Tensor scores = line.scores.clone().requires_grad_(true);
    const Tensor weights = attention.weights(scores.unsqueeze(0))[0];
    expect_close(weights, line.weights, 1e-12, name);
    (weights * line.probe).sum().backward();
    expect_close(scores.grad(), line.by_scores, 1e-10, name + ", gradient of the scores");
    // α = 1 + sigmoid(a).
    const double slope = (line.alpha - 1) * (2 - line.alpha);
    EXPECT_NEAR(logit.grad().item<double>() / slope, line.by_alpha,
                1e-8 * (1 + std::abs(line.by_alpha)))
        << name;
  }
}

TEST(Entmax, IsSoftmaxEntmax15AndSparsemaxAtTheirAlpha) {
  const Tensor scores = uniform({4, 30}, "scores", 2);
  const auto by = [&](const std::string& normalizer) {
    return GivenScores(normalizer, 30).weights(scores, 25);
  };
  expect_close(by(fixed_entmax(1.5)), by("entmax15"), 1e-13, "entmax15");
  expect_close(by(fixed_entmax(2)), by("sparsemax"), 1e-13, "sparsemax");
  expect_close(by(fixed_entmax(1.000001)), by("softmax"), 1e-4, "softmax");
}

// At α = 1 the derivative is that of the limit: a small step of α changes the weights as it says.
TEST(Entmax, HasAGradientNearSoftmax) {
  const Tensor scores = uniform({1, 6}, "scores", 2), probe = uniform({6}, "probe");
  for (const double alpha : {1.00001, 1.0001, 1.01}) {
    GivenScores attention(learned_entmax(alpha), 6);
    const Tensor logit = attention.parameter("normalizer.logit");
    const auto value_at = [&](double a) {
      const torch::NoGradGuard no_grad;
      logit.fill_(std::log((a - 1) / (2 - a)));
      return (attention.weights(scores)[0] * probe).sum().item<double>();
    };
    const double step = (alpha - 1) / 10;
    const double expected = (value_at(alpha + step) - value_at(alpha - step)) / (2 * step);
    value_at(alpha);
    (attention.weights(scores)[0] * probe).sum().backward();
    EXPECT_NEAR(logit.grad().item<double>() / ((alpha - 1) * (2 - alpha)), expected, 1e-4) << alpha;
  }
}

// A logit so low that sigmoid() is 0 gives the softmax; one so high that it is 1 gives sparsemax.
TEST(Entmax, StaysFiniteForAnyLearnedAlpha) {
  for (const auto type : {torch::kDouble, torch::kFloat}) {
    for (const auto& [logit, limit] : {std::pair{-500.0, "softmax"}, {500.0, "sparsemax"}}) {
      for (const double size : {1.0, 1e4}) {
        GivenScores attention("entmax", 8), other(limit, 8);
        attention.module().to(type);
        attention.parameter("normalizer.logit").data().fill_(logit);
        const Tensor scores = (uniform({3, 8}, "scores") * size).to(type).requires_grad_(true);
        const Tensor weights = attention.weights(scores, 6);
        expect_close(weights.to(torch::kDouble),
                     other.weights(scores.detach().to(torch::kDouble), 6), 1e-5, limit);
        (weights * uniform({3, 8}, "probe").to(type)).sum().backward();
        EXPECT_TRUE(scores.grad().isfinite().all().item<bool>()) << limit;
        EXPECT_TRUE(attention.parameter("normalizer.logit").grad().isfinite().all().item<bool>())
            << limit;
      }
    }
  }
}

TEST(Entmax, SumsToOneOverManyKeys) {
  for (const double alpha : {1.01, 1.2, 1.5, 1.99}) {
    for (const double width : {0.0, 1e-3, 10.0}) {
      GivenScores attention(fixed_entmax(alpha), 3000);
      attention.module().to(torch::kFloat);
      const Tensor weights =
          attention.weights(uniform({2, 3000}, "scores", width).to(torch::kFloat));
      EXPECT_TRUE(weights.sum(1).sub(1).abs().lt(1e-4).all().item<bool>()) << alpha << " " << width;
    }
  }
}

TEST(EntmaxConfig, RefusesALearnedAlphaOfTwo) {
  StagedConfig config;
  const auto problems = find_problems("{normalizer: {type: entmax, alpha: 2}}", "test", config);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].path, "normalizer.alpha");
  for (const char* alpha : {"1", "2.1"}) {
    EXPECT_EQ(find_problems(fmt::format("{{normalizer: {{type: entmax, alpha: {}}}}}", alpha),
                            "test", config)
                  .size(),
              1U)
        << alpha;
  }
}

// A fertility that no key reaches leaves sparsemax.
TEST(ConstrainedSparsemax, IsSparsemaxWithoutABound) {
  const Tensor scores = uniform({5, 7}, "scores", 1);
  const std::string loose = "{type: constrained_sparsemax, fertility: 1000, credit: 0}";
  expect_close(GivenScores(loose, 7).weights(scores, 6),
               GivenScores("sparsemax", 7).weights(scores, 6), 1e-13, "weights");
}

TEST(ConstrainedSparsemax, KeepsEveryBound) {
  constexpr int64_t kSteps = 40, kReadable = 9;
  for (const double size : {1.0, 1e4}) {
    const Tensor scores = uniform({kSteps, 12}, "scores", size);
    const Tensor weights =
        GivenScores("{type: constrained_sparsemax, fertility: 1.5}", 12).weights(scores, kReadable);
    expect_close(weights.sum(1), torch::ones({kSteps}, torch::kDouble), 1e-12, "sums");
    const Tensor totals = weights.sum(0);
    EXPECT_TRUE(totals.narrow(0, 0, kReadable - 1).le(1.5 + 1e-12).all().item<bool>()) << totals;
    EXPECT_GT(totals[kReadable - 1].item<double>(), kSteps - 1.5 * (kReadable - 1) - 1e-9)
        << "the last key takes the rest";
    EXPECT_TRUE(weights.narrow(1, kReadable, 12 - kReadable).eq(0).all().item<bool>());
  }
}

// Without a sink all of the fertility is given away, and then nothing.
TEST(ConstrainedSparsemax, GivesWhatIsLeft) {
  const Tensor weights =
      GivenScores("{type: constrained_sparsemax, fertility: 0.5, sink: false}", 4)
          .weights(uniform({4, 4}, "scores"), 3);
  const Tensor expected = torch::tensor({1.0, 0.5, 0.0, 0.0}, torch::kDouble);
  expect_close(weights.sum(1), expected, 1e-12, "sums");
  expect_close(weights.sum(0), torch::tensor({0.5, 0.5, 0.5, 0.0}, torch::kDouble), 1e-12,
               "fertilities");
}

TEST(ConstrainedSparsemax, IsForSourcesAlone) {
  const auto config = attention_of("{normalizer: constrained_sparsemax}");
  for (const Place place : {Place::kEncoderSelf, Place::kDecoderSelf, Place::kCoAttention}) {
    AttentionDims dims{.place = place, .query = kKey, .source = {.key = kKey, .value = kKey}};
    ASSERT_EQ(refusals_of(*config, dims).size(), 1U);
    EXPECT_NE(refusals_of(*config, dims)[0].find("sparsemax has no bounds"), std::string::npos);
  }
  AttentionDims rows{.query = kKey, .source = {.key = kKey, .value = kKey, .ordered = false}};
  ASSERT_EQ(refusals_of(*config, rows).size(), 1U);
  EXPECT_NE(refusals_of(*config, rows)[0].find("sink"), std::string::npos);
}

// A number that is added to a key's scores at all steps changes the weights of the first step alone.
TEST(Temporal, ForgetsWhatAKeyAlwaysHas) {
  constexpr int64_t kSteps = 30;
  for (const auto type : {torch::kDouble, torch::kFloat}) {
    const Tensor scores = uniform({kSteps, 6}, "scores", 3).to(type),
                 always = torch::tensor({8192.0, -8192.0, 0.0, 1024.0, -1.0, 0.0}, type);
    const Tensor plain = GivenScores("temporal", 6).weights(scores, 5),
                 shifted = GivenScores("temporal", 6).weights(scores + always, 5);
    const double tolerance = type == torch::kDouble ? 1e-10 : 5e-3;  // of 8192 ± 3
    expect_close(shifted.narrow(0, 1, kSteps - 1).to(torch::kDouble),
                 plain.narrow(0, 1, kSteps - 1).to(torch::kDouble), tolerance, "later steps");
    EXPECT_GT(shifted[0][0].item<double>(), 0.99);
    expect_close(plain.sum(1), torch::ones({kSteps}, type), 1e-5, "sums");
  }
}

TEST(Temporal, HasFiniteGradientsForExtremeScores) {
  const Tensor scores = (uniform({20, 6}, "scores").sign() * 1e4).to(torch::kFloat);
  const Tensor leaf = scores.clone().requires_grad_(true);
  const Tensor weights = GivenScores("temporal", 6).weights(leaf, 5);
  EXPECT_TRUE(weights.isfinite().all().item<bool>());
  EXPECT_TRUE(weights.select(1, 5).eq(0).all().item<bool>());
  (weights * uniform({20, 6}, "probe").to(torch::kFloat)).sum().backward();
  EXPECT_TRUE(leaf.grad().isfinite().all().item<bool>());
}

TEST(Temporal, IsForDecodersAlone) {
  const auto config = attention_of("{normalizer: temporal}");
  for (const Place place : {Place::kCross, Place::kDecoderSelf, Place::kEncoderSelf,
                            Place::kCoAttention, Place::kPooling}) {
    AttentionDims dims{.place = place, .query = kKey, .source = {.key = kKey, .value = kKey}};
    const bool is_of_a_decoder = place == Place::kCross || place == Place::kDecoderSelf;
    EXPECT_EQ(refusals_of(*config, dims).empty(), is_of_a_decoder);
  }
}

// Luong 2015: the last words of a long sentence are ignored.
TEST(LocationBased, ReadsTheFirstPositionsOnly) {
  const auto attention = build(*attention_of("{score: {type: location_based, max_positions: 4}}"),
                               {.query = kKey, .source = {.key = kKey, .value = kKey}});
  fill(*attention);
  const auto weights = [&](int64_t keys, const std::string& name) {
    Pass pass;
    pass.keep_weights = true;
    State state(attention->layout(), 1, pass, torch::kCPU);
    attention->start({{"source", make_source(uniform({1, keys, kKey}, name),
                                             torch::tensor({keys}, torch::kLong))}},
                     state.view());
    return attention->attend(uniform({1, 3, kKey}, "query"), positions_from(0, 1, 3), state.view())
        .weights[0][0];
  };
  const Tensor four = weights(4, "keys");
  expect_close(weights(7, "others").narrow(1, 0, 4), four, 0, "whatever the keys");
  EXPECT_TRUE(weights(7, "keys").narrow(1, 4, 3).eq(0).all().item<bool>());
  const Tensor two = weights(2, "keys");
  expect_close(two, four.narrow(1, 0, 2) / four.narrow(1, 0, 2).sum(1, true), 1e-14,
               "a short sentence uses the first scores");
}

}  // namespace
}  // namespace heed
