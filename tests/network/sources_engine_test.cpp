// RecurrentEngine with several sources beside ModelEngine, of the same models.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "network/engine_comparison.h"
#include "text/words.h"

namespace heed {
namespace {

struct SourcesVariant {
  const char* name;
  std::string join, attention;
  std::string decoder = "";  // further keys
  std::string encoder = "type: rnn, width: 12", second = "type: rnn, width: 12";
  std::string rest = "embedding: {width: 10}";
  std::string text() const {
    return fmt::format(
        "{{encoders: {{a: {{{}}}, b: {{{}}}}}, join: {}, decoder: {{type: rnn, width: 12, "
        "attention: "
        "{}{}}}, {}}}",
        encoder, second, join, attention, decoder, rest);
  }
};
void PrintTo(const SourcesVariant& variant, std::ostream* out) { *out << variant.text(); }

std::string sources(const std::string& combine, const std::string& attention) {
  return "{type: multi_source, combine: " + combine + ", attention: " + attention + "}";
}

const std::vector<SourcesVariant>& sources_variants() {
  static const std::string general = "{score: general}", additive = "{score: additive}",
                           luong = ", attend: after, input_feeding: true, output_activation: tanh";
  static const std::vector<SourcesVariant> list = {
      {"basic", "basic", sources("concat", general), luong},
      {"child_sum", "child_sum", sources("concat", additive)},
      {"basic_gru", "basic", sources("parallel", "{score: scaled_dot, heads: 2}"), ", cell: gru",
       "type: rnn, cell: gru, layers: 2, width: 12", "type: rnn, cell: gru, layers: 2, width: 12"},
      {"child_sum_layers", "child_sum", sources("hierarchical", general),
       ", layers: 2, bridge: last", "type: rnn, layers: 2, width: 12",
       "type: rnn, layers: 2, width: 12"},
      {"no_joiner", "~", sources("concat", general), ", bridge_from: b", "type: rnn, width: 12",
       "type: rnn, cell: gru, width: 8"},
      {"hierarchical", "~", sources("hierarchical", additive), luong, "type: rnn, width: 12",
       "type: rnn, width: 20"},
      {"hierarchical_of_dots", "~",
       sources("hierarchical", "{score: {type: location, features: coverage}}")},
      {"parallel", "~", sources("parallel", additive), ", context_feeding: true"},
      {"first", "~", "{type: one_source, attention: {score: dot}}"},
      {"second", "basic", "{type: one_source, source: b, attention: {score: general}}", luong},
      {"second_alone", "~", "{type: one_source, source: b, attention: {score: additive}}",
       ", bridge: backward, bridge_from: b", "type: rnn, width: 8", "type: rnn, width: 20"},
      {"no_attention", "basic", "none"},
      {"over_attention", "~", "{type: attention_over_attention, document: a, query: b}",
       ", bridge_from: b"},
      {"over_attention_of_the_first", "~",
       "{type: attention_over_attention, document: b, query: a}", luong},
      {"shared_encoder", "~", sources("concat", general), "", "type: rnn, width: 12",
       "type: shared, with: a"},
      {"shared_embeddings", "~", sources("concat", general), "", "type: rnn, width: 12",
       "type: rnn, width: 12", "embedding: {width: 10, tie: all}"},
      {"no_source_end", "~", sources("concat", general), "", "type: rnn, width: 12",
       "type: rnn, width: 12", "embedding: {width: 10}, source_end: false"},
      {"other_encoders", "~", sources("concat", general), "",
       "type: transformer, layers: 1, width: 12, feed_forward: 12, self_attention: {heads: 2}",
       "type: convolution, layers: 2, width: 12"},
      {"co_attention", "{type: co_attention, hidden: 14}", sources("concat", general)},
      {"co_attention_of_means",
       "{type: co_attention, hidden: 14, aggregate: mean, attention: {score: scaled_dot}}", "none",
       ", cell: gru, input_feeding: true, output_activation: tanh",
       "type: rnn, cell: gru, width: 12", "type: shared, with: a",
       "embedding: {width: 10, tie: none}"},
      {"co_attention_in_turn",
       "{type: co_attention, hidden: 14, order: in_turn, summary_layers: 2}",
       sources("parallel", additive)},
      {"co_attention_compared",
       "{type: co_attention, hidden: 14, layers: 1, compared: 9, summary_layers: 1, attention: "
       "{score: additive}}",
       "{type: one_source, source: b, attention: {score: general}}"},
      {"pointer_sum", "~", "{type: attention_over_attention, document: a, query: b}",
       ", cell: gru, attend: before, input_feeding: false, output_activation: tanh, bridge: last, "
       "bridge_from: b",
       "type: rnn, cell: gru, width: 12", "type: rnn, cell: gru, width: 12",
       "embedding: {width: 10, tie: all}, output: pointer_sum"},
      {"pointer_sum_of_the_second", "~", "{type: one_source, source: b, attention: {score: dot}}",
       "", "type: rnn, width: 12", "type: rnn, width: 12",
       "embedding: {width: 10}, source_end: false, output: pointer_sum"},
      {"label", "basic", "none", "", "type: rnn, width: 12", "type: rnn, width: 12",
       "embedding: {width: 10, tie: none}, output: label"},
      {"pointer_generator", "~", "{type: one_source, source: b, attention: {score: additive}}", "",
       "type: rnn, width: 12", "type: rnn, width: 12",
       "embedding: {width: 10}, output: pointer_generator"},
  };
  return list;
}

class EachSourcesVariant : public testing::TestWithParam<SourcesVariant> {};
INSTANTIATE_TEST_SUITE_P(SourcesEngine, EachSourcesVariant, testing::ValuesIn(sources_variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

TEST_P(EachSourcesVariant, EqualsTheModelInEachSetOfKernels) {
  expect_engine_equals_model(GetParam().text(), 2);
}

TEST_P(EachSourcesVariant, InFewerBitsIsNearTheModel) {
  expect_fewer_bits_are_near(GetParam().text());
}

TEST_P(EachSourcesVariant, HasEqualScoresInEachSetOfKernels) {
  expect_equal_scores_in_each_set(GetParam().text());
}

TEST_P(EachSourcesVariant, HasTheParametersOfTheModel) {
  expect_parameters_of_the_model(GetParam().text());
}

TEST(SourcesEngine, SearchFindsWhatItFindsWithTheModel) {
  expect_search_finds_the_same(sources_variants()[0].text());
  expect_search_finds_the_same(sources_variants()[5].text());
}

TEST(SourcesShape, IsThatOfNoOtherModel) {
  for (const SourcesVariant& other : std::vector<SourcesVariant>{
           {"flat", "~", sources("flat", "{score: general}")},
           {"serial", "~", sources("serial", "{score: general}")},
           {"coarse", "{type: co_attention, grain: coarse}", sources("concat", "{score: general}")},
           {"flow", "attention_flow", sources("concat", "{score: general}")},
           {"cosine", "~", sources("concat", "{score: cosine}")}}) {
    EXPECT_FALSE(engine_shape(saved(config_from(other.text())))) << other.name;
  }
  EXPECT_FALSE(engine_shape(saved(config_from(
      "{encoders: {a: {type: rnn, width: 8}, b: {type: rnn, width: 8}}, decoder: {type: "
      "convolution, layers: 1, width: 8, attention: {type: one_source, attention: {score: "
      "general}}}, embedding: {width: 8}}"))));
}

// Models whose sources have one vocabulary may have one table of embeddings.
TEST(SourcesShape, HasSharedEmbeddings) {
  const auto embeddings_of = [](const std::string& second, const std::string& more) {
    SavedModelConfig config = saved(config_from(
        "{encoders: {a: {type: rnn, width: 8}, b: {" + second +
        "}}, decoder: {type: rnn, width: 8, attention: none}, embedding: {width: 8" + more + "}}"));
    config.text["a"].tokenizer = make_kind<WordsConfig>("words");
    config.text["b"].tokenizer = make_kind<WordsConfig>("words");
    config.text["b"].tokenizer->share = "a";
    std::vector<std::string> names;
    for (const SourceShape& source : vocabulary_of(*engine_shape(config)).sources)
      names.push_back(source.embedding);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(embeddings_of("type: rnn, width: 8", ""), (Names{"a", "b"}));
  EXPECT_EQ(embeddings_of("type: rnn, width: 8", ", share_sources: true"), (Names{"a", "a"}));
  EXPECT_EQ(embeddings_of("type: shared, with: a", ""), (Names{"a", "a"}));
}

}  // namespace
}  // namespace heed
