// Facts that follow from the config of a model, before a network is built.
#include "model/model_spec.h"

#include <gmock/gmock.h>

#include "config/reader.h"
#include "config/writer.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;

ModelConfig config_of(const std::string& text) {
  ModelConfig config;
  read_config_text(text, "test", config);
  return config;
}
ModelPlan plan(const std::string& text) { return plan_of(config_of(text)); }

constexpr const char* kTwo =
    "embedding: {width: 6}, encoders: {b: {type: rnn, width: 8}, a: {type: shared, with: b}, c: "
    "{type: transformer, layers: 1, width: 16, self_attention: {heads: 2}}}";

TEST(ModelPlan, SaysWhoseEncoderEachSourceHas) {
  const ModelPlan found = plan(fmt::format("{{{}, decoder: {{attention: multi_source}}}}", kTwo));
  ASSERT_EQ(found.sources.size(), 3u);
  std::vector<std::tuple<std::string, std::string, int64_t>> sources;
  for (const SourcePlan& source : found.sources)
    sources.emplace_back(source.name, source.owner, source.dims.source.key);
  EXPECT_THAT(sources,
              ElementsAre(FieldsAre("a", "b", 8), FieldsAre("b", "b", 8), FieldsAre("c", "c", 16)));
  EXPECT_TRUE(found.sources[0].shares());
  EXPECT_FALSE(found.sources[1].shares());
  EXPECT_EQ(found.decoder.sources.at("c").source.value, 16);
}

TEST(ModelPlan, NamesTheSourceThatIsAttendedTo) {
  const auto attended = [](const std::string& attention) {
    const ModelPlan found =
        plan(fmt::format("{{{}, decoder: {{attention: {}}}}}", kTwo, attention));
    return found.attended_source() + (found.has_source_weights() ? ", weights" : "");
  };
  EXPECT_EQ(attended("{type: one_source, source: c, attention: {heads: 2}}"), "c, weights");
  EXPECT_EQ(attended("one_source"), "a, weights");
  EXPECT_EQ(attended("multi_source"), "a");
  EXPECT_EQ(attended("none"), "a");
  EXPECT_EQ(plan("{encoder: none, decoder: {attention: none}}").attended_source(), "");
}

TEST(ModelPlan, KnowsTheFewestLearnedPositions) {
  const auto positions = [](const std::string& text, const char* part) {
    return learned_positions(config_of(text), part);
  };
  const std::string learned =
      "{encoder: {type: transformer, positions: {type: learned, max_positions: 7}, "
      "self_attention: {type: linear, features: {type: linformer, slots: 3, max_positions: 6}}}, "
      "decoder: {type: transformer, positions: {type: learned, max_positions: 9}}}";
  EXPECT_EQ(positions(learned, "encoder"), 6);
  EXPECT_EQ(positions(learned, "decoder"), 9);
  EXPECT_EQ(positions("{encoder: {type: transformer}}", "encoder"), std::nullopt);
  const std::string sentences =
      "{encoder: {type: hierarchical, sentence_encoder: {type: transformer, positions: "
      "{type: learned, max_positions: 3}}}}";
  EXPECT_EQ(positions(sentences, "encoder"), std::nullopt) << "3 are sentences, not tokens";
}

TEST(ModelPlan, KnowsTheFewestScoredPositions) {
  const auto scored = [](int64_t positions) {
    return fmt::format("{{score: {{type: location_based, max_positions: {}}}}}", positions);
  };
  const ModelConfig config = config_of(
      fmt::format("{{encoder: {{type: transformer, self_attention: {}}}, decoder: {{type: "
                  "transformer, self_attention: {}, attention: {{type: hops, attention: "
                  "{}}}}}}}",
                  scored(9), scored(2), scored(7)));
  EXPECT_EQ(scored_positions(config), 7) << "2 are target positions";
  EXPECT_EQ(learned_positions(config, "encoder"), std::nullopt);
  EXPECT_EQ(learned_positions(config, "decoder"), std::nullopt);
  EXPECT_EQ(scored_positions(config_of("{encoder: {type: transformer}}")), std::nullopt);
}

TEST(ModelPlan, HasTheWidthsBetweenTheParts) {
  const ModelPlan copying = plan(
      "{embedding: {width: 6}, encoder: {type: rnn, width: 8}, decoder: {width: 10}, "
      "output: copynet}");
  EXPECT_EQ(copying.decoder.input, 6 + 8) << "the token and what it was copied from";
  EXPECT_EQ(copying.output.hidden, 10);
  EXPECT_EQ(copying.output.source.key, 8);
  EXPECT_TRUE(copying.output.of_text);
  const ModelPlan pooled = plan(
      "{encoder: {type: rnn, width: 8}, join: {type: self_attentive, pool: {type: rows, rows: "
      "3}}}");
  EXPECT_EQ(pooled.sources[0].dims.final_width, 8);
  EXPECT_EQ(pooled.decoder.sources.at("source").final_width, 3 * 8);
  EXPECT_FALSE(pooled.output.of_text);
}

TEST(ModelPlan, GathersWhatThePartsNeed) {
  const auto needs = [](const std::string& text) {
    const Needs found = plan(text).needs;
    return std::string(found.edges ? "edges " : "") + (found.tag ? "tag " : "") +
           (found.marker ? "marker" : "");
  };
  EXPECT_EQ(needs("{}"), "");
  EXPECT_EQ(needs("{encoder: {type: transformer, width: 16, self_attention: {heads: 2, terms: "
                  "[alibi, edges]}}}"),
            "edges ");
  EXPECT_EQ(needs("{decoder: {attention: {type: task_specific, attention: hops}}}"), "tag ");
  EXPECT_EQ(needs("{encoder: hierarchical}"), "marker");
}

// `needs_of` and the writer change nothing: only reading may change a config.
TEST(ModelPlan, ChangesNothingInTheConfig) {
  const ModelConfig config = config_of("{decoder: {attend: after, attention: {heads: 2}}}");
  const std::string before = write_config(config);
  plan_of(config);
  EXPECT_EQ(write_config(config), before);
}

TEST(ModelPlan, IsNoneWhereASourceHasNoEncoder) {
  for (const char* encoders :
       {"encoder: {type: shared, with: a}",
        "encoders: {a: {type: shared, with: b}, b: {type: "
        "shared, with: a}}",
        "encoders: {a: {type: shared, with: c}, b: rnn}", "encoders: {a: none, b: rnn}"}) {
    ModelConfig config;
    EXPECT_FALSE(find_problems(fmt::format("{{{}}}", encoders), "test", config).empty());
    EXPECT_FALSE(find_plan(config).has_value()) << encoders;
  }
}

}  // namespace
}  // namespace heed
