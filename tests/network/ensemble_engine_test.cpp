// EnsembleEngine beside ModelEngine with the same models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "inference/ensemble_engine.h"
#include "network/engine_comparison.h"

namespace heed {
namespace {

struct Members {
  explicit Members(const std::vector<std::string>& texts) {
    std::vector<std::shared_ptr<const Engine>> engines;
    for (const std::string& text : texts) {
      const ModelConfig config = config_from(text);
      networks.push_back(random_model(config, kPieces, 3 + networks.size(), torch::kFloat));
      engines.push_back(engine_of(*networks.back(), config));
    }
    own = ensemble_of(engines, kPieces);
    expected = std::make_shared<ModelEngine>(networks, std::vector<std::string>{"source"});
  }
  std::vector<std::shared_ptr<Seq2Seq>> networks;
  std::shared_ptr<const Engine> own, expected;
};

const std::string kTransformerMember =
    "{encoder: {type: transformer, layers: 1, width: 12, feed_forward: 20, self_attention: {heads: "
    "2}}, decoder: {type: transformer, layers: 1, width: 12, feed_forward: 20, self_attention: "
    "{heads: 2}, attention: {heads: 2}}, embedding: {width: 12}";
const std::string kRecurrentMember =
    "{encoder: {type: rnn, width: 8}, decoder: {type: rnn, width: 12}, embedding: {width: 10}";

TEST(EnsembleEngine, EqualsTheEnsembleOfTheModels) {
  for (const std::vector<std::string>& texts : std::vector<std::vector<std::string>>{
           {kTransformerMember + "}", kRecurrentMember + "}"},
           {kRecurrentMember + "}", kRecurrentMember + ", source_end: false}",
            kTransformerMember + "}"},
           {kRecurrentMember + ", output: pointer_generator}",
            kRecurrentMember + ", output: copynet}"},
           {kRecurrentMember + ", output: {type: pointer, hidden: 8}}",
            kTransformerMember + ", output: pointer_generator}"}}) {
    const Members members(texts);
    expect_same_decoding(*members.own, *members.expected, 2e-4);
  }
}

TEST(EnsembleEngine, FindsWhatTheEnsembleOfTheModelsFinds) {
  const Members members({kTransformerMember + "}", kRecurrentMember + "}"});
  auto examples = examples_of(random_sentences(12, 9, kPieces, 5));
  SearchConfig sampling;
  sampling.nbest = 3;
  sampling.sampling = SamplingOptions();
  for (const bool candidates : {false, true}) {
    for (size_t i = 0; candidates && i < examples.size(); ++i)
      examples[i].candidates =
          std::make_shared<const Ids>(Ids{kEnd, static_cast<int32_t>(10 + i), 30, 40, 50});
    for (const SearchConfig& how : {SearchConfig(), sampling}) {
      const auto found = search(*members.own, requests_of(examples, how, true), 5),
                 expected = search(*members.expected, requests_of(examples, how, true), 5);
      for (size_t i = 0; i < examples.size(); ++i) {
        ASSERT_EQ(found[i].size(), expected[i].size());
        EXPECT_EQ(found[i].front().ids, expected[i].front().ids);
        EXPECT_NEAR(found[i].front().score, expected[i].front().score, 1e-4);
        EXPECT_EQ(found[i].front().attention.size(), expected[i].front().attention.size());
      }
    }
  }
}

TEST(EnsembleEngine, FindsTheTokensThatAreForced) {
  const Members members({kTransformerMember + "}", kRecurrentMember + "}"});
  const auto examples = examples_of({{5, 6, 7}, {8, 9}});
  const Limits limits{.banned = {{0, 9}, {0, 11}}, .forced = {{1, 40}}};
  const auto own = members.own->start(pointers_to(examples), false),
             all = members.expected->start(pointers_to(examples), false);
  own->step({kBegin, kBegin});
  all->step({kBegin, kBegin});
  const TopK found = own->best(6, limits), expected = all->best(6, limits);
  EXPECT_EQ(found.id, expected.id);
  EXPECT_THAT(found.log_probability,
              testing::Pointwise(testing::DoubleNear(1e-4), expected.log_probability));
}

}  // namespace
}  // namespace heed
