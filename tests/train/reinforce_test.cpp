// The gradient of sampled attention: over all choices that can be drawn, weighted by their
// probabilities, it is the gradient of the expected loss.
#include <gtest/gtest.h>

#include <map>

#include "attention_variants.h"
#include "train/objective.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

class Reinforce : public testing::Test {
 protected:
  static constexpr double kBaseline = -1.3;
  Reinforce() {
    const auto attention =
        attention_of("{score: {type: additive, hidden: 6}, normalizer: {type: hard, entropy: 0}}");
    network_ = std::make_shared<Seq2Seq>(with_attention(tiny_rnn(), attention),
                                         VocabularySizes{{{"source", 9}}, 9}, 1);
    const torch::NoGradGuard no_grad;
    for (const Tensor& parameter : network_->parameters()) parameter.mul_(2);
    network_->to(torch::kDouble);
    network_->train();
  }
  static Pass pass_of(int64_t update) {
    Pass pass = Pass::for_training(1, update);
    pass.baseline = kBaseline;
    return pass;
  }

  struct Draw {
    std::vector<int64_t> choices{};  // a token
    double probability = 0;
  };
  Draw draw(int64_t update) const {
    const torch::NoGradGuard no_grad;
    Pass pass = pass_of(update);
    pass.keep_weights = true;
    State state = network_->start(source_batches(examples_, {"source"}, torch::kCPU), pass);
    const Step step = network_->advance(target_batch(examples_, torch::kCPU).inputs, state);
    const Tensor chosen = step.attended[0].weights.argmax(-1).flatten();
    Draw draw{.probability = std::exp(step.losses[0].value.sum().item<double>())};
    for (int64_t t = 0; t < chosen.numel(); ++t) draw.choices.push_back(chosen[t].item<int64_t>());
    return draw;
  }
  // An update for each way to choose a key at each token.
  std::vector<int64_t> all_choices(size_t count) const {
    std::map<std::vector<int64_t>, int64_t> updates;
    for (int64_t update = 1; updates.size() < count && update < 100000; ++update)
      updates.emplace(draw(update).choices, update);
    std::vector<int64_t> list;
    for (const auto& [choices, update] : updates) list.push_back(update);
    return list;
  }
  ObjectiveLoss loss(int64_t update) const {
    return CrossEntropy({"source"}, 0).loss(*network_, examples_, pass_of(update), 1);
  }

  std::shared_ptr<Seq2Seq> network_;
  // Two words and the end of the sentence to read, twice.
  std::vector<Example> examples_ = {{.sources = {{4, 6}}, .target = {5}}};
};

TEST_F(Reinforce, ExpectedGradientIsThatOfTheExpectedLoss) {
  const std::vector<int64_t> updates = all_choices(9);
  ASSERT_EQ(updates.size(), 9U) << "three keys at each of two tokens";
  double total = 0;
  for (const int64_t update : updates) total += draw(update).probability;
  EXPECT_NEAR(total, 1, 1e-9);

  std::map<std::string, Tensor> expected;
  for (const int64_t update : updates) {
    network_->zero_grad();
    loss(update).loss.backward();
    const double probability = draw(update).probability;
    for (const auto& item : network_->named_parameters()) {
      ASSERT_TRUE(item.value().grad().defined()) << item.key();
      const Tensor part = item.value().grad() * probability;
      Tensor& sum = expected[item.key()];
      sum = sum.defined() ? sum + part : part.clone();
    }
  }
  const auto expected_loss = [&] {
    const torch::NoGradGuard no_grad;
    double sum = 0;
    for (const int64_t update : updates)
      sum += draw(update).probability * loss(update).sums.negative_log_probability;
    return sum;
  };
  const torch::NoGradGuard no_grad;
  double largest_of_score = 0;
  for (const auto& item : network_->named_parameters()) {
    Tensor value = item.value();
    const Tensor direction =
        torch::cos(torch::arange(value.numel(), torch::kDouble) * 1.7 + 0.3).view(value.sizes());
    constexpr double kStep = 1e-6;
    value.add_(direction, kStep);
    const double above = expected_loss();
    value.sub_(direction, 2 * kStep);
    const double below = expected_loss();
    value.add_(direction, kStep);
    const double along = (expected.at(item.key()) * direction).sum().item<double>();
    EXPECT_NEAR(along, (above - below) / (2 * kStep), 1e-6) << item.key();
    if (item.key().find("attention.score") != std::string::npos)
      largest_of_score = std::max(largest_of_score, std::abs(along));
  }
  EXPECT_GT(largest_of_score, 1e-4) << "the choice is learned";
}

TEST_F(Reinforce, NothingIsLearnedFromADrawWithoutABaseline) {
  network_->zero_grad();
  CrossEntropy({"source"}, 0)
      .loss(*network_, examples_, Pass::for_training(1, 1), 1)
      .loss.backward();
  for (const auto& item : network_->named_parameters()) {
    if (item.key().find("attention.score") == std::string::npos) continue;
    const Tensor grad = item.value().grad();
    EXPECT_TRUE(!grad.defined() || grad.eq(0).all().item<bool>()) << item.key();
  }
}

}  // namespace
}  // namespace heed
