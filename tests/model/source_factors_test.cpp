// Source factors of a model: the input of the encoder follows the definition of Sennrich and Haddow
// 2016.
#include <gmock/gmock.h>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "config/reader.h"
#include "holds.h"
#include "model/saved_model.h"
#include "nn/torch.h"
#include "one_thread.h"
#include "text/words.h"

namespace heed {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kFactorTokens = 12;
const std::vector<Ids> kSentences = {{5, 6, 7}, {8, 9}};
const std::vector<Ids> kPos = {{4, 5, 4}, {6, kUnknown}}, kCase = {{5, 5, 4}, {4, 4}};

ModelConfig factored(const std::string& factors, const std::string& more = "") {
  ModelConfig config;
  read_config_text("{embedding: {width: 3, tie: none, source_factors: " + factors + more +
                       "}, encoder: embeddings, decoder: {type: rnn, width: 4}}",
                   "test", config);
  return config;
}

class FactorsOfAModel : public testing::Test {
 protected:
  void make(const ModelConfig& config, int64_t tags = 0) {
    VocabularySizes sizes{
        .sources = {{"source", kFactorTokens}}, .target = kFactorTokens, .tags = tags};
    for (const auto& [name, unused] : config.embedding.source_factors) sizes.factors[name] = 8;
    model_ = std::make_shared<Seq2Seq>(config, sizes, 7);
    model_->to(torch::kDouble);
  }
  // Output of the encoder, which consists of embeddings, for these factors. [R,S,E]
  Tensor read(const std::vector<std::vector<Ids>>& factors, const Pass& pass = {}) {
    const torch::NoGradGuard no_grad;
    SourceBatch source = source_batch(kSentences, torch::kCPU);
    put_factors(source, factors);
    put_tags(source, {1, 0});
    EncoderOutput encoded;
    model_->start(SourceBatches({{"source", source}}), pass, encoded);
    return encoded.sources.at("source").source.keys;
  }
  // Element i of the embedding of an id.
  double number(const std::string& table, int32_t id, int64_t i) const {
    return tensors_of(*model_).at(table + ".embedding")[id][i].item<double>();
  }
  std::shared_ptr<Seq2Seq> model_;
};

// Appends </s> to a sentence.
Ids ended(Ids ids) {
  ids.push_back(kEnd);
  return ids;
}

TEST_F(FactorsOfAModel, AreConcatenatedAndAddedByTheDefinition) {
  holds(
      {"model.embedding.source_factors.NAME.width", "model.embedding.source_factors.NAME.combine"});
  make(factored("{case: {combine: sum}, form: {width: 1}, pos: {width: 2}}", ", tag: source"), 2);
  const Tensor found = read({kCase, kPos, kPos});  // of case, form and pos
  ASSERT_EQ(found.sizes(), (c10::IntArrayRef{2, 4, 6}));
  for (size_t r = 0; r < kSentences.size(); ++r) {
    const Ids tokens = ended(kSentences[r]), cases = ended(kCase[r]), labels = ended(kPos[r]);
    for (size_t s = 0; s < tokens.size(); ++s) {
      std::vector<double> expected;
      for (int64_t i = 0; i < 3; ++i)
        expected.push_back(number("source_source", tokens[s], i) +
                           number("factor_case", cases[s], i) +
                           number("source_tag", r == 0 ? 1 : 0, i));
      expected.push_back(number("factor_form", labels[s], 0));
      for (int64_t i = 0; i < 2; ++i) expected.push_back(number("factor_pos", labels[s], i));
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(found[static_cast<int64_t>(r)][static_cast<int64_t>(s)][static_cast<int64_t>(i)]
                        .item<double>(),
                    expected[i], 1e-12)
            << "sentence " << r << ", token " << s << ", number " << i;
    }
  }
}

TEST_F(FactorsOfAModel, AreDroppedWithTheirToken) {
  make(factored("{case: {combine: sum}, pos: {width: 2}}", ", source_word_dropout: 0.5"));
  const Tensor whole = read({kCase, kPos}), dropped = read({kCase, kPos}, Pass::for_training(1, 1));
  int64_t gone = 0;
  for (int64_t r = 0; r < 2; ++r) {
    for (int64_t s = 0; s < 3; ++s) {
      const bool is_gone = dropped[r][s].abs().max().item<double>() == 0;
      gone += is_gone ? 1 : 0;
      if (!is_gone) {
        EXPECT_TRUE(torch::allclose(dropped[r][s], 2 * whole[r][s], 1e-12, 1e-12));
      }
    }
  }
  EXPECT_GT(gone, 0);
  EXPECT_LT(gone, 6);
}

TEST(FactorSettings, SayWhatIsWrong) {
  holds(
      {"model.embedding.source_factors.NAME.source", "model.embedding.source_factors.NAME.width"});
  const auto problems = [](const std::string& text) {
    ModelConfig config;
    std::vector<std::string> texts;
    for (const Problem& problem : find_problems(text, "c", config)) texts.push_back(problem.text());
    return texts;
  };
  const auto with = [&](const std::string& factors, const std::string& encoder) {
    return problems("{embedding: {source_factors: " + factors + "}, " + encoder +
                    ", decoder: {type: rnn, attention: {type: multi_source}}}");
  };
  const std::string two = "encoders: {a: rnn, b: rnn}",
                    shared = "encoders: {a: rnn, b: {type: shared, with: a}}";
  EXPECT_THAT(with("{p: {width: 4, source: a}, q: {combine: sum, source: b}}", two), ElementsAre());
  EXPECT_THAT(with("{p: {source: a}}", two),
              ElementsAre(HasSubstr("source_factors.p.width: is missing")));
  EXPECT_THAT(with("{p: {source: a, width: 4, combine: sum}}", two),
              ElementsAre(HasSubstr("source_factors.p.width: has no effect")));
  EXPECT_THAT(with("{p: {width: 4}}", two),
              ElementsAre(HasSubstr("source_factors.p.source: is missing: the model has several "
                                    "sources, a, b")));
  EXPECT_THAT(with("{p: {width: 4, source: c}}", two),
              ElementsAre(HasSubstr("unknown source 'c'; there are a, b")));
  EXPECT_THAT(with("{a: {width: 4, source: b}, tag: {width: 4, source: b}}", two),
              ElementsAre(HasSubstr("is not allowed as the name"),
                          HasSubstr("is not allowed as the name")));
  EXPECT_THAT(with("{p: {width: 4, source: b}}", shared),
              ElementsAre(HasSubstr("they share an encoder: concatenate the same width to both")));
  EXPECT_THAT(with("{p: {width: 4, source: b}, q: {width: 4, source: a}}", shared), ElementsAre());
  EXPECT_THAT(problems("{embedding: {source_factors: {p: {width: 4}}}, encoder: none, decoder: "
                       "{type: rnn, attention: none}}"),
              Contains(HasSubstr("a language model lacks")));
}

// A factor of the second source changes only what is read of that source.
TEST(FactorSettings, NameTheSourceTheyBelongTo) {
  holds({"model.embedding.source_factors.NAME.source"});
  ModelConfig config;
  read_config_text(
      "{embedding: {width: 3, tie: none, source_factors: {p: {width: 2, source: b}}}, encoders: "
      "{a: "
      "embeddings, b: embeddings}, decoder: {type: rnn, width: 4, attention: multi_source}}",
      "test", config);
  Seq2Seq model(config,
                {.sources = {{"a", kFactorTokens}, {"b", kFactorTokens}},
                 .target = kFactorTokens,
                 .factors = {{"p", 8}}},
                7);
  const std::vector<heed::Example> examples = {
      {.sources = {{5, 6}, {7}}, .factors = {{}, {{6}}}, .target = {}}};
  EncoderOutput encoded;
  model.start(source_batches(examples, {"a", "b"}, torch::kCPU), Pass(), encoded);
  EXPECT_EQ(encoded.sources.at("a").source.keys.size(2), 3);
  EXPECT_EQ(encoded.sources.at("b").source.keys.size(2), 5);
}

TEST(SavedFactors, ComeBackWithTheirLabels) {
  SavedModelConfig config;
  config.model = factored("{pos: {width: 3}}");
  for (const char* side : {"source", "target"})
    config.text[side].tokenizer = make_kind<WordsConfig>("words");
  const auto codec = [](const std::vector<std::string>& words) {
    return std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                         std::make_shared<const Vocabulary>(words));
  };
  const Codecs codecs = {
      {"source", codec({"a", "b"})}, {"target", codec({"c"})}, {"pos", codec({"N", "V", "D"})}};
  const Seq2Seq network(config.model, vocabulary_sizes(config, codecs), 3);
  const TemporaryFolder folder;
  save_model(folder.path(), config, codecs, network);
  const LoadedModel loaded = load_model(folder.path(), torch::kCPU);
  EXPECT_EQ(loaded.codecs.at("pos")->encode("D X"), (Ids{6, kUnknown}));
  EXPECT_TRUE(tensors_of(*loaded.network)
                  .at("factor_pos.embedding")
                  .equal(tensors_of(network).at("factor_pos.embedding")));
  std::filesystem::remove(folder / "pos.vocabulary");
  EXPECT_ERROR(load_model(folder.path(), torch::kCPU), ErrorKind::kModel, "pos.vocabulary");
}

TEST(BatchTensors, FactorsStandAtTheirTokens) {
  const std::vector<heed::Example> examples = {
      {.sources = {{5, 6}, {7}}, .factors = {{{4, 5}, {6, 6}}, {}}, .target = {}},
      {.sources = {{5}, {}}, .factors = {{{7}, {4}}, {}}, .target = {}}};
  const SourceBatches batches = source_batches(examples, {"a", "b"}, torch::kCPU);
  const std::vector<Tensor>& factors = batches.named.at("a").factors;
  ASSERT_EQ(factors.size(), 2U);
  EXPECT_TRUE(factors[0].equal(torch::tensor({{4, 5, kEnd}, {7, kEnd, kPad}}, torch::kLong)));
  EXPECT_TRUE(factors[1].equal(torch::tensor({{6, 6, kEnd}, {4, kEnd, kPad}}, torch::kLong)));
  EXPECT_TRUE(batches.named.at("b").factors.empty());
}

}  // namespace
}  // namespace heed
