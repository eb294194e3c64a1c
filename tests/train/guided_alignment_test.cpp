#include "train/guided_alignment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "attention_variants.h"
#include "directional_gradient.h"
#include "holds.h"
#include "nn/torch.h"
#include "read_kind.h"
#include "train/objective.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

constexpr double kEpsilon = 1e-6;
constexpr AlignmentCost kCosts[] = {AlignmentCost::kCrossEntropy, AlignmentCost::kSquares,
                                    AlignmentCost::kMass};

GuidedAlignmentConfig guided(double weight, AlignmentCost cost = AlignmentCost::kCrossEntropy) {
  GuidedAlignmentConfig config;
  config.weight = weight;
  config.cost = cost;
  return config;
}

// One sentence of three tokens over three positions, calculated by hand; mean of two heads:
//   a¹ = (.5 .3 .2)  A¹ = (0 1 0)      ce -log .3                mse ½ (.25 + .49 + .04) = .39
//   a² = (.1 .6 .3)  A² = (.5 0 .5)    ce -½ (log .1 + log .3)   mse ½ (.16 + .36 + .04) = .28
//   a³ = (.4 .4 .2)  no links          0
TEST(GuidedAlignment, EqualsTheHandComputedCase) {
  holds({"train.guided_alignment.cost", "train.guided_alignment.weight"});
  const Tensor head = torch::tensor({0.5, 0.3, 0.2, 0.1, 0.6, 0.3, 0.4, 0.4, 0.2}, torch::kDouble)
                          .view({1, 1, 3, 3});
  const Tensor shift =
      torch::tensor({0.1, -0.1, 0.0, 0.1, -0.2, 0.1, 0.0, 0.0, 0.0}, torch::kDouble)
          .view({1, 1, 3, 3});
  const Tensor weights = torch::cat({head + shift, head - shift}, 1);
  std::vector<Example> examples(1);
  examples[0].alignment = PiecePairs{{1, 0}, {0, 1}, {2, 1}};
  const Tensor alignment = alignment_targets(examples, 3, 3, torch::kCPU);
  const double expected[][2] = {{-std::log(0.3), -(std::log(0.1) + std::log(0.3)) / 2},
                                {0.39, 0.28},
                                {-std::log(0.3), -std::log(0.4)}};
  for (size_t i = 0; i < std::size(kCosts); ++i) {
    const SideLoss loss = guided_alignment_loss(weights, alignment, guided(0.25, kCosts[i]));
    EXPECT_NEAR(loss.value[0][0].item<double>(), expected[i][0], 1e-4);
    EXPECT_NEAR(loss.value[0][1].item<double>(), expected[i][1], 1e-4);
    EXPECT_EQ(loss.value[0][2].item<double>(), 0);
    EXPECT_EQ(loss.weight, 0.25);
  }
}

TEST(GuidedAlignment, OfNoLinksIsUndefined) {
  std::vector<Example> examples(2);
  examples[0].alignment.emplace();
  EXPECT_FALSE(alignment_targets(examples, 2, 2, torch::kCPU).defined());
}

std::shared_ptr<Seq2Seq> guided_network(bool is_transformer) {
  auto network =
      std::make_shared<Seq2Seq>(is_transformer ? tiny_transformer() : tiny_rnn(), tiny_sizes(), 1);
  network->to(torch::kDouble);
  return network;
}

// Every second sentence has links: from the first target word to all source words, and from the
// last target word to the first source word.
std::vector<Example> linked_examples() {
  RandomStream random(4);
  std::vector<Example> examples;
  for (int64_t i = 0; i < 6; ++i) {
    Example example = tiny_example(random, i);
    example.alignment.emplace();
    if (i % 2 == 0) {
      for (int64_t s = 0; s < std::ssize(example.sources[0]); ++s)
        example.alignment->emplace_back(s, 0);
      example.alignment->emplace_back(0, std::ssize(example.target) - 1);
    }
    examples.push_back(example);
  }
  return examples;
}

double loss_of(Seq2Seq& network, const std::vector<Example>& examples,
               const GuidedAlignmentConfig& config, const Pass& pass) {
  return CrossEntropy({kSourceSide}, {.guided_alignment = config})
      .loss(network, examples, pass, 1)
      .sums.read()
      .loss;
}

// Cost of one target token, from its links.
double plain_cost(const Tensor& weights, const std::vector<int64_t>& linked, AlignmentCost cost) {
  const double share = 1 / static_cast<double>(linked.size());
  double entropy = 0, squares = 0, mass = 0;
  for (int64_t s = 0; s < weights.size(0); ++s) {
    const double a = weights[s].item<double>();
    const bool is_linked = std::find(linked.begin(), linked.end(), s) != linked.end();
    squares += std::pow(a - (is_linked ? share : 0), 2) / 2;
    if (!is_linked) continue;
    mass += a;
    entropy -= share * std::log(a + kEpsilon);
  }
  if (cost == AlignmentCost::kCrossEntropy) return entropy;
  return cost == AlignmentCost::kSquares ? squares : -std::log(mass + kEpsilon);
}

// a: weights [R,T,S]
double plain_loss(const Tensor& a, const std::vector<Example>& examples, AlignmentCost cost) {
  double sum = 0;
  for (size_t r = 0; r < examples.size(); ++r) {
    std::map<int64_t, std::vector<int64_t>> linked;
    for (const auto& [source, target] : *examples[r].alignment) {
      auto& own = linked[target];
      if (std::find(own.begin(), own.end(), source) == own.end()) own.push_back(source);
    }
    for (const auto& [target, sources] : linked)
      sum += plain_cost(a[static_cast<int64_t>(r)][target], sources, cost);
  }
  return sum;
}

double plain_loss(Seq2Seq& network, const std::vector<Example>& examples, AlignmentCost cost) {
  const torch::NoGradGuard no_grad;
  return plain_loss(alignment_of(read_targets(network, examples))->weights.mean(1), examples, cost);
}

// Garg et al. 2019: one head of a chosen layer.
TEST(GuidedAlignment, IsThatOfTheChosenLayerAndHeads) {
  const std::vector<Example> examples = linked_examples();
  for (const int64_t layer : {1, 2}) {
    for (const std::vector<std::string>& heads :
         {std::vector<std::string>{}, {"2"}, {"3", "1"}, {"1", "2", "3", "4"}}) {
      ModelConfig config = with_attention(tiny_transformer(), StagedConfig::with("scaled_dot", 4));
      AlignmentConfig& alignment =
          dynamic_cast<TransformerDecoderConfig&>(*config.decoder).alignment;
      alignment.layer = layer;
      alignment.heads = heads;
      Seq2Seq network(config, tiny_sizes(), 1);
      network.to(torch::kDouble);
      Tensor weights;  // [R,H,T,S]
      for (const Attended& attended : read_targets(network, examples).attended) {
        if (attended.site.place == Place::kCross && attended.site.layer == layer - 1)
          weights = attended.weights;
      }
      Tensor sum;
      for (int64_t head = 0; head < 4; ++head) {
        if (!heads.empty() && std::ranges::count(heads, std::to_string(head + 1)) == 0) continue;
        sum = sum.defined() ? sum + weights.select(1, head) : weights.select(1, head);
      }
      const double count = heads.empty() ? 4 : static_cast<double>(heads.size());
      const Pass pass = Pass::for_training(1, 1);
      const double added =
          loss_of(network, examples, guided(0.5), pass) - loss_of(network, examples, {}, pass);
      EXPECT_NEAR(added, 0.5 * plain_loss(sum / count, examples, AlignmentCost::kCrossEntropy),
                  1e-5);
    }
  }
}

// Weights of an output that sums over alignments are trained too.
TEST(GuidedAlignment, TrainsHardAlignments) {
  ModelConfig config = with_attention(tiny_rnn(), fresh_kind(attentions(), "none"));
  config.output = fresh_kind(outputs(), "hard_monotonic");
  Seq2Seq network(config, tiny_sizes(), 1);
  network.to(torch::kDouble);
  const std::vector<Example> examples = linked_examples();
  const Pass pass = Pass::for_training(1, 1);
  const double added =
      loss_of(network, examples, guided(0.5), pass) - loss_of(network, examples, {}, pass);
  EXPECT_NEAR(added, 0.5 * plain_loss(network, examples, AlignmentCost::kCrossEntropy), 1e-5);
  const CrossEntropy objective({kSourceSide}, {.guided_alignment = guided(3)});
  check_gradient(
      network, [&] { return objective.loss(network, examples, pass, 10).loss; }, 1e-5);
}

// Without the softmax of a linear start, the weights are scores, also negative ones. No logarithm of
// them is taken; the loss begins with the softmax.
TEST(GuidedAlignment, BeginsAfterALinearStart) {
  for (const char* attention :
       {"{type: memory_network, hops: 2, linear_start: 3}",
        "{type: hops, hops: 2, attention: {type: memory_network, hops: 1, linear_start: 3}}",
        "{type: adaptive, attention: {type: memory_network, hops: 1, linear_start: 3}}"}) {
    SCOPED_TRACE(attention);
    const ModelConfig config = with_attention(tiny_rnn(), read_kind(attentions(), attention));
    Seq2Seq network(config, tiny_sizes(), 1);
    network.to(torch::kDouble);
    const std::vector<Example> examples = linked_examples();
    const auto loss = [&](int64_t update, double coverage, const GuidedAlignmentConfig& guided) {
      CrossEntropyOptions settings;
      settings.coverage.weight = coverage;
      settings.guided_alignment = guided;
      return CrossEntropy({kSourceSide}, settings)
          .loss(network, examples, Pass::for_training(1, update), 1)
          .sums.read()
          .loss;
    };
    for (const AlignmentCost cost : kCosts) {
      EXPECT_EQ(loss(3, 0, guided(0.5, cost)), loss(3, 0, {}));
      EXPECT_GT(loss(4, 0, guided(0.5, cost)), loss(4, 0, {}));
    }
    EXPECT_EQ(loss(3, 0.5, {}), loss(3, 0, {}));
    EXPECT_GT(loss(4, 0.5, {}), loss(4, 0, {}));
  }
}

TEST(GuidedAlignment, IsAddedInTrainingOnly) {
  holds({"train.guided_alignment.cost", "train.guided_alignment.weight"});
  const std::vector<Example> examples = linked_examples();
  const Pass pass = Pass::for_training(1, 1);
  for (const bool is_transformer : {false, true}) {
    const auto network = guided_network(is_transformer);
    const double without = loss_of(*network, examples, {}, pass);
    for (const AlignmentCost cost : kCosts) {
      const double added = loss_of(*network, examples, guided(0.5, cost), pass) - without;
      const double expected = 0.5 * plain_loss(*network, examples, cost);
      EXPECT_GT(expected, 0.1);
      EXPECT_NEAR(added, expected, 1e-5);
      EXPECT_EQ(loss_of(*network, examples, guided(0.5, cost), Pass()),
                loss_of(*network, examples, {}, Pass()));
    }
  }
}

TEST(GuidedAlignment, IsTheSumOverTheBatchesOfAnUpdate) {
  const std::vector<Example> examples = linked_examples();
  const auto network = guided_network(false);
  for (const AlignmentCost cost : kCosts) {
    const auto loss = [&](const std::vector<Example>& some) {
      return loss_of(*network, some, guided(2, cost), Pass::for_training(1, 1));
    };
    double parts = 0;
    for (size_t i = 0; i < examples.size(); ++i) parts += loss({examples[i]});
    EXPECT_NEAR(loss(examples), parts, 1e-9);
    EXPECT_NEAR(loss({examples[1], examples[3]}),
                loss_of(*network, {examples[1], examples[3]}, {}, Pass::for_training(1, 1)), 1e-12)
        << "no links";
  }
}

TEST(GuidedAlignment, GradientIsFiniteDifferences) {
  const std::vector<Example> examples = linked_examples();
  for (const bool is_transformer : {false, true}) {
    for (const AlignmentCost cost : kCosts) {
      const auto network = guided_network(is_transformer);
      const CrossEntropy objective({kSourceSide}, {.guided_alignment = guided(3, cost)});
      const auto loss = [&] {
        return objective.loss(*network, examples, Pass::for_training(1, 1), 10).loss;
      };
      check_gradient(*network, loss, 1e-5);
    }
  }
}

// Single precision uses the project's kernels wherever they apply.
TEST(GuidedAlignment, GradientInFloatIsThatInDouble) {
  const std::vector<Example> examples = linked_examples();
  for (const bool is_transformer : {false, true}) {
    std::map<std::string, Tensor> gradients;
    for (const auto type : {torch::kDouble, torch::kFloat}) {
      const auto network = guided_network(is_transformer);
      network->to(type);
      CrossEntropy({kSourceSide}, {.guided_alignment = guided(3)})
          .loss(*network, examples, Pass::for_training(1, 1), 10)
          .loss.backward();
      for (const auto& item : network->named_parameters()) {
        const Tensor gradient = item.value().grad().to(torch::kDouble);
        const auto [other, is_first] = gradients.try_emplace(item.key(), gradient);
        EXPECT_TRUE(is_first || torch::allclose(other->second, gradient, 1e-3, 1e-4)) << item.key();
      }
    }
  }
}

}  // namespace
}  // namespace heed
