// Objectives compared with their definitions: R-Drop and scheduled sampling.
#include "train/objective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/outputs/pointer_generator_config.h"
#include "nn/torch.h"

#include "directional_gradient.h"
#include "holds.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

std::shared_ptr<Seq2Seq> network_of(const ModelConfig& model) {
  auto network = std::make_shared<Seq2Seq>(model, tiny_sizes(), 1);
  network->to(torch::kDouble);
  return network;
}

std::vector<Example> some_examples(const ModelConfig& model) {
  RandomStream random(3);
  std::vector<Example> examples;
  for (int64_t i = 0; i < 5; ++i) examples.push_back(tiny_example(random, i, wants_of(model)));
  return examples;
}

ModelConfig copying_model() {
  ModelConfig model = tiny_rnn(0.3);
  model.output = make_kind<PointerGeneratorConfig>("pointer_generator");
  return model;
}

// Log-probabilities of a pass.  [R,T,V]
Tensor log_probs_of(Seq2Seq& network, const std::vector<Example>& examples, const Tensor& inputs,
                    const Pass& pass) {
  State state = network.start(source_batches(examples, {kSourceSide}, torch::kCPU), pass);
  const Step step = network.advance(inputs, state);
  return network.log_probs(step, state);
}

double plain_loss(Seq2Seq& network, const std::vector<Example>& examples, const Pass& pass) {
  return CrossEntropy({kSourceSide}).loss(network, examples, pass, 1).loss.item<double>();
}

// Σ p log(p / q) over the vocabulary, summed over the target tokens without padding.
double divergence(const Tensor& log_p, const Tensor& log_q, const Tensor& targets) {
  double sum = 0;
  for (int64_t r = 0; r < targets.size(0); ++r) {
    for (int64_t t = 0; t < targets.size(1); ++t) {
      if (targets[r][t].item<int64_t>() == kPad) continue;
      for (int64_t v = 0; v < log_p.size(2); ++v) {
        const double p = log_p[r][t][v].item<double>(), q = log_q[r][t][v].item<double>();
        if (std::isfinite(p)) sum += std::exp(p) * (p - q);
      }
    }
  }
  return sum;
}

TEST(RDrop, IsTheFormulaOfThePaper) {
  holds({"train.r_drop"});
  for (const ModelConfig& model : {tiny_rnn(0.3), tiny_transformer(0.3), copying_model()}) {
    const auto network = network_of(model);
    const auto examples = some_examples(model);
    // The objective forks the second pass before the first one begins.
    const auto passes = [] {
      const Pass first = Pass::for_training(1, 1);
      const Pass second = first.fork();
      return std::pair(first, second);
    };
    const auto [loss_p, loss_q] = passes();
    const double both =
        plain_loss(*network, examples, loss_p) + plain_loss(*network, examples, loss_q);
    const TargetBatch target = target_batch(examples, torch::kCPU);
    const auto [pass_p, pass_q] = passes();
    const Tensor log_p = log_probs_of(*network, examples, target.inputs, pass_p),
                 log_q = log_probs_of(*network, examples, target.inputs, pass_q);
    const double between =
        divergence(log_p, log_q, target.outputs) + divergence(log_q, log_p, target.outputs);
    EXPECT_GT(between, 0.01);
    const CrossEntropy objective({kSourceSide}, {.r_drop = 3});
    const double loss =
        objective.loss(*network, examples, Pass::for_training(1, 1), 1).loss.item<double>();
    EXPECT_NEAR(loss, both / 2 + 3 * between / 4, 1e-9);
    EXPECT_NEAR(objective.loss(*network, examples, Pass(), 1).loss.item<double>(),
                plain_loss(*network, examples, Pass()), 1e-12)
        << "validation has one pass";
  }
}

// The divergence is infinite for a token that one pass can copy and the other cannot.
TEST(RDrop, IsFiniteOverSparseWeights) {
  ModelConfig model = copying_model();
  auto attention = StagedConfig::with("dot", 1);
  attention->normalizer = fresh_kind(normalizers(), "sparsemax");
  model = with_attention(model, attention);
  const auto network = network_of(model);
  const CrossEntropy objective({kSourceSide}, {.r_drop = 3});
  for (int64_t update = 1; update <= 20; ++update) {
    const auto loss =
        objective.loss(*network, some_examples(model), Pass::for_training(1, update), 10).loss;
    EXPECT_TRUE(std::isfinite(loss.item<double>())) << update;
  }
}

TEST(RDrop, GradientIsFiniteDifferences) {
  for (const ModelConfig& model : {tiny_rnn(0.3), tiny_transformer(0.3), copying_model()}) {
    const auto network = network_of(model);
    const auto examples = some_examples(model);
    const CrossEntropy objective({kSourceSide}, {.label_smoothing = 0.1, .r_drop = 3});
    const auto loss = [&] {
      return objective.loss(*network, examples, Pass::for_training(1, 1), 10).loss;
    };
    check_gradient(*network, loss, 1e-6);
  }
}

TEST(ScheduledSampling, RisesLinearly) {
  holds({"train.scheduled_sampling.probability", "train.scheduled_sampling.after",
         "train.scheduled_sampling.over"});
  ScheduledSamplingConfig config;
  config.probability = 0.4;
  config.after = 100;
  config.over = 200;
  EXPECT_EQ(config.at(1), 0);
  EXPECT_EQ(config.at(100), 0);
  EXPECT_DOUBLE_EQ(config.at(200), 0.2);
  EXPECT_DOUBLE_EQ(config.at(300), 0.4);
  EXPECT_DOUBLE_EQ(config.at(5000), 0.4);
}

// Each input is the reference token or the most probable token after the previous reference token;
// never </s> or padding.
TEST(ScheduledSampling, TakesTheMostProbableTokens) {
  for (const ModelConfig& model : {tiny_rnn(0.3), tiny_transformer(0.3), copying_model()}) {
    const auto network = network_of(model);
    const auto examples = some_examples(model);
    const SourceBatches sources = source_batches(examples, {kSourceSide}, torch::kCPU);
    const TargetBatch target = target_batch(examples, torch::kCPU);
    const Tensor best = log_probs_of(*network, examples, target.inputs, Pass()).argmax(2);  // [R,T]
    const auto inputs_at = [&](double p, int64_t given = 0) {
      return scheduled_inputs(*network, sources, target, {.probability = p, .given = given},
                              Pass::for_training(1, 7));
    };
    EXPECT_TRUE(inputs_at(0).equal(target.inputs));
    const Tensor all = inputs_at(1), half = inputs_at(0.5);
    const Tensor behind = inputs_at(1, 1);
    EXPECT_TRUE(behind.narrow(1, 0, 2).equal(target.inputs.narrow(1, 0, 2)));
    EXPECT_TRUE(behind.narrow(1, 2, all.size(1) - 2).equal(all.narrow(1, 2, all.size(1) - 2)));
    EXPECT_FALSE(all.equal(behind));
    int64_t replaced = 0, kept = 0;
    for (int64_t r = 0; r < all.size(0); ++r) {
      EXPECT_EQ(all[r][0].item<int64_t>(), kBegin);
      for (int64_t t = 1; t < all.size(1); ++t) {
        const auto reference = target.inputs[r][t].item<int64_t>(),
                   own = best[r][t - 1].item<int64_t>();
        const bool can_be = reference != kPad && own != kPad && own != kEnd;
        EXPECT_EQ(all[r][t].item<int64_t>(), can_be ? own : reference);
        const auto drawn = half[r][t].item<int64_t>();
        EXPECT_TRUE(drawn == own || drawn == reference);
        if (can_be && own != reference) ++(drawn == own ? replaced : kept);
      }
    }
    EXPECT_GT(replaced, 0);
    EXPECT_GT(kept, 0);
  }
}

}  // namespace
}  // namespace heed
