// The gradient of sampled attention: its expectation over all choices equals the gradient of the
// expected loss.
#include <gtest/gtest.h>

#include <map>

#include "attention_variants.h"
#include "directional_gradient.h"
#include "train/objective.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

struct SampledCase {
  const char* name;
  ModelConfig model;
  size_t choices;       // number of possible choices
  const char* learned;  // name of the parameters that only the choice trains
};
std::ostream& operator<<(std::ostream& out, const SampledCase& c) { return out << c.name; }

// One of three keys for each of two target tokens.
SampledCase hard_keys() {
  const auto attention = attention_of(
      "{score: {type: additive, hidden: 6}, normalizer: {type: hard, gradient: {type: reinforce, "
      "entropy: 0}}}");
  return {"hard", with_attention(tiny_rnn(), attention), 9, "attention.score"};
}

// Choices of which of three positions attend, and which are attended to.
SampledCase reinforced_places() {
  ModelConfig model = tiny_transformer();
  auto& encoder = dynamic_cast<TransformerEncoderConfig&>(*model.encoder);
  encoder.layers = 1;
  encoder.self_attention = attention_of(
      "{score: scaled_dot, heads: 2, terms: [{type: reinforced, warmup: 0, penalty: 0}]}");
  return {"reinforced", model, 64, "term_0"};
}

class Reinforce : public testing::TestWithParam<SampledCase> {
 protected:
  static constexpr double kBaseline = -1.3;
  Reinforce() {
    network_ = std::make_shared<Seq2Seq>(GetParam().model, VocabularySizes{{{"source", 9}}, 9}, 1);
    const torch::NoGradGuard no_grad;
    // Parameters are scaled, so that neither all choices are equally probable nor one is certain.
    for (const auto& item : network_->named_parameters())
      item.value().mul_(item.key().find("term_0") == std::string::npos ? 2 : 0.4);
    network_->to(torch::kDouble);
    network_->train();
  }
  static Pass pass_of(int64_t update) {
    Pass pass = Pass::for_training(1, update);
    pass.baseline = kBaseline;
    return pass;
  }

  struct Draw {
    std::vector<double> log_probabilities{};  // of each single choice: to identify it
    double probability = 0;
  };
  Draw draw(int64_t update) const {
    const torch::NoGradGuard no_grad;
    EncoderOutput encoded;
    State state = network_->start(source_batches(examples_, {"source"}, torch::kCPU),
                                  pass_of(update), encoded);
    const Step step = network_->advance(target_batch(examples_, torch::kCPU).inputs, state);
    Draw draw;
    double sum = 0;
    for (const auto& losses : {step.losses, encoded.losses}) {
      for (const SideLoss& loss : losses) {
        for (int64_t t = 0; loss.is_policy && t < loss.value.size(1); ++t) {
          draw.log_probabilities.push_back(loss.value[0][t].item<double>());
          sum += draw.log_probabilities.back();
        }
      }
    }
    draw.probability = std::exp(sum);
    return draw;
  }
  // Finds an update with each possible choice.
  std::vector<int64_t> all_choices(size_t count) const {
    std::map<std::vector<double>, int64_t> updates;
    for (int64_t update = 1; updates.size() < count && update < 100000; ++update)
      updates.emplace(draw(update).log_probabilities, update);
    std::vector<int64_t> list;
    for (const auto& [unused, update] : updates) list.push_back(update);
    return list;
  }
  ObjectiveLoss loss(int64_t update) const {
    return CrossEntropy({"source"}).loss(*network_, examples_, pass_of(update), 1);
  }

  std::shared_ptr<Seq2Seq> network_;
  // The source is two words and </s>.
  std::vector<Example> examples_ = {{.sources = {{4, 6}}, .target = {5}}};
};

TEST_P(Reinforce, ExpectedGradientIsThatOfTheExpectedLoss) {
  const std::vector<int64_t> updates = all_choices(GetParam().choices);
  ASSERT_EQ(updates.size(), GetParam().choices);
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
      sum += draw(update).probability * loss(update).sums.read().negative_log_probability;
    return sum;
  };
  LearnedTensors learned;
  double largest = 0;
  for (const auto& item : network_->named_parameters()) {
    Tensor value = item.value();
    value.mutable_grad() = expected.at(item.key());
    learned.emplace_back(item.key(), value);
    if (item.key().find(GetParam().learned) != std::string::npos)
      largest = std::max(largest, value.grad().abs().max().item<double>());
  }
  DirectionalGradient(learned, expected_loss).check(1e-6);
  EXPECT_GT(largest, 1e-4) << "the choice is learned";
}

TEST_P(Reinforce, NothingIsLearnedFromADrawWithoutABaseline) {
  network_->zero_grad();
  CrossEntropy({"source"}).loss(*network_, examples_, Pass::for_training(1, 1), 1).loss.backward();
  for (const auto& item : network_->named_parameters()) {
    if (item.key().find(GetParam().learned) == std::string::npos) continue;
    const Tensor grad = item.value().grad();
    EXPECT_TRUE(!grad.defined() || grad.eq(0).all().item<bool>()) << item.key();
  }
}

INSTANTIATE_TEST_SUITE_P(All, Reinforce, testing::Values(hard_keys(), reinforced_places()),
                         [](const auto& variant) { return std::string(variant.param.name); });

}  // namespace
}  // namespace heed
