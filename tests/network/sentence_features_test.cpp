// Tags and source factors: engines of inference/ beside ModelEngine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "network/engine_comparison.h"

namespace heed {
namespace {

constexpr int64_t kTags = 3, kLabels = 9;

// Adds a tag, or two factors, to each sentence.
class WithFeatures final : public Engine {
 public:
  WithFeatures(const Engine& engine, bool tags, bool factors)
      : engine_(engine), tags_(tags), factors_(factors) {}
  std::unique_ptr<Decoding> start(const std::vector<const Example*>& sentences,
                                  bool attention) const override {
    std::vector<Example> examples;
    for (const Example* sentence : sentences) {
      Example& example = examples.emplace_back(*sentence);
      const Ids& ids = example.sources.at(0);
      if (tags_) example.tag = std::ssize(ids) % kTags;
      if (!factors_) continue;
      std::vector<Ids> labels(2);
      for (const int32_t id : ids) {
        labels[0].push_back(kSpecials + id % 5);
        labels[1].push_back(kUnknown + id % 4);
      }
      example.factors = {labels};
    }
    return engine_.start(pointers_to(examples), attention);
  }

 private:
  const Engine& engine_;
  bool tags_, factors_;
};

SavedModelConfig config_of(const std::string& parts, const std::string& embedding, bool tags) {
  SavedModelConfig config =
      saved(config_from(fmt::format("{{{}, embedding: {{width: 10{}}}}}", parts, embedding)));
  if (tags) config.tags = {"cs", "de", "fr"};
  return config;
}

std::shared_ptr<Seq2Seq> model_of(const SavedModelConfig& config) {
  VocabularySizes sizes{
      .sources = {{"source", kPieces}}, .target = kPieces, .tags = std::ssize(config.tags)};
  for (const auto& [name, unused] : config.model.embedding.source_factors)
    sizes.factors[name] = kLabels;
  auto model = std::make_shared<Seq2Seq>(config.model, sizes, 3);
  const torch::NoGradGuard no_grad;
  for (const Tensor& parameter : model->parameters()) {
    if (parameter.dim() > 1) parameter.mul_(2.5);
  }
  return model;
}

class SentenceFeatures : public testing::TestWithParam<std::string> {
 protected:
  void expect_same(const std::string& embedding, bool tags, bool factors) const {
    SCOPED_TRACE(embedding);
    const SavedModelConfig config = config_of(GetParam(), embedding, tags);
    const auto model = model_of(config);
    const auto shape = engine_shape(config);
    ASSERT_TRUE(shape);
    VocabularySize size{
        .sources = {{"source", kPieces}}, .target = kPieces, .tags = std::ssize(config.tags)};
    for (const auto& [name, unused] : config.model.embedding.source_factors)
      size.factors[name] = kLabels;
    std::map<std::string, std::vector<int64_t>> shapes;
    for (const auto& [name, tensor] : tensors_of(*model)) shapes[name] = tensor.sizes().vec();
    EXPECT_EQ(parameter_shapes(*shape, size), shapes);
    const ModelEngine expected({model}, {"source"});
    for (const Precision precision : {Precision::kFloat, Precision::kInt8})
      build_engine(*shape, weights_of(*model), precision);
    const auto own = build_engine(*shape, weights_of(*model), Precision::kFloat);
    expect_same_decoding(WithFeatures(*own, tags, factors), WithFeatures(expected, tags, factors),
                         2e-4);
  }
};
INSTANTIATE_TEST_SUITE_P(
    BothEngines, SentenceFeatures,
    testing::Values("encoder: {type: transformer, layers: 1, width: 12, feed_forward: 20, "
                    "self_attention: {heads: 2}}, decoder: {type: transformer, layers: 1, width: "
                    "12, feed_forward: 20, self_attention: {heads: 2}, attention: {heads: 2}}",
                    "encoder: {type: rnn, width: 12}, decoder: {type: rnn, width: 12, "
                    "input_feeding: true}",
                    "encoder: {type: rnn, width: 12}, decoder: {type: rnn, width: 12, "
                    "context_feeding: true}, source_end: false, output: copynet"));

TEST_P(SentenceFeatures, AreEmbeddedAsByTheModel) {
  for (const std::string tag : {"both", "source", "target", "none"})
    expect_same(", tag: " + tag, true, false);
  expect_same(", source_factors: {case: {width: 4}, pos: {width: 3}}", false, true);
  expect_same(", source_factors: {case: {combine: sum}, pos: {width: 3}}", true, true);
  expect_same(", tie: all, source_factors: {case: {combine: sum}, pos: {combine: sum}}", true,
              true);
}

}  // namespace
}  // namespace heed
