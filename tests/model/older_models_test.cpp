// Models of older versions compute the same as before.

#include <gtest/gtest.h>

#include "config/reader.h"
#include "config/writer.h"
#include "model/seq2seq.h"
#include "nn/torch.h"
#include "one_thread.h"

namespace heed {
namespace {

// Reads the config of an attention and writes it with all defaults.
std::string read(const std::string& attention, const ReadOptions& options) {
  ModelConfig config;
  read_config_text("{decoder: {type: rnn, attention: " + attention + "}}", "test", config, options);
  std::string text;
  for (const auto& [key, value] : flatten_config(config)) {
    if (key.starts_with("decoder.attention.")) text += key.substr(18) + "=" + value + "\n";
  }
  return text;
}
std::string before(const std::string& attention) {
  return read(attention, {.overrides = {}, .saved = true});
}
std::string now(const std::string& attention) { return read(attention, {}); }

void expect_in(const std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines)
    EXPECT_NE(("\n" + text).find("\n" + line + "\n"), std::string::npos) << line << " in\n" << text;
}

TEST(OlderModels, DoWhatTheyDidWhereTheirConfigsDoNotSayIt) {
  const std::string structured = "{normalizer: structured}", monotonic = "{normalizer: monotonic}";
  expect_in(before(structured), {"normalizer.scale=~", "normalizer.penalty=0.0"});
  expect_in(now(structured), {"normalizer.scale=2.0", "normalizer.penalty=0.005"});
  expect_in(before(monotonic),
            {"normalizer.offset=~", "normalizer.noise=0.0", "normalizer.search=expected"});
  expect_in(now(monotonic),
            {"normalizer.offset=-1.0", "normalizer.noise=1.0", "normalizer.search=hard"});
  expect_in(
      before("{type: linear, features: performer, heads: 2, random_features: 64}"),
      {"heads=2", "features.random_features=64", "features.draw=shared", "features.redraw=0"});
  expect_in(
      now("{type: linear, features: performer, heads: 2}"),
      {"heads=2", "features.random_features=~", "features.draw=head", "features.redraw=1000"});
}

TEST(OlderModels, HaveTheirFlatKeysReadAsThoseOfKinds) {
  expect_in(before("{type: linear, features: linformer, random_features: 64, slots: 9, "
                   "max_positions: 40}"),
            {"features.type=linformer", "features.slots=9", "features.max_positions=40"});
  expect_in(before("{normalizer: {type: hard, gradient: reinforce, entropy: 0.5}}"),
            {"normalizer.gradient.entropy=0.5", "normalizer.gradient.weight=1.0"});
  expect_in(before("{normalizer: {type: hard, gradient: straight_through, entropy: 0.5}}"),
            {"normalizer.gradient.type=straight_through"});
  expect_in(before("{heads: 2, head_combination: {type: routing, kind: em, lambda: 0.5}}"),
            {"head_combination.kind.lambda=0.5"});
  expect_in(before("{heads: 2, head_combination: {type: routing, kind: dynamic, lambda: 0.5}}"),
            {"head_combination.kind.type=dynamic"});
  expect_in(before("{score: {type: location, features: convolved, filters: 5, kernel: 3}}"),
            {"score.features.filters=5", "score.features.kernel=3"});
  expect_in(before("{score: {type: location, features: coverage, filters: 5, kernel: 3}}"),
            {"score.features.type=coverage"});
  expect_in(before("{score: {type: multi_dim, form: full, hidden: 6}}"), {"score.form.hidden=6"});
  ModelConfig config;
  read_config_text("{encoder: {type: hierarchical, pool: attention, hidden: 6}}", "test", config,
                   {.overrides = {}, .saved = true});
  EXPECT_EQ(flatten_config(config).at("encoder.pool.hidden"), "6");
}

TEST(OlderModels, HaveNoLayersThatCameLater) {
  const std::string encoders = "encoders: {a: rnn, b: rnn}";
  for (const bool saved : {true, false}) {
    const auto value = [&](const std::string& text, const std::string& key) {
      ModelConfig config;
      read_config_text("{" + encoders + ", " + text + "}", "test", config,
                       {.overrides = {}, .saved = saved});
      return flatten_config(config).at(key);
    };
    EXPECT_EQ(
        value("join: co_attention, decoder: {type: rnn, attention: multi_source}", "join.layers"),
        saved ? "1" : "2");
    EXPECT_EQ(value("decoder: {type: rnn, attention: {type: multi_source, combine: serial}}",
                    "decoder.attention.combine.sublayers"),
              saved ? "false" : "true");
  }
}

TEST(OlderModels, KeepWhatTheirConfigsSay) {
  expect_in(before("{normalizer: {type: structured, scale: 3}}"),
            {"normalizer.scale=3.0", "normalizer.penalty=0.0"});
  ModelConfig config;
  read_config_text(
      "{encoder: {type: transformer, width: 16, self_attention: {heads: 2, terms: [edges, {type: "
      "edges, itself: true}]}}}",
      "test", config, {.overrides = {}, .saved = true});
  const auto values = flatten_config(config);
  EXPECT_EQ(values.at("encoder.self_attention.terms[0].itself"), "false");
  EXPECT_EQ(values.at("encoder.self_attention.terms[1].itself"), "true");
}

// The tensors have the same names and shapes as before.
TEST(OlderModels, HaveTheTensorsTheyHad) {
  const auto tensors_of_decoder = [](const std::string& attention) {
    ModelConfig config;
    read_config_text("{encoder: {type: rnn, width: 8}, decoder: {type: rnn, width: 8, attention: " +
                         attention + "}}",
                     "test", config, {.overrides = {}, .saved = true});
    const Seq2Seq network(config, {{{"source", 9}}, 9}, 1);
    std::map<std::string, std::vector<int64_t>> shapes;
    for (const auto& item : network.named_parameters())
      shapes[item.key()] = item.value().sizes().vec();
    for (const auto& item : network.named_buffers())
      shapes[item.key()] = item.value().sizes().vec();
    return shapes;
  };
  EXPECT_FALSE(tensors_of_decoder("{normalizer: monotonic}")
                   .contains("decoder.attention.normalizer.offset"));
  const auto performer =
      tensors_of_decoder("{type: linear, features: performer, heads: 2, random_features: 64}");
  EXPECT_EQ(performer.at("decoder.attention.random"), (std::vector<int64_t>{64, 4}));
}

}  // namespace
}  // namespace heed
