// Training, resume and beam search work with outputs that copy, including ids beyond the
// vocabulary.
#include <gtest/gtest.h>

#include <set>

#include "holds.h"
#include "kinds_of.h"
#include "network/model_engine.h"
#include "network/scoring.h"
#include "nn/torch.h"
#include "search/search.h"
#include "train/objective.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

struct CopyingCase {
  const char* output;
  bool transformer;
};

ModelConfig copying_model_of(const CopyingCase& test) {
  ModelConfig config = test.transformer ? tiny_transformer(0.2) : tiny_rnn(0.2);
  config.output = fresh_kind(outputs(), test.output);
  return config;
}

class CopyingOutputs : public testing::TestWithParam<CopyingCase> {
 protected:
  TrainJob job(const std::string& name) const {
    return tiny_job_of_workers(folder_ / name, copying_model_of(GetParam()));
  }
  TemporaryFolder folder_;
};

TEST_P(CopyingOutputs, ResumedEqualsUninterrupted) {
  holds("resume", kinds_of(copying_model_of(GetParam())));
  expect_resumed_equals_uninterrupted([this](const char* name) { return job(name); }, 7);
}

// Log-probabilities of the search, computed step by step, equal those of one pass over all tokens.
TEST_P(CopyingOutputs, PassThroughBeamSearch) {
  holds("beam", kinds_of(copying_model_of(GetParam())));
  auto network = std::make_shared<Seq2Seq>(copying_model_of(GetParam()), tiny_sizes(), 1);
  const torch::NoGradGuard no_grad;
  for (const Tensor& parameter : network->parameters()) parameter.mul_(2.5);  // clear peaks
  network->to(torch::kDouble);
  const TinyWants wants = wants_of(copying_model_of(GetParam()));
  const std::vector<Example> examples = examples_of(TinyStream(wants).next());
  SearchConfig config;
  config.beam = config.nbest = 16;
  config.min_length = wants.one_word ? 0 : 3;
  const auto found = search(ModelEngine({network}, {"source"}), requests_of(examples, config));
  int64_t behind = 0;
  for (size_t i = 0; i < examples.size(); ++i) {
    const std::vector<Example> copies(found[i].size(), examples[i]);
    std::vector<Ids> targets;
    for (const Hypothesis& hypothesis : found[i]) targets.push_back(hypothesis.ids);
    const auto scores = score({network}, source_batches(copies, {"source"}, torch::kCPU), targets);
    const auto own = static_cast<int64_t>(examples[i].copyable->behind.size());
    for (size_t k = 0; k < targets.size(); ++k) {
      EXPECT_NEAR(found[i][k].log_probability, scores[k].log_probability, 1e-9);
      for (const int32_t id : targets[k]) {
        behind += id >= tiny_sizes().target;
        EXPECT_LT(id, tiny_sizes().target + own) << "copied from another sentence";
      }
    }
  }
  EXPECT_GT(behind, 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, CopyingOutputs,
    testing::Values(CopyingCase{"pointer_generator", false}, CopyingCase{"pointer_generator", true},
                    CopyingCase{"copynet", false}, CopyingCase{"copynet", true},
                    CopyingCase{"pointer", false}, CopyingCase{"pointer", true},
                    CopyingCase{"pointer_sum", false}, CopyingCase{"pointer_sum", true}),
    [](const auto& test) {
      return std::string(test.param.output) + (test.param.transformer ? "_transformer" : "_rnn");
    });

// A dropped word is not embedded, but CopyNet's selective read for it stays.
TEST(CopyNet, KeepsItsSelectiveReadOfADroppedWord) {
  ModelConfig config = copying_model_of({"copynet", false});
  config.embedding.dropout = 0;
  config.embedding.target_word_dropout = 0.9;
  const int64_t width = config.embedding.width;
  Seq2Seq network(config, tiny_sizes(), 1);
  const std::vector<Example> examples = examples_of(TinyStream({.copies = true}).next());
  const torch::NoGradGuard no_grad;
  State state =
      network.start(source_batches(examples, {"source"}, torch::kCPU), Pass::for_training(1, 2));
  const Tensor inputs = target_batch(examples, torch::kCPU).inputs;
  const Tensor x = network.advance(inputs, state).input;  // [R,T,E+K]
  const Tensor dropped = x.narrow(2, 0, width).eq(0).all(2), word = inputs.gt(kBegin),
               read = x.narrow(2, width, x.size(2) - width).ne(0).any(2);  // [R,T]
  EXPECT_TRUE((dropped & word).any().item<bool>());
  EXPECT_TRUE((read | ~word).all().item<bool>());
}

TEST(OutputsThatCopy, AreAllTried) {
  for (const auto& kind : outputs()) {
    if (!fresh_kind(outputs(), kind.name)->copies()) continue;
    const std::set<std::string> tried = {"pointer_generator", "copynet", "pointer", "pointer_sum"};
    EXPECT_TRUE(tried.contains(kind.name)) << kind.name;
  }
}

}  // namespace
}  // namespace heed
