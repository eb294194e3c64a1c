// Presets of models of sentence pairs: each trains with a step, and the decomposable attention model
// equals its equations from the embeddings to the state that the decoder starts from.
#include <gtest/gtest.h>

#include "config/reader.h"
#include "model/presets_spec.h"
#include "model/seq2seq.h"
#include "nn/compare.h"
#include "reference/sentence_pairs.h"

namespace heed {
namespace {

constexpr int64_t kPairWords = 13;

ModelConfig preset(const std::string& name, const std::string& more = "") {
  ModelConfig config;
  read_config_text(fmt::format("{{preset: {}{}}}", name, more), "test", config);
  return config;
}

VocabularySizes sizes_of_pairs(const ModelConfig& config) {
  VocabularySizes sizes{.sources = {}, .target = kPairWords};
  for (const std::string& name : config.sources()) {
    sizes.sources[name] = kPairWords;
    sizes.owners[name] = config.sources().front();  // one vocabulary
  }
  return sizes;
}

class PairPresets : public testing::TestWithParam<const char*> {};

TEST_P(PairPresets, TrainWithAStep) {
  const ModelConfig config = preset(GetParam());
  Seq2Seq model(config, sizes_of_pairs(config), 1);
  std::vector<Ids> sentences = {{4, 5, 6, 7}, {9, 8}};
  std::map<std::string, SourceBatch> sources;
  for (const std::string& name : config.sources()) {
    sources[name] = source_batch(sentences, torch::kCPU);
    put_edges(sources[name], {{{0, 1}, {1, 2}}, {{1, 0}}});
    std::vector<Copyable> copyable;
    for (const Ids& ids : sentences) copyable.push_back({.ids = ids, .behind = {}});
    if (name == config.sources().front()) put_copyable(sources[name], copyable);
    std::swap(sentences[0], sentences[1]);
  }
  const TargetBatch target = target_batch({{5}, {9}}, torch::kCPU);
  State state = model.start(SourceBatches(sources), Pass::for_training(3, 2000));
  const Tensor loss =
      model.loss(model.advance(target.inputs, state), target.outputs, 0, state).loss;
  loss.backward();
  EXPECT_TRUE(loss.isfinite().all().item<bool>());
  int64_t learned = 0;
  for (const auto& item : model.named_parameters()) {
    if (!item.value().grad().defined()) continue;
    EXPECT_TRUE(item.value().grad().isfinite().all().item<bool>()) << item.key();
    ++learned;
  }
  EXPECT_GT(learned, 5);
}

INSTANTIATE_TEST_SUITE_P(All, PairPresets,
                         testing::Values("parikh", "im_cho", "disan", "resan", "gat",
                                         "attentive_pooling", "bidaf"),
                         [](const auto& one) { return std::string(one.param); });

TEST(PairPresets, DecomposableAttentionEqualsItsEquations) {
  const ModelConfig config = preset(
      "parikh",
      ", source_end: false, embedding: {width: 4}, encoders: {a: {intra_attention: {hidden: 3}}}, "
      "join: {hidden: 5, compared: 6}, decoder: {width: 8}");
  Seq2Seq model(config, sizes_of_pairs(config), 1);
  fill(model);
  const auto parameters = parameters_of(model);
  const auto layers = [&](const std::string& name) {
    std::vector<reference::Rectified> list;
    for (const std::string& layer : {name, name + "_1"})
      list.push_back(
          {matrix_of(parameters.at(layer + ".weight")), vector_of(parameters.at(layer + ".bias"))});
    return list;
  };
  const Tensor table = parameters.at("source_a.embedding");
  const auto f_intra = layers("encoder_a.intra_attention.attend");
  const auto bias = vector_of(parameters.at("encoder_a.intra_attention.attention.term_0.bias"));
  ASSERT_EQ(bias.size(), 23U);
  const reference::Decomposable w{
      .f = layers("join.attend"), .g = layers("join.compare"), .h = layers("join.summarize")};
  // Long enough for distances that share their bias.
  const std::vector<Ids> a = {{4, 5, 6, 7, 8, 9, 10, 11, 12, 4, 6, 8, 10, 12, 5}, {9}},
                         b = {{7, 8}, {12, 11, 10}};
  const auto states = [&](const Ids& ids) {
    reference::States words;
    for (const int32_t id : ids) words.push_back(vector_of(table[id]));
    return reference::intra_attention(words, f_intra, bias);
  };
  EncoderOutput encoded;
  model.start(
      SourceBatches({{"a", source_batch(a, torch::kCPU)}, {"b", source_batch(b, torch::kCPU)}}),
      Pass(), encoded);
  for (size_t r = 0; r < a.size(); ++r)
    expect_close(encoded.sources.at("a").final_state.hidden[0][static_cast<int64_t>(r)],
                 tensor_of(reference::decomposable(states(a[r]), states(b[r]), w, 6)), kExact, "H");
}

}  // namespace
}  // namespace heed
