#include "exchange/hf_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "exchange/ctranslate2_export.h"
#include "exchange/fixtures.h"
#include "exchange/hf_export.h"
#include "exchange/log_probs.h"
#include "holds.h"
#include "one_thread.h"

namespace heed {
namespace {

using nlohmann::json;

int32_t own_id(const Vocabulary& vocabulary, const std::string& token) {
  if (token == "</s>") return kEnd;
  return vocabulary.id(token);
}

// Of the fixtures with languages.
HfLanguages languages_of(const std::string& name) {
  if (name == "m2m") return {"en", "de"};
  if (name == "nllb") return {"eng_Latn", "deu_Latn"};
  return {};
}

class ImportedModels : public testing::TestWithParam<std::string> {
 protected:
  const LoadedModel model_ = import_hf(exchange_fixture(GetParam()), languages_of(GetParam()));
  const json expected_ = expected_by_toolkit(GetParam());
  const Vocabulary& target() const { return model_.codecs.at("target")->vocabulary(); }
};
INSTANTIATE_TEST_SUITE_P(All, ImportedModels,
                         testing::Values("marian", "separate", "pegasus", "m2m", "nllb"),
                         [](const auto& name) { return name.param; });

// In differences to the logit of the end, which the softmax leaves as they are.
TEST_P(ImportedModels, HaveTheLogitsOfTransformers) {
  holds({"heed import hf"});
  const std::vector<std::string> tokens = expected_["tokens"];
  const auto end = static_cast<size_t>(std::ranges::find(tokens, "</s>") - tokens.begin());
  for (const json& one : expected_["cases"]) {
    const Ids source = model_.codecs.at("source")->encode(one["source"].get<std::string>());
    Ids ids;
    for (const int64_t id : one["target_ids"]) ids.push_back(own_id(target(), tokens.at(id)));
    ids.pop_back();  // the end
    const Tensor found = log_probs_of(model_, source, ids);
    ASSERT_EQ(found.size(0), std::ssize(one["logits"]));
    for (int64_t t = 0; t < found.size(0); ++t) {
      const std::vector<double> logits = one["logits"][t];
      for (size_t id = 0; id < tokens.size(); ++id) {
        if (tokens[id] == "<pad>") continue;
        const double own = (found[t][own_id(target(), tokens[id])] - found[t][kEnd]).item<double>();
        EXPECT_NEAR(own, logits[id] - logits[end], 1e-4) << t << " " << tokens[id];
      }
    }
  }
}

// A target begins with the padding token there, and with a token of its own here.
TEST_P(ImportedModels, NeverGenerateTheBeginning) {
  const Tensor found = log_probs_of(model_, {5, 6}, {7});
  EXPECT_LT(found.select(1, kBegin).max().item<double>(), -50);
  const bool renormalizes = GetParam() == "marian";
  EXPECT_EQ(found.select(1, kPad).max().item<double>() < -50, renormalizes);
}

using ExportedModels = ImportedModels;  // those with languages are not: LanguageModels
INSTANTIATE_TEST_SUITE_P(All, ExportedModels, testing::Values("marian", "separate", "pegasus"),
                         [](const auto& name) { return name.param; });

TEST_P(ExportedModels, ComeBackFromTheirExport) {
  holds({"heed export hf"});
  const TemporaryFolder folder;
  export_hf(model_, folder.path());
  const LoadedModel again = import_hf(folder.path());
  const NamedTensors before = tensors_of(*model_.network), now = tensors_of(*again.network);
  ASSERT_EQ(before.size(), now.size());
  for (const auto& [name, tensor] : before) EXPECT_TRUE(tensor.equal(now.at(name))) << name;
  for (const char* side : {"source", "target"})
    EXPECT_EQ(model_.codecs.at(side)->vocabulary(), again.codecs.at(side)->vocabulary()) << side;
}

// A copy of a fixture with one file changed.
class ChangedFolders : public testing::Test {
 protected:
  explicit ChangedFolders(const std::string& name = "marian") : languages_(languages_of(name)) {
    std::filesystem::copy(exchange_fixture(name), folder_.path(),
                          std::filesystem::copy_options::recursive);
  }
  void change(const std::string& file, const json& value) {
    std::ofstream(folder_ / file) << value;
  }
  json read(const std::string& file) const {
    std::ifstream stream(folder_ / file);
    return json::parse(stream);
  }
  void expect_refused(const std::string& part) {
    EXPECT_ERROR(import_hf(folder_.path(), languages_), ErrorKind::kModel, part);
  }
  TemporaryFolder folder_;
  HfLanguages languages_;
};

TEST_F(ChangedFolders, OfAnotherArchitectureSayAllThatIsOther) {
  json config = read("config.json");
  config["model_type"] = "t5";
  config["activation_function"] = "gelu_new";
  config.erase("d_model");
  change("config.json", config);
  expect_refused("model_type is 't5', expected one of marian, pegasus, m2m_100");
  expect_refused("activation_function is 'gelu_new', expected relu, gelu or swish");
  expect_refused("d_model is missing");
}

TEST_F(ChangedFolders, OfAnotherSizeNameTheParameter) {
  json config = read("config.json");
  config["encoder_ffn_dim"] = 5;
  change("config.json", config);
  expect_refused("model.encoder.layers.0.fc1.weight is [12,8], expected [5,8] by config.json");
  config["encoder_ffn_dim"] = 12;
  config["encoder_layers"] = 0;
  change("config.json", config);
  expect_refused("layers");
  config["encoder_layers"] = 2;
  change("config.json", config);
  expect_refused("model.encoder.layers.1.self_attn.q_proj.weight is missing");
}

TEST_F(ChangedFolders, WithOtherVocabulariesSayWhatIsWrong) {
  json tokens = read("vocab.json");
  tokens["more"] = 500;
  change("vocab.json", tokens);
  expect_refused("has the id 500, but the embeddings");
  tokens["more"] = tokens["<unk>"];
  change("vocab.json", tokens);
  expect_refused("expected a number of its own");
  change("vocab.json", json::parse("[1]"));
  expect_refused("expected an object of tokens and their ids");
  std::ofstream(folder_ / "vocab.json") << "{";
  expect_refused("is no JSON");
}

TEST_F(ChangedFolders, WithoutParametersOrConfigSayWhatIsExpected) {
  std::filesystem::remove(folder_ / "model.safetensors");
  expect_refused("has none of model.safetensors, model.safetensors.index.json, pytorch_model.bin");
  std::ofstream(folder_ / "pytorch_model.bin") << "PK";
  expect_refused("pytorch_model.bin");
  std::filesystem::remove(folder_ / "config.json");
  expect_refused("expected a model folder of transformers");
}

// What heed has as a special token is kept under another name.
TEST_F(ChangedFolders, WithATokenThatHeedCannotHaveKeepItsRow) {
  json tokens = read("vocab.json");
  const int64_t id = tokens["▁a"];
  tokens.erase("▁a");
  tokens["<s>"] = id;
  change("vocab.json", tokens);
  const LoadedModel model = import_hf(folder_.path());
  EXPECT_NE(model.codecs.at("target")->vocabulary().id(fmt::format("<id:{}>", id)), kUnknown);
}

TEST_P(ImportedModels, BeginTheTextWithItsLanguage) {
  const HfLanguages languages = languages_of(GetParam());
  for (const auto& [side, code] :
       {std::pair{"source", languages.source}, {"target", languages.target}}) {
    const Codec& codec = *model_.codecs.at(side);
    const std::string token = code.empty() ? "" : fmt::format(">>{}<<", code);
    EXPECT_EQ(codec.tokenizer().opening(), token);
    if (code.empty()) continue;
    const Ids ids = codec.encode("der Hund");
    EXPECT_EQ(codec.vocabulary().piece(ids.front()), token);
    EXPECT_EQ(codec.decode(ids), "der Hund");
    EXPECT_TRUE(codec.encode("").empty());
  }
}

using JointModels = ImportedModels;  // one vocabulary, whose tokens the fixture has
INSTANTIATE_TEST_SUITE_P(All, JointModels, testing::Values("marian", "pegasus", "m2m", "nllb"),
                         [](const auto& name) { return name.param; });

TEST_P(JointModels, EncodeTheSourceAsTransformers) {
  const std::vector<std::string> tokens = expected_["tokens"];
  const Codec& codec = *model_.codecs.at("source");
  for (const json& one : expected_["cases"]) {
    Ids ids;
    for (const int64_t id : one["source_ids"])
      ids.push_back(own_id(codec.vocabulary(), tokens.at(id)));
    ids.pop_back();  // the end
    EXPECT_EQ(codec.encode(one["source"].get<std::string>()), ids);
  }
}

struct LanguageModels : ChangedFolders {
  LanguageModels() : ChangedFolders("nllb") {}
  void expect_usage(const HfLanguages& languages, const std::string& part) const {
    EXPECT_ERROR(import_hf(folder_.path(), languages), ErrorKind::kUsage, part);
  }
  std::vector<std::string> codes() const { return read_language_tokens(folder_.path()).codes; }
};

TEST_F(LanguageModels, WantTwoLanguagesOfTheirs) {
  expect_usage({}, "--source-language is missing and --target-language is missing");
  expect_usage({"eng_Latn", "de"},
               "--target-language is 'de', expected codes of its languages: deu_Latn eng_Latn");
  EXPECT_ERROR(import_hf(exchange_fixture("marian"), languages_), ErrorKind::kUsage,
               "a model of type marian has no --source-language");
}

TEST_F(LanguageModels, FindTheirLanguagesInAnyOfTheFilesThatListThem) {
  const std::vector<std::string> expected = {"deu_Latn", "eng_Latn", "rus_Cyrl"};
  EXPECT_EQ(codes(), expected);
  std::filesystem::remove(folder_ / "tokenizer.json");
  change("tokenizer_config.json", {{"added_tokens_decoder",
                                    {{"84", {{"content", "rus_Cyrl"}}},
                                     {"82", {{"content", "deu_Latn"}}},
                                     {"83", {{"content", "eng_Latn"}}}}}});
  EXPECT_EQ(codes(), expected);
  change("tokenizer_config.json", {{"additional_special_tokens", {"<mask>", "rus_Cyrl"}}});
  EXPECT_THAT(codes(), testing::ElementsAre("rus_Cyrl"));
  change("tokenizer_config.json", json::object());
  change("special_tokens_map.json",
         {{"additional_special_tokens", {{{"content", "deu_Latn"}}, "eng_Latn"}}});
  EXPECT_THAT(codes(), testing::ElementsAre("deu_Latn", "eng_Latn"));
  std::filesystem::remove(folder_ / "special_tokens_map.json");
  expect_refused("lists languages, expected codes such as eng_Latn");
}

TEST_F(LanguageModels, WithFilesThatDoNotFitSayWhatIsWrong) {
  json tokenizer = read("tokenizer.json");
  tokenizer["added_tokens"].push_back({{"id", 82}, {"content", "fra_Latn"}});
  change("tokenizer.json", tokenizer);
  expect_refused("the language fra_Latn has the id 82, expected one of its own");
  change("tokenizer_config.json", {{"legacy_behaviour", true}});
  expect_refused("legacy_behaviour is true");
  change("tokenizer_config.json", json::object());
  std::filesystem::remove(folder_ / "sentencepiece.bpe.model");
  expect_refused("has no sentencepiece.bpe.model");
}

TEST_F(LanguageModels, AreNotExported) {
  const LoadedModel model = import_hf(folder_.path(), languages_);
  const TemporaryFolder folder;
  EXPECT_ERROR(export_hf(model, folder.path()), ErrorKind::kUsage, "text.target.language");
  EXPECT_ERROR(export_ctranslate2(model, folder.path()), ErrorKind::kUsage, "text.target.language");
}

}  // namespace
}  // namespace heed
