// Models of older versions do what they did.

#include <gtest/gtest.h>

#include "config/reader.h"
#include "config/writer.h"
#include "model/seq2seq.h"
#include "nn/torch.h"
#include "one_thread.h"

namespace heed {
namespace {

// What a config says of an attention, with all defaults written out, once by a reader of any
// version and once of this one.
struct ReadTwice {
  std::string before, now;
};
ReadTwice read_twice(const std::string& attention) {
  const auto read = [&](const ReadOptions& options) {
    ModelConfig config;
    read_config_text("{decoder: {type: rnn, attention: " + attention + "}}", "test", config,
                     options);
    const auto values = flatten_config(config);
    std::string text;
    for (const auto& [key, value] : values) {
      if (key.starts_with("decoder.attention.")) text += key.substr(18) + "=" + value + "\n";
    }
    return text;
  };
  return {read({.overrides = {}, .saved = true}), read({})};
}

void expect_in(const std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines)
    EXPECT_NE(("\n" + text).find("\n" + line + "\n"), std::string::npos) << line << " in\n" << text;
}

TEST(OlderModels, DoWhatTheyDidWhereTheirConfigsDoNotSayIt) {
  const ReadTwice structured = read_twice("{normalizer: structured}"),
                  monotonic = read_twice("{normalizer: {type: monotonic}}"),
                  linear = read_twice("{type: linear, features: performer, heads: 2}");
  expect_in(structured.before, {"normalizer.scale=~", "normalizer.penalty=0.0"});
  expect_in(structured.now, {"normalizer.scale=2.0", "normalizer.penalty=0.005"});
  expect_in(monotonic.before,
            {"normalizer.offset=~", "normalizer.noise=0.0", "normalizer.search=expected"});
  expect_in(monotonic.now,
            {"normalizer.offset=-4.0", "normalizer.noise=1.0", "normalizer.search=hard"});
  expect_in(linear.before, {"heads=2", "random_features=64", "draw=shared", "redraw=0"});
  expect_in(linear.now, {"heads=2", "random_features=~", "draw=head", "redraw=1000"});
}

TEST(OlderModels, KeepWhatTheirConfigsSay) {
  expect_in(read_twice("{normalizer: {type: structured, scale: 3}}").before,
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

// Nothing more, nothing less, nothing of another shape.
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
  const auto performer = tensors_of_decoder("{type: linear, features: performer, heads: 2}");
  EXPECT_EQ(performer.at("decoder.attention.random"), (std::vector<int64_t>{64, 4}));
}

}  // namespace
}  // namespace heed
