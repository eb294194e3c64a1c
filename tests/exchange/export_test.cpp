// Exports of trained models to the formats of other toolkits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include <set>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "config/reader.h"
#include "exchange/exports.h"
#include "exchange/fixtures.h"
#include "exchange/imports.h"
#include "holds.h"
#include "one_thread.h"
#include "text/sentencepiece.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Model whose source and target text share one SentencePiece model.
LoadedModel model_of(const std::string& config) {
  LoadedModel model;
  read_config_text(config, "model", model.config.model);
  const auto pieces = make_kind<SentencePieceConfig>("sentencepiece");
  model.config.text["source"].tokenizer = pieces;
  model.config.text["target"].tokenizer = make_kind<SentencePieceConfig>("sentencepiece");
  model.config.text["target"].tokenizer->share = "source";
  const auto tokenizer = std::make_shared<SentencePieceTokenizer>(
      read_plainly(exchange_fixture("marian") / "source.spm"), "source.spm", /*lower=*/false);
  const auto codec = std::make_shared<const Codec>(
      tokenizer, std::make_shared<const Vocabulary>(tokenizer->own_pieces()));
  model.codecs = {{"source", codec}, {"target", codec}};
  model.network = std::make_shared<Seq2Seq>(config.empty() ? ModelConfig() : model.config.model,
                                            vocabulary_sizes(model.config, model.codecs), 5);
  const torch::NoGradGuard no_grad;
  for (const Tensor& parameter : model.network->parameters())
    parameter.add_(0.2 * torch::randn(parameter.sizes()));
  return model;
}

std::string transformer(const std::string& common, const std::string& embedding,
                        const std::string& decoder = "") {
  const std::string stack =
      "{type: transformer, layers: 2, width: 8, feed_forward: 12, self_attention: {score: "
      "scaled_dot, heads: 2}, " +
      common;
  return fmt::format(
      "{{embedding: {{width: 8, {}}}, encoder: {}}}, decoder: {}, attention: {{score: scaled_dot, "
      "heads: 2}}{}}}}}",
      embedding, stack, stack, decoder);
}

Tensor log_probs(const LoadedModel& model) {
  const torch::NoGradGuard no_grad;
  const SourceBatches sources = {{{"source", source_batch({{7, 5, 9}, {4}}, torch::kCPU)}}};
  State state = model.network->start(sources, Pass());
  const Step step =
      model.network->advance(torch::tensor({{kBegin, 8, 4}, {kBegin, 6, 6}}, torch::kLong), state);
  return model.network->log_probs(step, state);
}

class ExportedToTransformers : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(
    All, ExportedToTransformers,
    testing::Values(transformer("norm: pre", "tie: all"), transformer("norm: post", "tie: all"),
                    transformer("norm: post, activation: gelu", "tie: target"),
                    transformer("norm: post, activation: silu", "tie: none"),
                    transformer("norm: pre, scale_embedding: false", "tie: all"),
                    transformer("norm: post, positions: {type: sinusoidal, layout: halves}",
                                "tie: all")));

// Numbers of a vector change their order, and so does the rounding of sums.
TEST_P(ExportedToTransformers, ComputeTheSameWhenTheyComeBack) {
  const LoadedModel model = model_of(GetParam());
  const TemporaryFolder folder;
  export_hf(model, folder.path());
  const LoadedModel again = import_hf(folder.path());
  EXPECT_LT((log_probs(model) - log_probs(again)).abs().max().item<double>(), 2e-5);
  EXPECT_EQ(again.codecs.at("source"), again.codecs.at("target"));
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "nothing was refused";
}

TEST(Export, RefusesWhatAFormatCannotHold) {
  const TemporaryFolder folder;
  const auto by_hf = [&folder](const std::string& model) {
    return refusal([&] { export_hf(model_of(model), folder.path()); });
  };
  const auto by_ctranslate2 = [&folder](const std::string& model) {
    return refusal([&] { export_ctranslate2(model_of(model), folder.path()); });
  };
  const std::string recurrent =
      "{embedding: {width: 8}, encoder: {type: rnn, width: 8}, decoder: "
      "{type: rnn, width: 8}}";
  EXPECT_THAT(by_hf(recurrent), AllOf(HasSubstr("model.encoder.type is rnn, expected transformer"),
                                      HasSubstr("model.decoder.type is rnn")));
  EXPECT_THAT(by_ctranslate2(recurrent), HasSubstr("CTranslate2 cannot hold this model"));
  EXPECT_THAT(by_hf(transformer("norm: pre, activation: gated", "tie: target")),
              AllOf(HasSubstr("no gated linear units"), HasSubstr("has one embedding")));
  EXPECT_THAT(by_hf(transformer("positions: learned", "tie: all")),
              HasSubstr("model.encoder.positions: only sinusoidal ones"));
  for (const char* norm : {"deep", "admin"}) {
    const std::string deep = transformer(fmt::format("norm: {}", norm), "tie: all");
    const auto reason =
        HasSubstr(fmt::format("model.encoder.norm is {}, expected pre or post", norm));
    EXPECT_THAT(by_hf(deep), reason);
    EXPECT_THAT(by_ctranslate2(deep), reason);
  }
  for (const char* light : {"ssru", "average"}) {
    const std::string student = fmt::format(
        "{{embedding: {{width: 8}}, encoder: {{type: transformer, width: 8}}, decoder: "
        "{{type: transformer, width: 8, self_attention: {}}}}}",
        light);
    for (const std::string& refused : {by_hf(student), by_ctranslate2(student)})
      EXPECT_THAT(refused,
                  AllOf(HasSubstr(fmt::format("self_attention.type is {}, expected staged", light)),
                        HasSubstr("heed export marian"), HasSubstr("heed pack")));
  }
  const std::string heads = ", self_attention: {score: scaled_dot, heads: 4}";
  EXPECT_THAT(by_ctranslate2("{embedding: {width: 8}, encoder: {type: transformer, width: 12, "
                             "self_attention: {score: scaled_dot, heads: 2}}, decoder: {type: "
                             "transformer, width: 8" +
                             heads + ", attention: {score: scaled_dot, heads: 2}}}"),
              AllOf(HasSubstr("8, 12 and 8 wide"), HasSubstr("4 heads of self-attention and 2")));
  for (const char* attention :
       {"none", "{score: scaled_dot, heads: 1}",
        "{score: scaled_dot, heads: 2, key_value_heads: 1}",
        "{score: scaled_dot, heads: 2, terms: [alibi]}",
        "{score: scaled_dot, heads: 2, read: relative}", "{score: rotary, heads: 2}",
        "{score: {type: scaled_dot, width: 4}, heads: 2}"}) {
    const std::string model =
        transformer(fmt::format("self_attention_by_layer: {{1: {}}}", attention), "tie: all");
    EXPECT_THAT(by_ctranslate2(model), HasSubstr("heed inspect --config shows it")) << attention;
    EXPECT_THAT(by_hf(model), HasSubstr("heed inspect --config shows it")) << attention;
  }
  for (const char* decoder :
       {", self_attention_by_layer: {2: ssru}", ", attention_by_layer: {1: none}",
        ", attention_by_layer: {1: {score: scaled_dot, heads: 1}}", ", alignment: {layer: 1}",
        ", alignment: {heads: [1]}"}) {
    const std::string model = transformer("norm: post", "tie: all", decoder);
    EXPECT_THAT(by_ctranslate2(model), HasSubstr("heed inspect --config shows it")) << decoder;
    EXPECT_THAT(by_hf(model), HasSubstr("heed inspect --config shows it")) << decoder;
  }
  LoadedModel without_end = model_of(transformer("norm: post", "tie: all"));
  without_end.config.model.source_end = false;
  EXPECT_THAT(refusal([&] { export_hf(without_end, folder.path()); }),
              HasSubstr("model.source_end is false"));
  EXPECT_THAT(folder.names(), testing::IsEmpty());
}

// The bias of tokens that are never generated differs, because CTranslate2 has no list of them.
TEST(ExportedToCTranslate2, ComesBackWithTheSameParameters) {
  holds({"heed import ctranslate2", "heed export ctranslate2"});
  for (const std::string& config :
       {transformer("norm: pre, activation: gated", "tie: all"),
        transformer("norm: post, activation: silu", "tie: none"),
        transformer("norm: post, activation: gelu, scale_embedding: false", "tie: target"),
        transformer("norm: pre, positions: {type: learned, max_positions: 30}", "tie: all"),
        transformer("norm: pre, positions: none", "tie: all"),
        transformer("norm: pre, positions: {type: sinusoidal, layout: halves}", "tie: all"),
        transformer("norm: pre, positions: {type: sinusoidal, layout: fairseq}", "tie: all"),
        transformer("norm: pre, positions: {type: sinusoidal, layout: opennmt_tf}", "tie: all"),
        transformer("norm: pre, positions: {type: sinusoidal, layout: marian}", "tie: all")}) {
    const LoadedModel model = model_of(config);
    const TemporaryFolder folder;
    export_ctranslate2(model, folder.path());
    const LoadedModel again = import_ctranslate2(folder.path());
    const NamedTensors before = tensors_of(*model.network), now = tensors_of(*again.network);
    ASSERT_EQ(before.size(), now.size()) << config;
    for (const auto& [name, tensor] : before) {
      const Tensor found = now.at(name).clone();
      if (name == "output.bias") {
        for (const int64_t id : {kPad, kBegin}) found[id] = tensor[id];
      }
      EXPECT_TRUE(tensor.equal(found)) << name << " of " << config;
    }
    EXPECT_EQ(model.codecs.at("source")->vocabulary(), again.codecs.at("source")->vocabulary());
  }
}

// Each weight of a layer or embedding has an error of half a step of its output, all else none.
TEST(ExportedToCTranslate2, ComesBackRoundedFromInt8) {
  holds({"heed export ctranslate2", "--precision"});
  for (const char* tie : {"tie: all", "tie: none"}) {
    const LoadedModel model = model_of(transformer("norm: pre, activation: gated", tie));
    const TemporaryFolder folder, exact;
    export_ctranslate2(model, folder.path(), Precision::kInt8);
    export_ctranslate2(model, exact.path());
    EXPECT_LT(fs::file_size(folder / "model.bin"), fs::file_size(exact / "model.bin"));
    const NamedTensors before = tensors_of(*import_ctranslate2(exact.path()).network),
                       now = tensors_of(*import_ctranslate2(folder.path()).network);
    ASSERT_EQ(before.size(), now.size());
    for (const auto& [name, tensor] : before) {
      if (tensor.dim() < 2 || name.ends_with("positions.table")) {
        EXPECT_TRUE(now.at(name).equal(tensor)) << name;
        continue;
      }
      const Tensor steps = tensor.abs().amax(-1, true) / 127;
      EXPECT_TRUE(((now.at(name) - tensor).abs() <= 0.501 * steps).all().item<bool>()) << name;
      EXPECT_FALSE(now.at(name).equal(tensor)) << name;
    }
  }
}

TEST(ExportedToCTranslate2, SaysWhetherASourceEnds) {
  for (const bool ends : {false, true}) {
    const TemporaryFolder folder;
    LoadedModel model = model_of(transformer("norm: pre", "tie: all"));
    model.config.model.source_end = ends;
    export_ctranslate2(model, folder.path());
    EXPECT_EQ(nlohmann::json::parse(read_plainly(folder / "config.json"))["add_source_eos"], ends);
  }
}

// Variables of a model.bin: name, type and shape, or "= name" for an alias; read as in
// python/ctranslate2/specs/model_spec.py.
std::set<std::string> variables_of(const std::filesystem::path& path) {
  const std::string bytes = read_plainly(path);
  size_t at = 0;
  const auto number = [&](size_t size) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i)
      value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes.at(at + i))) << (8 * i);
    at += size;
    return value;
  };
  const auto text = [&] {
    const size_t size = number(2);
    at += size;
    return bytes.substr(at - size, size - 1);
  };
  std::set<std::string> variables;
  EXPECT_EQ(number(4), 6);
  variables.insert(text());
  EXPECT_EQ(number(4), 7);
  for (uint64_t left = number(4); left > 0; --left) {
    std::string variable = text();
    std::vector<uint64_t> shape(number(1));
    for (uint64_t& size : shape) size = number(4);
    variable += fmt::format(" {} [{}]", number(1), fmt::join(shape, ","));
    at += number(4);
    variables.insert(variable);
  }
  for (uint64_t left = number(4); left > 0; --left) {
    const std::string alias = text();
    variables.insert(alias + " = " + text());
  }
  EXPECT_EQ(at, bytes.size());
  return variables;
}

// Expected variables follow the specification of CTranslate2
// (scripts/fixtures/ctranslate2_variables.py).
TEST(ExportedToCTranslate2, HasTheVariablesOfItsSpecification) {
  for (const auto& [name, config] :
       {std::pair{"pre", transformer("norm: pre, activation: gated", "tie: all")},
        {"post", transformer("norm: post, activation: silu", "tie: none")}}) {
    const TemporaryFolder folder;
    export_ctranslate2(model_of(config), folder.path());
    const std::string file =
        read_plainly(exchange_fixture(fmt::format("ctranslate2_{}.txt", name)));
    std::set<std::string> expected;
    std::istringstream lines(file);
    for (std::string line; std::getline(lines, line);) expected.insert(line);
    EXPECT_EQ(variables_of(folder / "model.bin"), expected) << name;
  }
}

}  // namespace
}  // namespace heed
