#include "train/trimmed_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/reader.h"
#include "holds.h"
#include "model/batch_tensors.h"
#include "text/words.h"
#include "tiny_models.h"

namespace heed {
namespace {

using WordList = std::vector<std::string>;

std::shared_ptr<const Codec> codec_of_words(const WordList& words) {
  return std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                       std::make_shared<const Vocabulary>(words));
}

// A model with a vocabulary of the words a to h, which `small` has fewer of.
LoadedModel model_to_trim(const std::string& settings, const WordList& sources = {"source"}) {
  LoadedModel model;
  model.config.sources = sources;
  read_config_text(settings, "test", model.config.model);
  for (const std::string& side : sources)
    model.config.text[side].tokenizer = make_kind<WordsConfig>("words");
  model.config.text["target"].tokenizer = make_kind<WordsConfig>("words");
  for (const auto& [side, unused] : model.config.text)
    model.codecs[side] = codec_of_words({"a", "b", "c", "d", "e", "f", "g", "h"});
  model.network = std::make_shared<Seq2Seq>(model.config.model,
                                            vocabulary_sizes(model.config, model.codecs), 3);
  model.network->eval();
  return model;
}

const WordList kStaying = {"b", "e", "f"};
const std::vector<int64_t> kStayingIds = {0, 1, 2, 3, 5, 8, 9};  // with the special tokens

LoadedModel trimmed_model(const LoadedModel& model) {
  Codecs codecs;
  for (const auto& [side, unused] : model.codecs) codecs[side] = codec_of_words(kStaying);
  return with_vocabularies(model, codecs);
}

const char* const kRecurrentParts =
    "encoder: {type: rnn, width: 8}, decoder: {type: rnn, width: 8, attention: {score: {type: "
    "additive, hidden: 8}}}";

// Log-probabilities of all next tokens, where a source of the words is given and a target begins.
Tensor next_log_probs(const LoadedModel& model, const Ids& source, const Ids& target) {
  const torch::NoGradGuard no_grad;
  SourceBatch batch;
  batch.ids = torch::tensor(std::vector<int64_t>(source.begin(), source.end())).unsqueeze(0);
  batch.lengths = torch::tensor({static_cast<int64_t>(source.size())});
  batch.mask = torch::ones({1, static_cast<int64_t>(source.size())}, torch::kBool);
  State state = model.network->start(SourceBatches({{"source", batch}}), Pass());
  const Tensor tokens =
      torch::tensor(std::vector<int64_t>(target.begin(), target.end())).unsqueeze(0);
  return model.network->log_probs(model.network->advance(tokens, state), state).squeeze(0);
}

class OutputsOfTrimmedModels : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, OutputsOfTrimmedModels,
                         testing::Values("embedding: {width: 8, tie: target}",
                                         "embedding: {width: 8, tie: none}",
                                         "embedding: {width: 8, tie: inputs}",
                                         "embedding: {width: 8, tie: all}",
                                         "embedding: {width: 8}, output: {type: vocabulary, bias: "
                                         "false}"));

// The softmax over fewer tokens: the distribution of all, divided by its mass on those that stay.
TEST_P(OutputsOfTrimmedModels, HaveTheDistributionOfTheTokensThatStay) {
  holds({"heed trim"});
  const LoadedModel model = model_to_trim(fmt::format("{{{}, {}}}", GetParam(), kRecurrentParts));
  const LoadedModel small = trimmed_model(model);
  const Tensor all = next_log_probs(model, {5, 8, 9, 3}, {2, 9, 5})  // e, f …
                         .index_select(1, torch::tensor(kStayingIds));
  const Tensor expected = all - all.logsumexp(1, true);
  const Tensor found = next_log_probs(small, {4, 5, 6, 3}, {2, 6, 4});
  EXPECT_TRUE(torch::allclose(found, expected, 1e-4, 1e-5)) << found << expected;
}

// Every part that has a row for each token.
TEST(TrimmedModel, HasTheRowsOfTheTokensInEveryOutput) {
  for (const std::string output :
       {"vocabulary", "{type: entmax, alpha: 1.5}", "pointer_generator", "copynet", "pointer",
        "pointer_sum", "label", "hard_monotonic"}) {
    for (const std::string tie : {"none", "all"}) {
      SCOPED_TRACE(output + " " + tie);
      const std::string decoder =
          output == "hard_monotonic"
              ? "decoder: {type: rnn, width: 8, attention: none}"
              : "decoder: {type: rnn, width: 8, attention: {score: {type: additive, hidden: 8}}}";
      const LoadedModel model = model_to_trim(
          fmt::format("{{embedding: {{width: 8, tie: {}}}, encoder: {{type: rnn, width: 8}}, {}, "
                      "output: {}}}",
                      tie, decoder, output));
      const NamedTensors before = tensors_of(*model.network),
                         now = tensors_of(*trimmed_model(model).network);
      ASSERT_EQ(before.size(), now.size());
      int trimmed = 0;
      for (const auto& [name, tensor] : now) {
        const bool has_rows = before.at(name).dim() > 0 && before.at(name).size(0) == 12;
        trimmed += has_rows;
        EXPECT_TRUE(torch::equal(
            tensor, has_rows ? before.at(name).index_select(0, torch::tensor(kStayingIds))
                             : before.at(name)))
            << name;
      }
      EXPECT_GE(trimmed, 1);
    }
  }
}

TEST(TrimmedModel, MayHaveSeveralSources) {
  const LoadedModel model = model_to_trim(
      "{embedding: {width: 8}, encoders: {one: {type: rnn, width: 8}, two: {type: rnn, width: 8}}, "
      "join: basic, decoder: {type: rnn, width: 8, attention: {type: multi_source, combine: "
      "hierarchical}}}",
      {"one", "two"});
  const NamedTensors now = tensors_of(*trimmed_model(model).network);
  for (const char* name : {"source_one.embedding", "source_two.embedding", "target.embedding"})
    EXPECT_EQ(now.at(name).size(0), 7) << name;
}

TEST(TrimmedModel, KeepsItsNumberFormat) {
  const LoadedModel model =
      model_to_trim(fmt::format("{{embedding: {{width: 8}}, {}}}", kRecurrentParts));
  model.network->to(torch::kBFloat16);
  EXPECT_EQ(tensors_of(*trimmed_model(model).network).at("target.embedding").scalar_type(),
            torch::kBFloat16);
}

// Search refuses a token that the vocabulary lacks.
TEST(TrimmedModel, SuppressesTokensThatStay) {
  LoadedModel model =
      model_to_trim(fmt::format("{{embedding: {{width: 8}}, {}}}", kRecurrentParts));
  model.config.search.suppress_tokens = {"a", "b", "<unk>"};
  model.config.search.begin_suppress_tokens = {"h"};
  const LoadedModel small = trimmed_model(model);
  EXPECT_THAT(small.config.search.suppress_tokens, testing::ElementsAre("b", "<unk>"));
  EXPECT_TRUE(small.config.search.begin_suppress_tokens.empty());
}

}  // namespace
}  // namespace heed
