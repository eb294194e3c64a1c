// Minimum risk and self-critical training beside their definitions.
#include "train/sequence_objective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/outputs/copynet_config.h"
#include "model/outputs/entmax_config.h"
#include "model/outputs/pointer_generator_config.h"
#include "nn/torch.h"

#include "batch_of.h"
#include "config/reader.h"
#include "directional_gradient.h"
#include "holds.h"
#include "metric/chrf.h"
#include "network/model_engine.h"
#include "search/search.h"
#include "train/tiny_run.h"
#include "train/workers.h"

namespace heed {
namespace {

constexpr int64_t kUpdate = 5;

std::vector<ModelConfig> some_models() {
  ModelConfig copies = tiny_rnn(0);
  copies.output = make_kind<PointerGeneratorConfig>("pointer_generator");
  ModelConfig stepwise = tiny_rnn(0);
  stepwise.output = make_kind<CopyNetConfig>("copynet");
  ModelConfig sparse = tiny_transformer(0);
  sparse.output = make_kind<EntmaxOutputConfig>("entmax");
  return {tiny_rnn(0), tiny_transformer(0), copies, stepwise, sparse};
}

// A network whose parameters are all away from 0, so that it prefers some tokens and none are equal.
std::shared_ptr<Seq2Seq> network_of(const ModelConfig& model) {
  auto network = std::make_shared<Seq2Seq>(model, tiny_sizes(), 1);
  network->to(torch::kDouble);
  const torch::NoGradGuard no_grad;
  for (Tensor& parameter : network->parameters()) {
    const Tensor places = torch::arange(parameter.numel(), torch::kDouble).view(parameter.sizes());
    parameter.add_(torch::cos(places * 1.3 + 0.7), 0.3);
  }
  return network;
}

std::vector<Example> some_examples(const ModelConfig& model) {
  RandomStream random(3);
  std::vector<Example> examples;
  for (int64_t i = 0; i < 4; ++i) examples.push_back(tiny_example(random, i, wants_of(model)));
  return examples;
}

SequenceObjective objective_of(const SequenceLossConfig& config, const SearchConfig& search = {},
                               int64_t given = 0) {
  return {
      {kSourceSide}, config, TargetCost(config.metric, {}, tiny_codec()), search, {.given = given}};
}

// The first tokens of the references are given.
std::vector<Request> requests_behind(int64_t given, const std::vector<Example>& examples,
                                     const SearchConfig& search) {
  std::vector<Request> requests = requests_of(examples, search);
  for (size_t row = 0; row < requests.size(); ++row) {
    requests[row].given = given;
    requests[row].prefix.assign(examples[row].target.begin(), examples[row].target.begin() + given);
  }
  return requests;
}

double text_cost(const Example& example, const Ids& target) {
  const auto codec = tiny_codec();
  const auto behind = example.copyable ? example.copyable->behind : std::vector<std::string>();
  const auto text = [&](const Ids& ids) { return codec->decode(codec->pieces(ids, behind)); };
  return 1 - Chrf().score_line(text(target), {text(example.target)}).value / 100;
}

// Samples of each example, as the header says that they are drawn: seed is the second draw of the
// pass, after that of the tokens' loss.
std::vector<std::vector<Hypothesis>> samples_of(const std::shared_ptr<Seq2Seq>& network,
                                                const std::vector<Example>& examples, int64_t count,
                                                int64_t given = 0) {
  const Pass pass = Pass::for_training(1, kUpdate);
  pass.fork();
  SearchConfig sampling;
  sampling.allow_unknown = false;
  sampling.nbest = count;
  sampling.sampling = SamplingOptions{.seed = pass.draw()};
  std::vector<Request> requests = requests_behind(given, examples, sampling);
  for (size_t row = 0; row < requests.size(); ++row)
    requests[row].number = static_cast<int64_t>(row);
  return search(ModelEngine({network}, {kSourceSide}), std::move(requests));
}

// log p of a target with its end, token by token, behind those given.
double log_probability_of(Seq2Seq& network, const Example& example, const Ids& target,
                          size_t given = 0) {
  const torch::NoGradGuard no_grad;
  State state = network.start(source_batches({example}, {kSourceSide}, torch::kCPU), Pass());
  Ids inputs = {kBegin}, outputs = target;
  inputs.insert(inputs.end(), target.begin(), target.end());
  outputs.push_back(kEnd);
  double sum = 0;
  for (size_t t = 0; t < inputs.size(); ++t) {
    const Step step = network.advance(torch::tensor({{int64_t{inputs[t]}}}), state);
    const double own = network.log_probs(step, state)[0][0][outputs[t]].item<double>();
    if (t >= given) sum += std::max(own, std::log(1e-10));  // of entmax
  }
  return sum;
}

TEST(MinimumRisk, IsTheExpectedCostOverTheDistinctSamples) {
  holds({"train.sequence_loss.loss", "train.sequence_loss.samples", "train.sequence_loss.alpha",
         "train.sequence_loss.reference"});
  for (const ModelConfig& model : some_models()) {
    for (const bool reference : {false, true}) {
      SequenceLossConfig config;
      config.alpha = 0.7;
      config.samples = 6;
      config.reference = reference;
      const auto network = network_of(model);
      const auto examples = some_examples(model);
      const auto samples = samples_of(network, examples, config.samples);
      double expected = 0;
      for (size_t row = 0; row < examples.size(); ++row) {
        std::map<Ids, double> powers;  // p^α
        if (reference) powers[examples[row].target] = 0;
        for (const Hypothesis& sample : samples[row]) powers[sample.ids] = 0;
        double sum = 0, cost = 0;
        for (auto& [target, power] : powers) {
          power = std::exp(config.alpha * log_probability_of(*network, examples[row], target));
          sum += power;
        }
        for (const auto& [target, power] : powers)
          cost += power / sum * text_cost(examples[row], target);
        expected += cost * static_cast<double>(examples[row].target.size() + 1);
      }
      const double loss = objective_of(config)
                              .loss(*network, examples, Pass::for_training(1, kUpdate), 10)
                              .loss.item<double>();
      EXPECT_NEAR(loss, expected / 10, 1e-9);
    }
  }
}

// Shen et al. 2016, sections 3.3 and 4.1: smoothed sentence BLEU, 100 samples, the gold translation,
// α = 5·10⁻³.
TEST(MinimumRisk, HasThePresetOfShen) {
  holds({"train.sequence_loss.preset"});
  const auto read = [](const std::string& text) {
    SequenceLossConfig config;
    read_config_text(text, "test", config);
    return config;
  };
  const SequenceLossConfig shen = read("{preset: shen}"), none = read("{}");
  EXPECT_EQ(shen.loss, SequenceLoss::kRisk);
  EXPECT_EQ(shen.metric, "bleu");
  EXPECT_EQ(shen.samples, 100);
  EXPECT_TRUE(shen.reference);
  EXPECT_EQ(shen.alpha, 5e-3);
  EXPECT_EQ(shen.weight, none.weight);
  EXPECT_EQ(none.metric, "chrf");
  EXPECT_EQ(none.samples, 8);
  EXPECT_FALSE(none.reference);
  const SequenceLossConfig changed = read("{preset: shen, samples: 20, reference: false}");
  EXPECT_EQ(changed.samples, 20);
  EXPECT_FALSE(changed.reference);
  EXPECT_EQ(changed.metric, "bleu");
}

TEST(SelfCritical, IsReinforceWithTheGreedyTranslationAsBaseline) {
  holds({"train.sequence_loss.loss"});
  SequenceLossConfig config;
  config.loss = SequenceLoss::kSelfCritical;
  config.samples = 3;
  SearchConfig greedy;
  greedy.beam = 1;
  greedy.allow_unknown = false;
  for (const ModelConfig& model : some_models()) {
    for (const int64_t given : {0, 1}) {
      const auto network = network_of(model);
      const auto examples = some_examples(model);
      const auto samples = samples_of(network, examples, config.samples, given);
      const auto best =
          search(ModelEngine({network}, {kSourceSide}), requests_behind(given, examples, greedy));
      double expected = 0;
      for (size_t row = 0; row < examples.size(); ++row) {
        const double baseline = text_cost(examples[row], best[row].front().ids);
        for (const Hypothesis& sample : samples[row])
          expected +=
              (text_cost(examples[row], sample.ids) - baseline) *
              log_probability_of(*network, examples[row], sample.ids, static_cast<size_t>(given)) /
              3 * static_cast<double>(examples[row].target.size() + 1);
      }
      EXPECT_NE(expected, 0);
      const ObjectiveLoss loss = objective_of(config, {}, given)
                                     .loss(*network, examples, Pass::for_training(1, kUpdate), 10);
      EXPECT_NEAR(loss.loss.item<double>(), expected / 10, 1e-9);
      EXPECT_NEAR(loss.sums.read().loss, expected, 1e-9);
    }
  }
}

TEST(SequenceLosses, HaveTheGradientOfFiniteDifferences) {
  for (const ModelConfig& model : some_models()) {
    for (const SequenceLoss kind : {SequenceLoss::kRisk, SequenceLoss::kSelfCritical}) {
      SequenceLossConfig config;
      config.loss = kind;
      config.alpha = 0.5;
      config.weight = 0.7;
      const auto network = network_of(model);
      const auto examples = some_examples(model);
      const SequenceObjective objective = objective_of(config);
      const auto loss = [&] {
        return objective.loss(*network, examples, Pass::for_training(1, kUpdate), 10).loss;
      };
      check_gradient(*network, loss, 1e-5);
    }
  }
}

TEST(SequenceLosses, AreMixedWithCrossEntropy) {
  holds({"train.sequence_loss.weight", "train.sequence_loss.after"});
  const ModelConfig model = tiny_rnn(0.2);
  const auto network = network_of(model);
  const auto examples = some_examples(model);
  const auto loss_at = [&](double weight, int64_t update) {
    SequenceLossConfig config;
    config.weight = weight;
    config.after = 3;
    return objective_of(config)
        .loss(*network, examples, Pass::for_training(1, update), 10)
        .loss.item<double>();
  };
  const double none = loss_at(0, 4), all = loss_at(1, 4);
  EXPECT_NE(none, all);
  EXPECT_NEAR(loss_at(0.25, 4), 0.75 * none + 0.25 * all, 1e-12);
  const auto tokens = CrossEntropy({kSourceSide})
                          .loss(*network, examples, Pass::for_training(1, 3), 10)
                          .loss.item<double>();
  EXPECT_EQ(loss_at(1, 3), tokens);
  EXPECT_NE(loss_at(1, 4), tokens);
}

TEST(SequenceLosses, AreTheSameForAnyNumberOfWorkers) {
  for (const SequenceLoss kind : {SequenceLoss::kRisk, SequenceLoss::kSelfCritical}) {
    SequenceLossConfig config;
    config.loss = kind;
    config.weight = 0.7;
    const ModelConfig model = tiny_transformer(0.3);
    const auto gradient_of = [&](int64_t workers) {
      const auto network = network_of(model);
      FlatParameters parameters(*network);
      const SequenceObjective objective = objective_of(config);
      Update update{.number = kUpdate};
      update.add(batch_of(some_examples(model), {.workers = workers}));
      make_workers(network, parameters, objective, 1, workers)->gradient(update);
      return parameters.gradient().clone();
    };
    const Tensor one = gradient_of(1);
    for (const int64_t workers : {2, 3})
      EXPECT_LT((gradient_of(workers) - one).norm().item<double>(),
                1e-9 * one.norm().item<double>());
  }
}

TEST(SequenceLosses, GoByTheMetric) {
  holds({"train.sequence_loss.metric"});
  Example example;
  example.target = {4, 5, 6, 7};
  for (const char* metric : {"chrf", "bleu", "ter", "rougeL", "wer"}) {
    const TargetCost cost(metric, {}, tiny_codec());
    EXPECT_NEAR(cost.of(example.target, example), 0, 1e-9) << metric;
    EXPECT_GT(cost.of({8, 9}, example), cost.of({4, 5, 6, 9}, example)) << metric;
    Example of_two;
    of_two.target = {4, 5};
    EXPECT_NEAR(cost.of(of_two.target, of_two), 0, 1e-9) << metric;
  }
}

TEST(SequenceLosses, CountWordsAsValidationDoes) {
  holds({"train.validate.tokenize"});
  Example example;
  example.target = {4, 5, 6, 7};
  const Ids target = {4, 5, 9};
  const TargetCost cost("bleu", {.bleu = {.tokenizer = "char"}}, tiny_codec());
  const Bleu characters({.tokenizer = "char", .effective_order = true});
  EXPECT_NEAR(cost.of(target, example),
              1 - characters.score_line("w0 w1 w5", {"w0 w1 w2 w3"}).value / 100, 1e-9);
}

// A step of this length.
void descend(Seq2Seq& network, double length) {
  const torch::NoGradGuard no_grad;
  double squares = 0;
  for (const Tensor& parameter : network.parameters())
    squares += parameter.grad().square().sum().item<double>();
  if (squares == 0) return;  // all samples cost the same
  for (Tensor& parameter : network.parameters())
    parameter.sub_(parameter.grad(), length / std::sqrt(squares));
}

// The text that the model writes becomes better by the metric.
TEST(SequenceLosses, MakeSamplesCheaper) {
  for (const SequenceLoss kind : {SequenceLoss::kRisk, SequenceLoss::kSelfCritical}) {
    const ModelConfig model = tiny_rnn(0);
    const auto network = std::make_shared<Seq2Seq>(model, tiny_sizes(), 1);
    const auto examples = some_examples(model);
    SequenceLossConfig config;
    config.loss = kind;
    config.samples = 40;
    if (kind == SequenceLoss::kRisk) config.alpha = 0.1;
    const SequenceObjective objective = objective_of(config);
    const auto mean_cost = [&] {
      double sum = 0, count = 0;
      const auto samples = samples_of(network, examples, 50);
      for (size_t row = 0; row < examples.size(); ++row) {
        for (const Hypothesis& sample : samples[row]) {
          sum += text_cost(examples[row], sample.ids);
          ++count;
        }
      }
      return sum / count;
    };
    const double before = mean_cost();
    for (int64_t update = 1; update <= 60; ++update) {
      for (Tensor& parameter : network->parameters()) parameter.mutable_grad() = Tensor();
      objective.loss(*network, examples, Pass::for_training(1, update), 20).loss.backward();
      descend(*network, 0.1);
    }
    EXPECT_LT(mean_cost(), before - 0.05);
  }
}

}  // namespace
}  // namespace heed
