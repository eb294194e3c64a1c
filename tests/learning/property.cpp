#include "property.h"

#include <iostream>

#include <gtest/gtest.h>

#include "nn/torch.h"

#include "config/reader.h"
#include "train/objective.h"

namespace heed {

namespace {

constexpr int64_t kExamples = 50;

std::vector<Example> examples_of(const Row& row) {
  return unseen_examples(task_of(row.task), kExamples);
}

// Mask of the readable positions of the source. [R,1,1,S]
Tensor readable(const std::vector<Example>& examples) {
  return source_batches(examples, {"source"}, torch::kCPU)
      .named.at("source")
      .mask.unsqueeze(1)
      .unsqueeze(1);
}

std::vector<Tensor> parameters_with(Seq2Seq& network, const std::string& part) {
  std::vector<Tensor> list;
  for (const auto& item : network.named_parameters()) {
    if (item.key().find(part) != std::string::npos) list.push_back(item.value());
  }
  return list;
}

// Size of the decoder state, in numbers, after `tokens` tokens over a source of `source` symbols.
int64_t state_size(Seq2Seq& network, size_t source, int64_t tokens) {
  const torch::NoGradGuard no_grad;
  const Example example{.sources = {Ids(source, kSpecials)}, .target = {}};
  State state = network.start(source_batches({example}, {"source"}, torch::kCPU), Pass());
  for (int64_t t = 0; t < tokens; ++t)
    network.advance(torch::full({1, 1}, kSpecials, torch::kLong), state);
  int64_t size = 0;
  for (const auto& [name, tensor] : state.contents()) size += tensor.numel();
  return size;
}

Network untrained(const std::string& text, const Task& task) {
  return std::make_shared<Seq2Seq>(model_of(text),
                                   VocabularySizes{{{"source", kSpecials + task.source_symbols}},
                                                   kSpecials + task.target_symbols},
                                   1);
}

// Weights of the last attention over the source.  [R,H,T,S]
Tensor weights_of(const Row& row, const Network& network) {
  return reading_of(*network, examples_of(row)).attended.back().weights;
}

void falls_below_the_goal(const Row& row, const Network& network) {
  EXPECT_LE(right_outputs(network, examples_of(row)), row.most_without());
}

}  // namespace

void has_exact_zeros(const Row& row, const Network& network) {
  const std::vector<Example> examples = unseen_examples(task_of("greatest"), kExamples);
  const Tensor weights = reading_of(*network, examples).attended.back().weights;
  const Tensor open = readable(examples).expand_as(weights);
  const Tensor zeros = weights.eq(0) & open;
  EXPECT_GT(zeros.sum().item<double>(), 0.2 * open.sum().item<double>());
}

void reads_with_the_target(const Row& row, const Network& network) {
  const Tensor weights = weights_of(row, network);
  EXPECT_TRUE(weights.triu(1).eq(0).all().item<bool>());
  EXPECT_GT(weights.diagonal(0, -2, -1).mean().item<double>(), 0.5);
}

void has_bounded_scores(const Row& row, const Network& network) {
  const std::vector<Example> examples = examples_of(row);
  const Tensor weights = reading_of(*network, examples).attended.back().weights;
  const Tensor open = readable(examples);
  const Tensor ratio =
      weights.amax(-1) / weights.masked_fill(~open, 1).amin(-1);  // largest by smallest
  const Tensor beta = torch::softplus(parameters_with(*network, "score.gain").at(0));
  EXPECT_LE(ratio.max().item<double>(), torch::exp(2 * beta).item<double>() * 1.001);
}

void compares_unequal_widths(const Row& row, const Network&) {
  std::string text = row.with;
  const size_t at = text.find("general");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string("general").size(), "dot");
  ModelConfig config;
  EXPECT_FALSE(find_problems(text, "model", config).empty());
}

void keeps_a_source_in_one_size(const Row&, const Network& network) {
  EXPECT_EQ(state_size(*network, 3, 1), state_size(*network, 12, 1));
}

void keeps_a_past_in_one_size(const Row&, const Network& network) {
  EXPECT_EQ(state_size(*network, 3, 1), state_size(*network, 3, 9));
}

void keeps_a_state_of_one_size(const Row& row, const Network& network) {
  keeps_a_source_in_one_size(row, network);
  keeps_a_past_in_one_size(row, network);
}

void keeps_a_smaller_state(const Row& row, const Network& network) {
  const Network other = untrained(row.without, task_of(row.task));
  EXPECT_LT(2 * state_size(*network, 12, 9), state_size(*other, 12, 9));
}

void ignores_lengths(const Row& row, const Network& network) {
  const torch::NoGradGuard no_grad;
  const Tensor before = weights_of(row, network);
  for (const char* part : {"score.query.", "score.key."}) {
    const auto projection = parameters_with(*network, part);
    ASSERT_FALSE(projection.empty());
    for (const Tensor& parameter : projection) parameter.mul_(10);
  }
  EXPECT_LT((weights_of(row, network) - before).abs().max().item<double>(), 1e-3);
}

void has_norms_without_bias(const Row&, const Network& network) {
  EXPECT_FALSE(parameters_with(*network, "norm.weight").empty());
  EXPECT_TRUE(parameters_with(*network, "norm.bias").empty());
}

void sums_below_one(const Row& row, const Network& network) {
  const Tensor sums = weights_of(row, network).sum(-1);
  EXPECT_LT(sums.max().item<double>(), 1 + 1e-6);
  EXPECT_LT(sums.mean().item<double>(), 0.99);
}

void learns_its_lambda(const Row&, const Network& network) {
  const auto product = [&](const std::string& i) {
    return (parameters_with(*network, "lambda_q" + i).at(0) *
            parameters_with(*network, "lambda_k" + i).at(0))
        .sum()
        .exp()
        .item<double>();
  };
  EXPECT_GT(std::abs(product("1") - product("2")), 0.01);
}

void relies_on_other_heads(const Row& row, const Network& network) {
  const torch::NoGradGuard no_grad;
  const auto before = parameters_with(*network, "term_0.before"),
             after = parameters_with(*network, "read.after");
  ASSERT_EQ(before.size(), 1U);
  ASSERT_EQ(after.size(), 1U);
  for (const Tensor& map : {before[0], after[0]}) map.mul_(torch::eye(map.size(0)));
  falls_below_the_goal(row, network);
}

void closes_its_gate(const Row& row, const Network& network) {
  constexpr double kShut = 50;  // its sigmoid is 1: the output is the query alone
  const torch::NoGradGuard no_grad;
  for (const Tensor& bias : parameters_with(*network, "from_sum.bias")) bias.fill_(kShut);
  falls_below_the_goal(row, network);
}

void relies_on_values_of_their_own(const Row& row, const Network& network) {
  const torch::NoGradGuard no_grad;
  const auto keys = parameters_with(*network, "attention.score.key."),
             values = parameters_with(*network, "attention.read.value.");
  ASSERT_EQ(keys.size(), values.size());
  ASSERT_FALSE(keys.empty());
  for (size_t i = 0; i < keys.size(); ++i) values[i].copy_(keys[i]);
  falls_below_the_goal(row, network);
}

void relies_on_agreement(const Row& row, const Network& network) {
  std::string text = row.with;
  const size_t at = text.find("iterations: 3");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string("iterations: 3").size(), "iterations: 1");
  const Network once = untrained(text, task_of(row.task));
  const torch::NoGradGuard no_grad;
  auto own = once->named_parameters();
  for (const auto& item : network->named_parameters()) own[item.key()].copy_(item.value());
  // The loss of accuracy with uniform coefficients differs between seeds; if the iterations had no
  // effect, it would be zero.
  constexpr double kLost = 3;
  EXPECT_LE(right_outputs(once, examples_of(row)),
            right_outputs(network, examples_of(row)) - kLost);
}

namespace {

// Ponder cost of an encoder or, without one, of a decoder.  [R,S|T]
Tensor ponder_cost(const Network& network, const std::vector<Example>& examples) {
  const torch::NoGradGuard no_grad;
  EncoderOutput encoded;
  State state = network->start(source_batches(examples, source_names(*network), torch::kCPU),
                               Pass(), encoded);
  Step step = network->advance(target_batch(examples, torch::kCPU).inputs, state);
  for (const std::vector<SideLoss>* losses : {&encoded.losses, &step.losses}) {
    for (const SideLoss& loss : *losses) {
      if (loss.name == "ponder") return loss.value;
    }
  }
  ADD_FAILURE() << "no ponder cost";
  return torch::zeros({std::ssize(examples), 3});
}

}  // namespace

void ponders_longer_over_sums(const Row& row, const Network& network) {
  constexpr double kLonger = 0.1;
  const std::vector<Example> examples = unseen_examples(task_of(row.task), 200);
  const Tensor cost = ponder_cost(network, examples);
  double total[] = {0, 0}, count[] = {0, 0};  // of copies, of sums
  for (size_t i = 0; i < examples.size(); ++i) {
    // A decoder reads <s> first.
    const bool has_source = !examples[i].sources.empty();
    const Ids& numbers = has_source ? examples[i].sources[0] : examples[i].target;
    const bool is_sum = numbers.at(1) != kSpecials + kNoSum;
    total[is_sum] += cost[static_cast<int64_t>(i)][has_source ? 1 : 2].item<double>();
    ++count[is_sum];
  }
  const double of_copies = total[0] / count[0], of_sums = total[1] / count[1];
  std::cout << fmt::format("ponder cost {:.2f} of sums, {:.2f} of copies\n", of_sums, of_copies);
  EXPECT_GE(of_sums, of_copies + kLonger);
}

void is_still_right(const Row& row, const Network& network) {
  EXPECT_GE(right_outputs(network, examples_of(row)), 90);
}

double pairs_left_unread(const Network& network, const std::vector<Example>& examples) {
  const torch::NoGradGuard no_grad;
  Pass pass;
  pass.keep_weights = true;
  EncoderOutput encoded;
  network->start(source_batches(examples, {"source"}, torch::kCPU), pass, encoded);
  return 100 * encoded.attended.at(0).weights.eq(0).to(torch::kDouble).mean().item<double>();
}

double right_last_symbols(const Network& network, const std::vector<Example>& examples) {
  const torch::NoGradGuard no_grad;
  const auto names = source_names(*network);
  const TargetBatch target = target_batch(examples, torch::kCPU);
  State state = network->start(source_batches(examples, names, torch::kCPU), Pass());
  const Tensor best =
      network->log_probs(network->advance(target.inputs, state), state).argmax(2);  // [R,T]
  int64_t right = 0;
  for (size_t i = 0; i < examples.size(); ++i) {
    const auto row = static_cast<int64_t>(i),
               last = static_cast<int64_t>(examples[i].target.size()) - 1;
    right += best[row][last].item<int64_t>() == examples[i].target.back();
  }
  return 100 * static_cast<double>(right) / static_cast<double>(examples.size());
}

double difference_of_heads(const Network& network, const std::vector<Example>& examples) {
  const Step step = reading_of(*network, examples);
  for (const SideLoss& loss : step.losses) {
    if (loss.name == "disagreement")
      return 100 * (1 - loss.value.select(1, 0).mean().item<double>());
  }
  ADD_FAILURE() << "no loss of disagreement";
  return 0;
}

}  // namespace heed
