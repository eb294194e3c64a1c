#include "train/supporting_facts_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "config/reader.h"
#include "directional_gradient.h"
#include "holds.h"
#include "nn/torch.h"
#include "one_thread.h"
#include "train/objective.h"

namespace heed {
namespace {

using Facts = std::vector<std::optional<int64_t>>;

constexpr double kFactEpsilon = 1e-6;
constexpr int32_t kStoryMarker = kSpecials;
constexpr int32_t kStoryWords = 12;

Example with_facts(const std::vector<int64_t>& begins, const Facts& facts) {
  Example example;
  example.supporting_facts = SupportingFacts{.begins = begins, .facts = facts};
  return example;
}

// wanted [P,R,C] of one example
void expect_wanted(const Facts& facts, size_t passes,
                   const std::vector<std::vector<double>>& expected) {
  const auto targets = fact_targets({with_facts({0, 2, 4}, facts)}, passes, 6, torch::kCPU);
  ASSERT_TRUE(targets.has_value());
  ASSERT_EQ(targets->wanted.sizes(), (std::vector<int64_t>{std::ssize(expected), 1, 3}));
  for (size_t p = 0; p < passes; ++p) {
    for (size_t c = 0; c < 3; ++c)
      EXPECT_EQ(targets->wanted[static_cast<int64_t>(p)][0][static_cast<int64_t>(c)].item<double>(),
                expected[p][c])
          << p << ", " << c;
  }
}

TEST(SupportingFactsLoss, GivesEachPassItsFact) {
  expect_wanted({2, 0}, 2, {{0, 0, 1}, {1, 0, 0}});
  // Fewer facts than passes: the last fact is that of all further passes.
  expect_wanted({1}, 3, {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}});
  expect_wanted({2, 0}, 3, {{0, 0, 1}, {1, 0, 0}, {1, 0, 0}});
  // More facts than passes: the last pass has all that remain.
  expect_wanted({1, 0, 2}, 2, {{0, 1, 0}, {0.5, 0, 0.5}});
  expect_wanted({1, 0, 2, 2}, 1, {{1 / 3.0F, 1 / 3.0F, 1 / 3.0F}});
  // No fact is left for a pass whose fact was cut off.
  expect_wanted({{}, 1}, 2, {{0, 0, 0}, {0, 1, 0}});
  expect_wanted({0, {}}, 3, {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}});
}

TEST(SupportingFactsLoss, OfNoFactsIsUndefined) {
  EXPECT_FALSE(fact_targets({Example(), with_facts({0}, {})}, 2, 3, torch::kCPU).has_value());
}

// Two questions with two target tokens and one, over stories of two sentences and of one; weights
// over four positions, of two heads; two passes. Means of the heads, summed by sentence:
//   question 1, pass 1   (.7 .3) and (.6 .4)   fact 1   -log .7, -log .6
//               pass 2   (.2 .8) and (.5 .5)   fact 2   -log .8, -log .5
//   question 2, pass 1   (.9)                  fact 1   -log .9
//               pass 2   (.4)                  fact 1   -log .4
// As gates, the other sentence adds -log(1 - g).
TEST(SupportingFactsLoss, EqualsTheHandComputedCase) {
  const std::vector<Example> examples = {with_facts({0, 2}, {0, 1}), with_facts({0}, {0})};
  const auto targets = fact_targets(examples, 2, 4, torch::kCPU);
  ASSERT_TRUE(targets.has_value());
  const auto pass = [](const std::vector<double>& mean, WeightForm form) {
    const Tensor weights = torch::tensor(mean, torch::kDouble).view({2, 1, 2, 4});
    const Tensor shift = torch::arange(4, torch::kDouble) / 100;
    return SourcePass{torch::cat({weights + shift, weights - shift}, 1), form};
  };
  const std::vector<double> first = {.4, .3, .1, .2, .5, .1, .4, 0, .3, .3, .3, 0, 9, 9, 9, 9},
                            second = {.1, .1, .4, .4, .5, 0, .25, .25, .1, .1, .2, 0, 9, 9, 9, 9};
  const Tensor mask = torch::tensor({true, true, true, false}).view({2, 2});
  for (const WeightForm form : {WeightForm::kShares, WeightForm::kGates}) {
    const SideLoss loss =
        supporting_facts_loss({pass(first, form), pass(second, form)}, *targets, mask, 0.25);
    const bool gates = form == WeightForm::kGates;
    const double expected[] = {-std::log(0.7 * 0.8) - (gates ? std::log(0.7 * 0.8) : 0),
                               -std::log(0.6 * 0.5) - (gates ? std::log(0.6 * 0.5) : 0),
                               -std::log(0.9 * 0.4)};
    EXPECT_NEAR(loss.value[0][0].item<double>(), expected[0] / 2, 1e-5);
    EXPECT_NEAR(loss.value[0][1].item<double>(), expected[1] / 2, 1e-5);
    EXPECT_NEAR(loss.value[1][0].item<double>(), expected[2], 1e-5);
    EXPECT_EQ(loss.weight, 0.25);
  }
}

// Models that attend to the sentences of a story in different ways.
const char* const kReaders[] = {
    "{preset: dmn, embedding: {width: 6}, encoders: {story: {word_encoder: {width: 6}}, question: "
    "{width: 6}}}",
    "{preset: dmn_plus, embedding: {width: 6}, encoders: {story: {sentence_encoder: {width: 6}}, "
    "question: {width: 6}}}",
    "{preset: memn2n, embedding: {width: 16}}",
    "{embedding: {width: 6}, encoders: {story: {type: hierarchical, word_encoder: {type: rnn, "
    "width: 6}, sentence_encoder: {type: rnn, width: 6}}, question: {type: rnn, width: 6}}, "
    "decoder: {type: rnn, width: 6, bridge_from: question, attention: {type: one_source, source: "
    "story, attention: {type: hops, hops: 2, attention: {score: general}}}}}",
    "{embedding: {width: 6}, encoders: {story: {type: hierarchical, word_encoder: {type: rnn, "
    "width: 6}, pool: mean, sentence_encoder: {type: embeddings, positions: none}}, question: "
    "{type: rnn, width: 6}}, decoder: {type: transformer, layers: 2, width: 6, feed_forward: 8, "
    "dropout: 0, self_attention: {score: scaled_dot, heads: 2}, attention: {type: one_source, "
    "source: story, attention: {score: scaled_dot, heads: 2}}}}"};

std::shared_ptr<Seq2Seq> reader(const std::string& text) {
  ModelConfig config;
  read_config_text(text, text, config);
  VocabularySizes sizes{.sources = {}, .target = kStoryWords};
  for (const std::string& name : config.sources()) {
    sizes.sources[name] = kStoryWords;
    sizes.owners[name] = config.sources().front();
    sizes.markers[name] = kStoryMarker;
  }
  auto network = std::make_shared<Seq2Seq>(config, sizes, 1);
  network->to(torch::kDouble);
  return network;
}

// Stories of one to four sentences; every third question has no facts. Sources: question, story.
std::vector<Example> questions() {
  RandomStream random(4);
  const auto word = [&random] {
    return static_cast<int32_t>(kStoryMarker + 1 + random.below(kStoryWords - kStoryMarker - 1));
  };
  std::vector<Example> examples;
  for (int64_t i = 0; i < 7; ++i) {
    Ids story;
    SupportingFacts facts;
    const int64_t sentences = 1 + i % 4;
    for (int64_t c = 0; c < sentences; ++c) {
      if (c > 0) story.push_back(kStoryMarker);
      facts.begins.push_back(std::ssize(story));
      for (uint64_t w = 0; w <= random.below(3); ++w) story.push_back(word());
    }
    if (i % 3 != 2) facts.facts = {sentences - 1, 0, sentences / 2};
    if (i == 4) facts.facts.resize(1);
    Example example{.index = i, .sources = {{word(), word()}, story}, .target = {word()}};
    if (i % 2 == 1) example.target.push_back(word());
    example.supporting_facts = facts;
    examples.push_back(example);
  }
  return examples;
}

double fact_loss(Seq2Seq& network, const std::vector<Example>& examples, double weight,
                 const Pass& pass = Pass::for_training(1, 1)) {
  return CrossEntropy({"question", "story"}, {.supporting_facts = weight})
      .loss(network, examples, pass, 1)
      .sums.read()
      .loss;
}

// Sum over the positions of each sentence; </s> belongs to the last one.
std::vector<double> by_sentence(const Tensor& weights, const Example& example) {
  const Ids& story = example.sources[1];
  std::vector<double> sums = {0};
  for (int64_t s = 0; s <= std::ssize(story); ++s) {
    sums.back() += weights[s].item<double>();
    if (s < std::ssize(story) && story[static_cast<size_t>(s)] == kStoryMarker) sums.push_back(0);
  }
  return sums;
}

double plain_cost(const std::vector<double>& weights, const std::vector<int64_t>& facts,
                  WeightForm form) {
  double cost = 0;
  for (size_t c = 0; c < weights.size(); ++c) {
    const bool is_fact = std::ranges::count(facts, static_cast<int64_t>(c)) > 0;
    if (is_fact && form == WeightForm::kGates) cost -= std::log(weights[c] + kFactEpsilon);
    if (!is_fact && form == WeightForm::kGates) cost -= std::log(1 - weights[c] + kFactEpsilon);
    if (is_fact && form == WeightForm::kShares)
      cost -= std::log(weights[c] + kFactEpsilon) / static_cast<double>(facts.size());
  }
  return cost;
}

// The loss in loops over passes, questions and target tokens.
double plain_loss_of_facts(Seq2Seq& network, const std::vector<Example>& examples,
                           WeightForm form) {
  const torch::NoGradGuard no_grad;
  Pass pass;
  pass.keep_weights = true;
  State state = network.start(source_batches(examples, {"question", "story"}, torch::kCPU), pass);
  const Step step = network.advance(target_batch(examples, torch::kCPU).inputs, state);
  const auto passes = passes_over_source(step);
  double sum = 0;
  for (size_t r = 0; r < examples.size(); ++r) {
    const Facts& facts = examples[r].supporting_facts->facts;
    if (facts.empty()) continue;
    for (size_t p = 0; p < passes.size(); ++p) {
      std::set<int64_t> own;
      own.insert(*facts[std::min(p, facts.size() - 1)]);
      if (p + 1 == passes.size()) {
        for (size_t more = p; more < facts.size(); ++more) own.insert(*facts[more]);
      }
      const int64_t tokens = std::ssize(examples[r].target) + 1;
      for (int64_t t = 0; t < tokens; ++t) {
        const auto weights =
            by_sentence(passes[p].weights[static_cast<int64_t>(r)].mean(0)[t], examples[r]);
        sum += plain_cost(weights, {own.begin(), own.end()}, form) / static_cast<double>(tokens);
      }
    }
  }
  return sum;
}

TEST(SupportingFactsLoss, IsAddedInTrainingOnly) {
  holds({"train.supporting_facts.weight"});
  const std::vector<Example> examples = questions();
  const size_t passes[] = {3, 3, 3, 2, 1};
  for (size_t i = 0; i < std::size(kReaders); ++i) {
    SCOPED_TRACE(kReaders[i]);
    const auto network = reader(kReaders[i]);
    const WeightForm form = i == 0 ? WeightForm::kGates : WeightForm::kShares;
    const double expected = plain_loss_of_facts(*network, examples, form);
    EXPECT_GT(expected, 1);
    EXPECT_NEAR(fact_loss(*network, examples, 0.5) - fact_loss(*network, examples, 0),
                0.5 * expected, 1e-6);
    EXPECT_EQ(fact_loss(*network, examples, 0.5, Pass()), fact_loss(*network, examples, 0, Pass()));
    Pass keeping;
    keeping.keep_weights = true;
    State state =
        network->start(source_batches(examples, {"question", "story"}, torch::kCPU), keeping);
    const Step step = network->advance(target_batch(examples, torch::kCPU).inputs, state);
    EXPECT_EQ(passes_over_source(step).size(), passes[i]);
  }
}

// The loss of a question does not depend on the questions beside it, which pad its story.
TEST(SupportingFactsLoss, IsTheSumOverTheBatchesOfAnUpdate) {
  const std::vector<Example> examples = questions();
  for (const char* text : kReaders) {
    SCOPED_TRACE(text);
    const auto network = reader(text);
    double parts = 0;
    for (const Example& example : examples) parts += fact_loss(*network, {example}, 2);
    EXPECT_NEAR(fact_loss(*network, examples, 2), parts, 1e-9);
  }
}

TEST(SupportingFactsLoss, GradientIsFiniteDifferences) {
  const std::vector<Example> examples = questions();
  const CrossEntropy objective({"question", "story"}, {.supporting_facts = 3});
  for (const char* text : kReaders) {
    SCOPED_TRACE(text);
    const auto network = reader(text);
    const auto loss = [&] {
      return objective.loss(*network, examples, Pass::for_training(1, 1), 10).loss;
    };
    loss().backward();
    LearnedTensors learned;  // no final state of a story is read
    for (const auto& item : network->named_parameters()) {
      if (item.value().grad().defined()) learned.emplace_back(item.key(), item.value());
    }
    DirectionalGradient(learned, [&] { return loss().item<double>(); }).check(1e-5);
  }
}

// Linear scores are no shares: they may be below 0.
TEST(SupportingFactsLoss, BeginsAfterALinearStart) {
  const std::vector<Example> examples = questions();
  const auto network = reader(
      "{preset: memn2n, embedding: {width: 16}, decoder: {attention: {attention: {linear_start: "
      "5}}}}");
  const auto added = [&](int64_t update) {
    const Pass pass = Pass::for_training(1, update);
    return fact_loss(*network, examples, 1, pass) - fact_loss(*network, examples, 0, pass);
  };
  EXPECT_EQ(added(5), 0);
  EXPECT_GT(added(6), 1);
}

TEST(SupportingFactsLoss, IsTheSameWithRecomputedLayers) {
  const std::vector<Example> examples = questions();
  std::vector<Tensor> gradients;
  for (const bool recomputes : {false, true}) {
    const auto network = reader(kReaders[4]);
    std::unique_ptr<Objective> objective =
        std::make_unique<CrossEntropy>(std::vector<std::string>{"question", "story"},
                                       CrossEntropyOptions{.supporting_facts = 1, .r_drop = 1});
    if (recomputes) objective = std::make_unique<RecomputingObjective>(std::move(objective));
    objective->loss(*network, examples, Pass::for_training(1, 1), 10).loss.backward();
    std::vector<Tensor> own;
    for (const Tensor& parameter : network->parameters()) {
      if (parameter.grad().defined()) own.push_back(parameter.grad().flatten());
    }
    gradients.push_back(torch::cat(own));
  }
  EXPECT_TRUE(torch::equal(gradients[0], gradients[1]));
}

}  // namespace
}  // namespace heed
