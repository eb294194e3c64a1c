// Training, beam search and resume work with mechanisms that use history, restriction, reweighing,
// side losses and state.

#include <gtest/gtest.h>

#include "network/model_engine.h"
#include "network/scoring.h"
#include "search/search.h"
#include "train/checkpoints.h"
#include "train/objective.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

struct MechanismCase {
  const char* name;
  bool transformer;
};

ModelConfig model_with(const MechanismCase& test) {
  return test.transformer ? tiny_transformer_with(test.name, 0.2) : tiny_rnn_with(test.name, 0.2);
}

class MechanismTest : public testing::TestWithParam<MechanismCase> {
 protected:
  TrainJob job(const std::string& name) const {
    return tiny_job_of_workers(folder / name, model_with(GetParam()));
  }
  TemporaryFolder folder;
};

TEST_P(MechanismTest, ResumedEqualsUninterrupted) {
  const auto [one, two] =
      expect_resumed_equals_uninterrupted([this](const char* name) { return job(name); }, 7);
  const Validations &whole = one.progress.validations, &part = two.progress.validations;
  ASSERT_EQ(whole.size(), 3u) << "two and the one at the end";
  ASSERT_EQ(part.size(), 3u);
  for (const size_t i : {1, 2}) {
    EXPECT_EQ(whole[i].translated, part[i].translated);
    EXPECT_EQ(whole[i].loss, part[i].loss);
  }
}

TEST_P(MechanismTest, ChangesWhatIsLearned) {
  const MechanismCase plain{"", GetParam().transformer};
  const TrainJob with = job("with");
  TrainJob without = job("without");
  without.model.model = model_with(plain);
  train_run(with);
  train_run(without);
  const Progress a = load_checkpoint(*with.folder.latest(), torch::kCPU).progress;
  const Progress b = load_checkpoint(*without.folder.latest(), torch::kCPU).progress;
  EXPECT_NE(a.validations.back().loss, b.validations.back().loss);
}

// Log-probabilities of the search, computed step by step, equal those of one pass over all tokens,
// and differ from those without the mechanism; only a side loss changes no probability.
TEST_P(MechanismTest, PassesThroughBeamSearch) {
  const auto network_of = [](const MechanismCase& test) {
    auto network = std::make_shared<Seq2Seq>(model_with(test), tiny_sizes(), 1);
    const torch::NoGradGuard no_grad;
    for (const Tensor& parameter : network->parameters()) parameter.mul_(2.5);  // clear peaks
    network->to(torch::kDouble);
    return network;
  };
  const auto with = network_of(GetParam()), without = network_of({"", GetParam().transformer});
  const std::vector<Example> examples = examples_of(TinyStream().next());
  SearchConfig config;
  config.beam = config.nbest = 4;
  config.min_length = 3;
  const auto found = search(ModelEngine({with}, {"source"}), requests_of(examples, config));
  double difference = 0;
  for (size_t i = 0; i < examples.size(); ++i) {
    const std::vector<Example> copies(found[i].size(), examples[i]);
    const SourceBatches sources = source_batches(copies, {"source"}, torch::kCPU);
    std::vector<Ids> targets;
    for (const Hypothesis& hypothesis : found[i]) targets.push_back(hypothesis.ids);
    const auto scores = score({with}, sources, targets), plain = score({without}, sources, targets);
    for (size_t k = 0; k < targets.size(); ++k) {
      EXPECT_NEAR(found[i][k].log_probability, scores[k].log_probability, 1e-9);
      difference += std::abs(scores[k].log_probability - plain[k].log_probability);
    }
  }
  if (std::string(GetParam().name) == "test_costly") {
    EXPECT_NEAR(difference, 0, 1e-9);
  } else {
    EXPECT_GT(difference, 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MechanismTest,
    testing::Values(MechanismCase{"test_fading", false}, MechanismCase{"test_near", false},
                    MechanismCase{"test_squaring", false}, MechanismCase{"test_costly", false},
                    MechanismCase{"test_running", false}, MechanismCase{"test_fading", true},
                    MechanismCase{"test_near", true}, MechanismCase{"test_squaring", true},
                    MechanismCase{"test_costly", true}, MechanismCase{"test_running", true}),
    [](const auto& test) {
      return std::string(test.param.name) + (test.param.transformer ? "_transformer" : "_rnn");
    });

// The loss with the mechanism minus the loss without is its weight times the mean of its values
// over the target tokens.
TEST(SideLoss, IsAddedWithItsWeightOverTheTokensThatCount) {
  TinyStream stream;
  const std::vector<Example> examples = examples_of(stream.next());
  const auto sums_of = [&](const char* mechanism) {
    Seq2Seq network(model_with({mechanism, false}), tiny_sizes(), 1);
    Pass pass;
    pass.update = 3;
    return CrossEntropy({"source"}).loss(network, examples, pass, 1).sums.read();
  };
  const TokenSums with = sums_of("test_costly"), without = sums_of("");
  EXPECT_EQ(with.negative_log_probability, without.negative_log_probability);

  Seq2Seq network(model_with({"", false}), tiny_sizes(), 1);
  const torch::NoGradGuard no_grad;
  const Step step = read_targets(network, examples);
  const TargetBatch target = target_batch(examples, torch::kCPU);
  const Tensor weights = step.attended[0].weights;  // [R,1,T,S]
  const Tensor cost = (weights * weights).sum(-1).select(1, 0) * (target.outputs != kPad);
  EXPECT_NEAR(with.loss - without.loss, cost.sum().item<double>() / 4, 1e-4);
}

}  // namespace
}  // namespace heed
