// model.source_end: whether a model reads the </s> behind a source.
#include <gmock/gmock.h>

#include "config/reader.h"
#include "holds.h"
#include "model/saved_model.h"
#include "nn/torch.h"
#include "one_thread.h"

namespace heed {
namespace {

constexpr int64_t kEndVocabulary = 12;

class SourceEnd : public testing::TestWithParam<std::string> {
 protected:
  std::shared_ptr<Seq2Seq> network(bool ends) const {
    ModelConfig config;
    read_config_text(
        fmt::format("{{embedding: {{width: 8, tie: none}}, encoder: {{type: {0}, width: 8{1}}}, "
                    "decoder: {{type: {0}, width: 8{1}}}, source_end: {2}}}",
                    GetParam(), GetParam() == "transformer" ? ", self_attention: {heads: 2}" : "",
                    ends),
        "test", config);
    return std::make_shared<Seq2Seq>(
        config, VocabularySizes{.sources = {{"source", kEndVocabulary}}, .target = kEndVocabulary},
        7);
  }
  // Whether what it computes for a source changes with the embedding of </s>.
  static bool reads_the_end(Seq2Seq& model, const Ids& source) {
    const torch::NoGradGuard no_grad;
    const auto log_probs = [&] {
      State state = model.start(
          SourceBatches({{"source", source_batch({source, {5, 6, 7, 8}}, torch::kCPU)}}), Pass());
      const Tensor inputs = torch::tensor({{kBegin, 4}, {kBegin, 4}}, torch::kLong);
      return model.log_probs(model.advance(inputs, state), state)[0];
    };
    const Tensor before = log_probs();
    tensors_of(model).at("source_source.embedding")[kEnd].add_(1);
    return !log_probs().equal(before);
  }
};
INSTANTIATE_TEST_SUITE_P(All, SourceEnd, testing::Values("rnn", "transformer"),
                         [](const auto& name) { return name.param; });

TEST_P(SourceEnd, IsReadWhereItIsWantedAndOfAnEmptySource) {
  holds({"model.source_end"});
  EXPECT_TRUE(reads_the_end(*network(true), {5, 6}));
  EXPECT_FALSE(reads_the_end(*network(false), {5, 6}));
  EXPECT_TRUE(reads_the_end(*network(false), {}));
}

// Its column stays, without weight.
TEST_P(SourceEnd, HasNoAttention) {
  const auto model = network(false);
  const torch::NoGradGuard no_grad;
  Pass pass;
  pass.keep_weights = true;
  State state =
      model->start(SourceBatches({{"source", source_batch({{5, 6}}, torch::kCPU)}}), pass);
  const Step step = model->advance(torch::tensor({{kBegin}}, torch::kLong), state);
  const Tensor weights = step.attended.back().weights;  // [R,H,T,S]
  ASSERT_EQ(weights.size(-1), 3);
  EXPECT_TRUE(weights.select(-1, 2).eq(0).all().item<bool>());
  EXPECT_NEAR(weights.sum(-1).max().item<double>(), 1, 1e-6);
}

TEST(SourceEndKey, IsNeededByOutputsThatCopy) {
  ModelConfig config;
  const auto found = find_problems("{output: pointer, source_end: false}", "test", config);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].text(), testing::HasSubstr("source_end: has to be true"));
}

}  // namespace
}  // namespace heed
