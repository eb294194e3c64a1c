// Embeddings of tags: for the sentences of one tag, a model with them equals a model without, whose
// embeddings have the embedding of the tag added.
#include <gmock/gmock.h>

#include "config/reader.h"
#include "holds.h"
#include "model/saved_model.h"
#include "nn/torch.h"
#include "one_thread.h"

namespace heed {
namespace {

constexpr int64_t kTagVocabulary = 12;

struct TagCase {
  std::string name, decoder, place;
};
std::ostream& operator<<(std::ostream& out, const TagCase& c) { return out << c.name; }

ModelConfig config_of(const TagCase& c) {
  ModelConfig config;
  read_config_text("{embedding: {width: 6, tie: none, tag: " + c.place +
                       "}, encoder: {type: rnn, width: 8}, decoder: " + c.decoder + "}",
                   c.name, config);
  return config;
}

class TagEmbeddings : public testing::TestWithParam<TagCase> {
 protected:
  std::shared_ptr<Seq2Seq> network(int64_t tags) const {
    const VocabularySizes sizes{
        .sources = {{"source", kTagVocabulary}}, .target = kTagVocabulary, .tags = tags};
    auto model = std::make_shared<Seq2Seq>(config_of(GetParam()), sizes, 7);
    model->to(torch::kDouble);
    return model;
  }
  static Tensor log_probs(Seq2Seq& model, std::optional<int64_t> tag) {
    const torch::NoGradGuard no_grad;
    SourceBatch source = source_batch({{5, 6, 7}, {8, 9}}, torch::kCPU);
    if (tag) put_tags(source, {*tag, *tag});
    State state = model.start(SourceBatches({{"source", source}}), Pass());
    const TargetBatch target = target_batch({{4, 5}, {6, 7, 8}}, torch::kCPU);
    return model.log_probs(model.advance(target.inputs, state), state);
  }
  // Embedding of a tag on the source or target side; zeros without such an embedding.
  static Tensor moved_by(const NamedTensors& tensors, const char* name, int64_t tag) {
    const auto found = tensors.find(name);
    return found == tensors.end() ? torch::zeros({6}, torch::kDouble) : found->second[tag];
  }
};

TEST_P(TagEmbeddings, MoveThoseOfPiecesAndOfTheFirstToken) {
  holds({"model.embedding.tag"});
  const auto with = network(3), without = network(0);
  const NamedTensors own = tensors_of(*with);
  NamedTensors plain = tensors_of(*without);
  EXPECT_EQ(own.contains("source_tag.embedding"), GetParam().place != "target");
  EXPECT_EQ(own.contains("target_tag.embedding"), GetParam().place != "source");
  const torch::NoGradGuard no_grad;
  std::vector<Tensor> found;
  for (int64_t tag = 0; tag < 3; ++tag) {
    for (auto& [name, tensor] : plain) tensor.copy_(own.at(name));
    plain.at("source_source.embedding").add_(moved_by(own, "source_tag.embedding", tag));
    plain.at("target.embedding")[kBegin].add_(moved_by(own, "target_tag.embedding", tag));
    found.push_back(log_probs(*with, tag));
    EXPECT_TRUE(torch::allclose(found.back(), log_probs(*without, {}), 1e-10, 1e-10)) << tag;
  }
  EXPECT_FALSE(torch::allclose(found[0], found[1], 1e-3, 1e-3));
}

std::vector<TagCase> cases() {
  std::vector<TagCase> list;
  const std::string transformer =
      "{type: transformer, layers: 1, width: 8, feed_forward: 8, self_attention: {score: "
      "scaled_dot, heads: 2}, attention: {score: scaled_dot, heads: 2}}";
  for (const auto& [name, decoder] :
       {std::pair<std::string, std::string>{"rnn", "{type: rnn, width: 8}"},
        {"transformer", transformer},
        {"convolution", "{type: convolution, layers: 1, width: 8, attention: {score: general}}"}}) {
    for (const char* place : {"source", "target", "both"})
      list.push_back({name + "_" + place, decoder, place});
  }
  return list;
}
INSTANTIATE_TEST_SUITE_P(All, TagEmbeddings, testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.name; });

TEST(SavedTags, AreThoseThatAttentionGoesBy) {
  holds({"model.embedding.tag"});
  const auto problems = [](const std::string& tags) {
    SavedModelConfig config;
    std::vector<std::string> texts;
    for (const Problem& problem : find_problems(
             "tags: " + tags +
                 "\nmodel: {encoder: rnn, decoder: {type: rnn, attention: task_specific}}",
             "c", config))
      texts.push_back(problem.text());
    return texts;
  };
  EXPECT_THAT(problems("[]"), testing::Contains(testing::HasSubstr("tags: are missing")));
  EXPECT_THAT(problems("[de, cs]"), testing::Contains(testing::HasSubstr("are not sorted")));
  EXPECT_THAT(problems("[cs, de]"), testing::Not(testing::Contains(testing::HasSubstr("tags"))));
}

}  // namespace
}  // namespace heed
