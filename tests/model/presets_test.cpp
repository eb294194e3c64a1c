// Each preset is the model of its paper as a whole: several steps, from the tokens of a source to
// log-probabilities of the next token, beside loops over doubles (reference/published.h).
#include "model/presets_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "config/reader.h"
#include "config/writer.h"
#include "holds.h"
#include "model/decoders/rnn_config.h"
#include "model/seq2seq.h"
#include "model/size_bound.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "reference/published.h"
#include "tensor_lines.h"

namespace heed {
namespace {

using reference::Sequence;
using reference::Weights;
using testing::HasSubstr;

constexpr int64_t kPresetVocabulary = 11;

reference::Weights reference_weights(const Seq2Seq& model) {
  std::map<std::string, reference::Matrix> all;
  for (const auto& [name, value] : parameters_of(model)) all[name] = matrix_of(value);
  return reference::Weights(all);
}

using Reference =
    std::function<Sequence(const Weights&, const reference::TokenIds&, const reference::TokenIds&)>;
struct PresetCase {
  std::string name;
  std::string preset;
  std::string sizes;  // and other keys
  Reference reference;
  std::string text() const { return fmt::format("{{preset: {}, {}}}", preset, sizes); }
};
void PrintTo(const PresetCase& one, std::ostream* out) { *out << one.text(); }

PresetCase student(const std::string& preset) {
  const std::string layer = "layers: 2, width: 6, feed_forward: 9";
  return {preset, preset,
          fmt::format("embedding: {{width: 6}}, encoder: {{{0}, self_attention: {{heads: 2}}}}, "
                      "decoder: {{{0}, attention: {{heads: 2}}}}",
                      layer),
          [](const Weights& w, const auto& source, const auto& target) {
            return reference::kim(w, source, target, 2, 2);
          }};
}

std::vector<PresetCase> preset_cases() {
  const std::string bahdanau =
      "embedding: {width: 3}, encoder: {width: 8}, decoder: {width: 5, "
      "output_width: 4, attention: {score: {hidden: 6}}";
  const auto reads = [](bool previous) {
    return [previous](const Weights& w, const auto& source, const auto& target) {
      return reference::bahdanau(w, source, target, previous);
    };
  };
  const std::string luong =
      "embedding: {width: 3}, encoder: {layers: 2, width: 4}, decoder: "
      "{layers: 2, width: 4";
  const auto local = [](double reach) {
    return [reach](const Weights& w, const auto& source, const auto& target) {
      return reference::luong(w, source, target, 2, reach);
    };
  };
  const std::string layer = "layers: 2, width: 6, feed_forward: 9, self_attention: {heads: 2}";
  return {
      {"bahdanau", "bahdanau", bahdanau + "}", reads(true)},
      {"bahdanau_equation_4", "bahdanau", bahdanau + ", output_state: current}", reads(false)},
      {"luong", "luong", luong + "}", local(0)},
      {"luong_dot", "luong", luong + ", attention: {score: dot}}", local(0)},
      {"luong_local", "luong",
       luong + ", attention: {terms: [{type: window, kind: predictive, radius: 2}]}}", local(2)},
      {"vaswani", "vaswani",
       fmt::format("embedding: {{width: 6}}, encoder: {{{0}}}, decoder: {{{0}, attention: {{heads: "
                   "2}}}}",
                   layer),
       [](const Weights& w, const auto& source, const auto& target) {
         return reference::vaswani(w, source, target, 2, 2);
       }},
      student("student_tiny"),
      student("student_base"),
  };
}

class EachPreset : public testing::TestWithParam<PresetCase> {};
INSTANTIATE_TEST_SUITE_P(Presets, EachPreset, testing::ValuesIn(preset_cases()),
                         [](const auto& one) { return one.param.name; });

reference::TokenIds ids_with(const Ids& ids, int32_t first, int32_t last) {
  reference::TokenIds all;
  if (first >= 0) all.push_back(static_cast<size_t>(first));
  for (const int32_t id : ids) all.push_back(static_cast<size_t>(id));
  if (last >= 0) all.push_back(static_cast<size_t>(last));
  return all;
}

TEST_P(EachPreset, IsTheModelOfItsPaper) {
  holds({"model.preset"});
  const torch::NoGradGuard no_grad;
  ModelConfig config;
  read_config_text(GetParam().text(), "test", config);
  config.embedding.dropout = 0;
  VocabularySizes sizes{.sources = {{"source", kPresetVocabulary}}, .target = kPresetVocabulary};
  if (config.embedding.tie == Tie::kAll) sizes.owners["source"] = "target";
  Seq2Seq model(config, sizes, 7);
  fill(model);
  const std::vector<Ids> sources = {{5, 6, 7, 8, 9}, {10}, {4, 4, 6}},
                         targets = {{7, 4, 5, 9}, {6, 6, 10, 4}, {8, 9, 4, 7}};
  State state =
      model.start(SourceBatches({{"source", source_batch(sources, torch::kCPU)}}), Pass());
  const Tensor inputs = target_batch(targets, torch::kCPU).inputs;
  const Tensor found = model.log_probs(model.advance(inputs, state), state);  // [R,T,V]
  const Weights weights = reference_weights(model);
  for (size_t r = 0; r < sources.size(); ++r) {
    const Sequence expected = GetParam().reference(weights, ids_with(sources[r], -1, kEnd),
                                                   ids_with(targets[r], kBegin, -1));
    ASSERT_EQ(static_cast<size_t>(found.size(1)), expected.size());
    for (size_t t = 0; t < expected.size(); ++t)
      expect_close(found[r][t], tensor_of(expected[t]), kExact, fmt::format("row {}, {}", r, t));
  }
}

// Models of a fixture, which other implementations computed.
class PresetOfOthers : public testing::TestWithParam<std::string> {
 protected:
  static Tensor get(const std::string& name) {
    return numbers().at(fmt::format("{}/{}", GetParam(), name));
  }
  static const std::map<std::string, Tensor>& numbers() {
    static const auto all = read_tensor_lines("tests/model/fixtures/published_models.txt");
    return all;
  }
  static Ids ids(const std::string& name) {
    Ids all;
    for (const double id : vector_of(get(name))) all.push_back(static_cast<int32_t>(id));
    return all;
  }
  // Sets all parameters; biases that the others lack are 0.
  static void set_weights(Seq2Seq& model) {
    model.to(torch::kDouble);
    const torch::NoGradGuard no_grad;
    size_t found = 0;
    for (const auto& [name, parameter] : parameters_of(model)) {
      const auto weight = numbers().find(fmt::format("{}/weight/{}", GetParam(), name));
      if (weight != numbers().end()) {
        ++found;
        EXPECT_EQ(parameter.numel(), weight->second.numel()) << name;
        Tensor(parameter).copy_(weight->second.view(parameter.sizes()));
      } else {
        EXPECT_THAT(name, HasSubstr("bias"));
        Tensor(parameter).zero_();
      }
    }
    EXPECT_EQ(found, static_cast<size_t>(std::ranges::count_if(numbers(), [](const auto& one) {
                return one.first.starts_with(GetParam() + "/weight/");
              })));
  }
};

TEST_P(PresetOfOthers, IsTheirModel) {
  holds({"model.preset"});
  const std::map<std::string, std::string> configs = {
      {"bahdanau",
       "{preset: bahdanau, embedding: {width: 3}, encoder: {width: 8}, decoder: {width: 4, "
       "output_width: 5, attention: {score: {hidden: 6}}}}"},
      {"luong_general",
       "{preset: luong, embedding: {width: 3}, encoder: {layers: 2, width: 4}, decoder: {layers: "
       "2, "
       "width: 4}}"},
      {"luong_dot",
       "{preset: luong, embedding: {width: 3}, encoder: {layers: 2, width: 4}, decoder: {layers: "
       "2, "
       "width: 4, attention: {score: dot}}}"}};
  const torch::NoGradGuard no_grad;
  ModelConfig config;
  read_config_text(configs.at(GetParam()), "test", config);
  Seq2Seq model(config, {.sources = {{"source", kPresetVocabulary}}, .target = kPresetVocabulary},
                7);
  set_weights(model);
  for (int i = 0; i < 3; ++i) {
    Ids source = ids(fmt::format("source/{}", i));
    ASSERT_EQ(source.back(), kEnd);
    source.pop_back();
    State state =
        model.start(SourceBatches({{"source", source_batch({source}, torch::kCPU)}}), Pass());
    const Tensor inputs = get(fmt::format("target/{}", i)).to(torch::kLong).unsqueeze(0);
    ASSERT_EQ(inputs[0][0].item<int64_t>(), kBegin);
    const Tensor found = model.log_probs(model.advance(inputs, state), state);
    expect_close(found[0], get(fmt::format("out/{}", i)), kSingle, fmt::format("source {}", i));
  }
}
INSTANTIATE_TEST_SUITE_P(Presets, PresetOfOthers,
                         testing::Values("bahdanau", "luong_general", "luong_dot"),
                         [](const auto& name) { return name.param; });

// A user gets the whole model by one line. Its sizes are the paper's.
TEST(Presets, HaveTheSizesOfTheirPapers) {
  const std::map<std::string, std::vector<std::string>> sizes = {
      {"bahdanau",
       {"embedding: {width: 620", "width: 2000", "width: 1000", "output_width: 500",
        "score: {type: additive, hidden: 1000"}},
      {"luong", {"embedding: {width: 1000", "layers: 4", "width: 1000", "bidirectional: false"}},
      {"vaswani",
       {"embedding: {width: 512", "layers: 6", "width: 512", "feed_forward: 2048", "heads: 8"}}};
  for (const auto& [name, parts] : sizes) {
    ModelConfig config;
    read_config_text(fmt::format("{{preset: {}}}", name), name, config);
    const std::string text = write_inline(config);
    for (const std::string& part : parts) EXPECT_THAT(text, HasSubstr(part)) << name;
    EXPECT_THAT(text, testing::Not(HasSubstr("preset")));
  }
}

// scripts/papers.py checks that each has a test.
TEST(Presets, CanAllBeRead) {
  for (const Preset& preset : model_presets()) {
    const std::string stack =
        "{type: rnn, cell: lstm, layers: 4, width: 1000, bidirectional: false}";
    const bool of_any_sources = preset.name == "zoph";  // the user names them
    ModelConfig config;
    const auto found = find_problems(
        fmt::format(
            "{{preset: {}{}}}", preset.name,
            of_any_sources ? ", encoders: {a: " + stack + ", b: " + stack + "}" : std::string()),
        "test", config);
    EXPECT_TRUE(found.empty()) << preset.name << ": " << found.front().text();
    EXPECT_FALSE(preset.paper().empty());
    expect_bounded(config, vocabularies_of(config, 30'000));
  }
}

TEST(Presets, OfADecoderAreRefusedWithWhatToWrite) {
  ModelConfig config;
  const auto found = find_problems("{decoder: {preset: luong}}", "c.yaml", config);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].text(),
              HasSubstr("c.yaml:1:20: decoder.preset: is now a key of the model, and sets all of "
                        "it: `model: {preset: luong}`"));
}

// Models that were saved with the key have the keys that it set, too.
TEST(Presets, OfADecoderAreReadInSavedConfigs) {
  ModelConfig config;
  EXPECT_TRUE(find_problems("{decoder: {preset: luong, attend: after}}", "c.yaml", config,
                            {.overrides = {}, .saved = true})
                  .empty());
  EXPECT_THAT(write_inline(config), testing::Not(HasSubstr("preset")));
}

std::string preset_problem(const std::string& text) {
  ModelConfig config;
  const auto found = find_problems(text, "c.yaml", config);
  return found.size() == 1 ? found[0].text() : fmt::format("{} problems", found.size());
}

TEST(Presets, AreNamedWhereTheyDoNotFitTheConfig) {
  EXPECT_THAT(preset_problem("{preset: luong, encoder: {width: 500}}"),
              HasSubstr("preset luong: decoder.bridge: last copies the encoder state (4 layers of "
                        "lstm of width 500)"));
  EXPECT_THAT(preset_problem("{preset: bahdanau, encoder: {bidirectional: false}}"),
              HasSubstr("preset bahdanau: decoder.bridge: backward needs the backward state"));
  EXPECT_THAT(preset_problem("{preset: bahdanau, encoders: {a: rnn, b: rnn}, decoder: {attention: "
                             "multi_source}}"),
              HasSubstr("preset bahdanau: encoder: unknown key; to change so much"));
}

TEST(RecurrentDecoder, ReadsThePreviousStateWhereItCan) {
  const std::string begin = "{decoder: {output_state: previous, ";
  EXPECT_THAT(preset_problem(begin + "attend: after}}"),
              HasSubstr("decoder.output_state: previous, "));
  EXPECT_THAT(preset_problem(begin + "past: {}}}"), HasSubstr("`past` reads s_t"));
  EXPECT_THAT(preset_problem(begin + "residual: true, layers: 2}}"), HasSubstr("with `residual`"));
  EXPECT_EQ(preset_problem(begin + "layers: 2}}"), "0 problems");
}

TEST(RecurrentDecoder, BeginsWithABackwardStateWhereThereIsOne) {
  EXPECT_EQ(preset_problem("{decoder: {bridge: backward}}"), "0 problems");
  for (const char* encoder :
       {"{type: rnn, bidirectional: false}", "{type: rnn, reverse: true}", "{type: transformer}"}) {
    EXPECT_THAT(
        preset_problem(fmt::format("{{encoder: {}, decoder: {{bridge: backward}}}}", encoder)),
        HasSubstr("decoder.bridge: backward needs the backward state"));
  }
  EXPECT_THAT(
      preset_problem("{encoders: {a: rnn, b: rnn}, join: basic, decoder: {bridge: backward, "
                     "attention: {type: one_source, source: a}}}"),
      HasSubstr("decoder.bridge: backward needs the backward state"));
}

}  // namespace
}  // namespace heed
