#include "train/coverage_loss.h"

#include <gtest/gtest.h>

#include "attention_variants.h"
#include "holds.h"
#include "nn/torch.h"
#include "tensor_lines.h"
#include "train/objective.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

// Three tokens over three positions, by hand:
//   a¹ = (.5 .3 .2)  c¹ = (0 0 0)     min = 0
//   a² = (.1 .6 .3)  c² = (.5 .3 .2)  min = .1 + .3 + .2 = .6
//   a³ = (.4 .4 .2)  c³ = (.6 .9 .5)  min = .4 + .4 + .2 = 1
TEST(CoverageLoss, EqualsTheHandComputedCase) {
  holds({"train.coverage.weight"});
  const Tensor weights =
      torch::tensor({0.5, 0.3, 0.2, 0.1, 0.6, 0.3, 0.4, 0.4, 0.2}, torch::kDouble)
          .view({1, 1, 3, 3});
  const SideLoss loss = coverage_loss(weights, 0.25);
  EXPECT_TRUE(torch::allclose(loss.value, torch::tensor({{0.0, 0.6, 1.0}}, torch::kDouble)));
  EXPECT_EQ(loss.weight, 0.25);
  EXPECT_FALSE(loss.is_policy);
}

// A PyTorch version of the code of See et al. 2017 (scripts/fixtures/pointer_summarizer.py).
TEST(CoverageLoss, IsThatOfAPublicImplementation) {
  const auto theirs = read_tensor_lines("tests/model/fixtures/pointer_summarizer.txt");
  const SideLoss loss = coverage_loss(theirs.at("out/attention").unsqueeze(1), 1);
  EXPECT_TRUE(loss.value.allclose(theirs.at("out/covloss"), 1e-12, 1e-12));
}

TEST(CoverageLoss, IsThatOfTheMeanOfTheHeads) {
  holds({"train.coverage.weight"});
  const Tensor one = torch::tensor({1.0, 0.0, 1.0, 0.0}, torch::kDouble).view({1, 1, 2, 2});
  const Tensor other = torch::tensor({0.0, 1.0, 1.0, 0.0}, torch::kDouble).view({1, 1, 2, 2});
  const SideLoss loss = coverage_loss(torch::cat({one, other}, 1), 1);
  EXPECT_TRUE(torch::allclose(loss.value, torch::tensor({{0.0, 0.5}}, torch::kDouble)));
}

// It is connected: the loss of training grows by the mean of it over the tokens that count, in every
// decoder; and outside training not at all.
TEST(CoverageLoss, IsAddedInTraining) {
  holds({"train.coverage.weight"});
  const std::vector<Example> examples = examples_of(TinyStream().next());
  CoverageConfig coverage;
  coverage.weight = 0.5;
  for (const bool is_transformer : {false, true}) {
    Seq2Seq network(is_transformer ? tiny_transformer() : tiny_rnn(), tiny_sizes(), 1);
    const auto loss_of = [&](const CoverageConfig& config, const Pass& pass) {
      return CrossEntropy({"source"}, {.coverage = config})
          .loss(network, examples, pass, 1)
          .sums.read()
          .loss;
    };
    const auto added = [&](const Pass& pass) {
      return loss_of(coverage, pass) - loss_of({}, pass);
    };
    Pass no_training;
    no_training.update = 4;
    EXPECT_EQ(added(no_training), 0);

    const torch::NoGradGuard no_grad;
    const Step step = read_targets(network, examples);
    const TargetBatch target = target_batch(examples, torch::kCPU);
    const Tensor a = alignment_of(step)->weights.mean(1);  // [R,T,S]
    double expected = 0;
    for (int64_t r = 0; r < a.size(0); ++r) {
      for (int64_t t = 0; t < a.size(1); ++t) {
        if (target.outputs[r][t].item<int64_t>() == kPad) continue;
        for (int64_t s = 0; s < a.size(2); ++s) {
          double covered = 0;
          for (int64_t before = 0; before < t; ++before) covered += a[r][before][s].item<double>();
          expected += std::min(a[r][t][s].item<double>(), covered);
        }
      }
    }
    EXPECT_NEAR(added(Pass::for_training(1, 4)), 0.5 * expected, 1e-3);
  }
}

// The layer whose weights it is of is never left out of an update, whichever it is.
TEST(CoverageLoss, HasItsLayerInEachUpdate) {
  holds({"train.coverage.weight"});
  ModelConfig model = tiny_transformer();
  read_config_text("{layers: 3, layer_dropout: 0.9, attention_by_layer: {3: none}}", "decoder",
                   *model.decoder);
  Seq2Seq network(model, tiny_sizes(), 1);
  CoverageConfig coverage;
  coverage.weight = 0.5;
  const std::vector<Example> examples = examples_of(TinyStream().next());
  const auto loss_of = [&](const CoverageConfig& config, int64_t update) {
    return CrossEntropy({"source"}, {.coverage = config})
        .loss(network, examples, Pass::for_training(1, update), 1)
        .sums.read()
        .loss;
  };
  for (int64_t update = 1; update <= 10; ++update)
    EXPECT_GT(loss_of(coverage, update), loss_of({}, update)) << update;
}

}  // namespace
}  // namespace heed
