// model.source_end: the </s> at the end of a source is read or not.
#include <gmock/gmock.h>

#include <algorithm>

#include "config/reader.h"
#include "holds.h"
#include "model/saved_model.h"
#include "nn/torch.h"
#include "one_thread.h"

namespace heed {
namespace {

constexpr int64_t kEndVocabulary = 12;

// Models by the part in which they differ.
std::map<std::string, std::string> models_by_type() {
  const std::string
      rnn = "type: rnn, width: 8",
      convolution = "type: convolution, width: 8",
      transformer = "type: transformer, width: 8, self_attention: {score: scaled_dot, heads: 2}";
  const auto model = [](const std::string& encoder, const std::string& decoder,
                        const std::string& more = "") {
    return fmt::format("embedding: {{width: 8, tie: none}}, encoder: {{{}}}, decoder: {{{}}}{}",
                       encoder, decoder, more);
  };
  return {{"rnn", model(rnn + ", layers: 2, reverse: true", rnn)},
          {"transformer", model(transformer, transformer)},
          {"convolution", model(convolution, convolution)},
          {"disan", model("type: disan, width: 8", rnn)},
          {"embeddings", model("type: embeddings", rnn)},
          {"entmax", model(rnn, rnn, ", output: entmax")},
          {"hard_monotonic", model(rnn, rnn + ", attention: none", ", output: hard_monotonic")},
          {"joined", model(rnn, rnn, ", join: self_attentive")},
          {"pointer_generator", model(rnn, rnn, ", output: pointer_generator")},
          {"copynet", model(rnn, rnn, ", output: copynet")},
          {"pointer", model(rnn, rnn, ", output: pointer")},
          {"pointer_sum", model(rnn, rnn, ", output: pointer_sum")}};
}

std::vector<std::string> types_of_model() {
  std::vector<std::string> types;
  for (const auto& [type, unused] : models_by_type()) types.push_back(type);
  return types;
}

class SourceEnd : public testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<Seq2Seq> network(bool ends) const {
    ModelConfig config;
    read_config_text(fmt::format("{{{}, source_end: {}}}", models_by_type().at(GetParam()), ends),
                     "test", config);
    auto model = std::make_shared<Seq2Seq>(
        config, VocabularySizes{.sources = {{"source", kEndVocabulary}}, .target = kEndVocabulary},
        7);
    model->to(torch::kDouble);
    return model;
  }
  static SourceBatch batch_with_copies(const std::vector<Ids>& sources) {
    SourceBatch batch = source_batch(sources, torch::kCPU);
    std::vector<Copyable> copyable;
    for (const Ids& source : sources) copyable.push_back({.ids = source, .behind = {}});
    put_copyable(batch, copyable);
    return batch;
  }
  // Probabilities of a target for this source, in a batch with another source.
  static Tensor probabilities(Seq2Seq& model, const Ids& source) {
    const torch::NoGradGuard no_grad;
    const SourceBatch batch = batch_with_copies({source, {5, 6, 7, 8}});
    State state = model.start(SourceBatches({{"source", batch}}), Pass());
    const Tensor inputs = torch::tensor({{kBegin, 4}, {kBegin, 4}}, torch::kLong);
    return model.log_probs(model.advance(inputs, state), state)[0].exp();
  }
  // True if the result for a source changes with the embedding of </s>.
  static bool reads_the_end(Seq2Seq& model, const Ids& source) {
    const torch::NoGradGuard no_grad;
    const Tensor before = probabilities(model, source);
    tensors_of(model).at("source_source.embedding")[kEnd].add_(1);
    return !probabilities(model, source).equal(before);
  }
};
INSTANTIATE_TEST_SUITE_P(All, SourceEnd, testing::ValuesIn(types_of_model()),
                         [](const auto& name) { return name.param; });

TEST_P(SourceEnd, IsReadWhereItIsWantedAndOfAnEmptySource) {
  holds({"model.source_end"});
  EXPECT_TRUE(reads_the_end(*network(true), {5, 6}));
  EXPECT_FALSE(reads_the_end(*network(false), {5, 6}));
  // A pointer has no position to point at.
  if (GetParam() == "pointer" || GetParam() == "pointer_sum") return;
  EXPECT_TRUE(reads_the_end(*network(false), {}));
}

TEST_P(SourceEnd, IsThatOfTheOthersWhereTheTextHasIt) {
  if (GetParam() == "pointer") GTEST_SKIP() << "its own end is a parameter";
  const auto without = network(false), with = network(true);
  for (const Ids& source : {Ids{5, 6}, Ids{9}, Ids{}}) {
    Ids ended = source;
    ended.push_back(kEnd);
    EXPECT_TRUE(probabilities(*without, ended).allclose(probabilities(*with, source), 1e-9, 1e-12));
  }
  EXPECT_TRUE(probabilities(*without, {}).allclose(probabilities(*with, {}), 1e-9, 1e-12));
}

// The column of </s> stays, with weight 0.
TEST_P(SourceEnd, HasNoAttention) {
  const auto model = network(false);
  const torch::NoGradGuard no_grad;
  Pass pass;
  pass.keep_weights = true;
  State state = model->start(SourceBatches({{"source", batch_with_copies({{5, 6}})}}), pass);
  const Step step = model->advance(torch::tensor({{kBegin}}, torch::kLong), state);
  const Tensor weights = step.attended.back().weights;  // [R,H,T,S]
  ASSERT_EQ(weights.size(-1), 3);
  EXPECT_TRUE(weights.select(-1, 2).eq(0).all().item<bool>());
  EXPECT_NEAR(weights.sum(-1).max().item<double>(), 1, 1e-6);
}

TEST(SourceEndKey, IsRefusedWhereThereIsNoSource) {
  ModelConfig config;
  const auto found = find_problems("{encoder: none, source_end: false}", "test", config);
  EXPECT_TRUE(std::ranges::any_of(found, [](const Problem& problem) {
    return problem.text().find("source_end: is of sources") != std::string::npos;
  }));
}

TEST(SourceEndKey, IsNeededByACopyOfTheEnd) {
  for (const char* output : {"pointer_generator", "copynet"}) {
    ModelConfig config;
    const auto found = find_problems(
        fmt::format("{{output: {{type: {}, copy_end: true}}, source_end: false}}", output), "test",
        config);
    ASSERT_EQ(found.size(), 1U) << output;
    EXPECT_THAT(found[0].text(),
                testing::HasSubstr("output.copy_end: needs the end of the source"));
  }
}

}  // namespace
}  // namespace heed
