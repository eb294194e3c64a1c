#include "exchange/imports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>
#include <set>

#include "nn/torch.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/temporary_folder.h"
#include "captured_log.h"
#include "exchange/exports.h"
#include "exchange/fixtures.h"
#include "exchange/log_probs.h"
#include "holds.h"
#include "inference/engine_shape.h"
#include "model/parameter_names_spec.h"
#include "model/safetensors.h"
#include "nn/positions.h"
#include "one_thread.h"
#include "search/search.h"
#include "translate/forced_scores.h"

namespace heed {
namespace {

using nlohmann::json;

// Language pair of the fixtures that have languages.
HfLanguages languages_of(const std::string& name) {
  if (name == "m2m") return {"en", "de"};
  if (name == "nllb") return {"eng_Latn", "deu_Latn"};
  if (name == "mbart" || name == "mbart_cc25") return {"en_XX", "de_DE"};
  return {};
}

class ImportedModels : public testing::TestWithParam<std::string> {
 protected:
  const LoadedModel model_ = import_hf(exchange_fixture(GetParam()), languages_of(GetParam()));
  const json expected_ = expected_by_toolkit(GetParam());
  const Vocabulary& target() const { return model_.codecs.at("target")->vocabulary(); }
};
INSTANTIATE_TEST_SUITE_P(All, ImportedModels,
                         testing::Values("marian", "separate", "pegasus", "m2m", "nllb", "t5",
                                         "t5_gated", "umt5", "bart", "bart_text", "mbart",
                                         "mbart_cc25"),
                         [](const auto& name) { return name.param; });

// Sums of float32 differ by up to 5e-5 with the library of products and the processor.
constexpr double kClose = 1e-4;

// Compares the differences to the logit of </s>, which the softmax leaves as they are.
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
        EXPECT_NEAR(own, logits[id] - logits[end], kClose) << t << " " << tokens[id];
      }
    }
  }
}

// Log-probabilities by softmax, without tokens that heed never generates.
TEST_P(ImportedModels, HaveTheLogProbabilitiesOfTransformersWithoutLibtorch) {
  const TemporaryFolder folder;
  SavedModelConfig config = model_.config;
  save_model(folder.path(), config, model_.codecs, *model_.network);
  const auto saved = load_engine(folder.path(), std::nullopt);
  ASSERT_TRUE(saved);
  const std::vector<std::string> tokens = expected_["tokens"];
  // The float32 of transformers itself differs from float64 by up to 4.6e-5 here.
  const double tolerance = GetParam() == "umt5" ? 2e-5 : 1e-5;
  for (const json& one : expected_["cases"]) {
    Example source;
    source.sources = {model_.codecs.at("source")->encode(one["source"].get<std::string>())};
    const std::vector<size_t> target = one["target_ids"];
    Ids ids;
    for (const size_t id : target) ids.push_back(own_id(this->target(), tokens.at(id)));
    const auto end = static_cast<size_t>(std::ranges::find(ids, kEnd) - ids.begin());
    ids.resize(std::min(end, ids.size()));
    const TargetScore found = forced_scores(*saved->engine, {&source}, {ids}).front();
    ASSERT_EQ(found.log_probabilities.size(), ids.size() + 1);
    for (size_t t = 0; t < ids.size(); ++t) {
      double sum = 0;
      const std::vector<double> logits = one["logits"][t];
      for (size_t id = 0; id < logits.size(); ++id)
        sum += GetParam() == "marian" && tokens[id] == "<pad>" ? 0 : std::exp(logits[id]);
      EXPECT_NEAR(found.log_probabilities[t], logits[target[t]] - std::log(sum), tolerance) << t;
    }
  }
}

// Models whose fixture has the text of greedy search too.
using SearchedModels = ImportedModels;
INSTANTIATE_TEST_SUITE_P(All, SearchedModels,
                         testing::Values("t5", "t5_gated", "umt5", "bart", "bart_text", "mbart",
                                         "mbart_cc25"),
                         [](const auto& name) { return name.param; });

TEST_P(SearchedModels, FindTheTextOfTransformersWithoutLibtorch) {
  const TemporaryFolder folder;
  SavedModelConfig config = model_.config;
  save_model(folder.path(), config, model_.codecs, *model_.network);
  const auto saved = load_engine(folder.path(), std::nullopt);
  ASSERT_TRUE(saved);
  const Codec& codec = *model_.codecs.at("target");
  for (const json& one : expected_["cases"]) {
    Example source;
    source.sources = {model_.codecs.at("source")->encode(one["source"].get<std::string>())};
    for (const int64_t beam : {1, 4}) {
      Request request{.source = source, .config = config.search};
      request.config.beam = beam;
      request.suppressed = suppressed_tokens(request.config, codec.vocabulary());
      if (const auto language = codec.opening()) {
        request.prefix = {*language};
        request.given = 1;
      }
      const Hypothesis best = search(*saved->engine, {request}).front().front();
      EXPECT_EQ(codec.decode(best.ids), one[beam == 1 ? "greedy" : "text"].get<std::string>())
          << one["source"] << " " << beam;
      if (beam == 4) {
        EXPECT_NEAR(best.score, one["score"].get<double>(), 1e-5) << one["source"];
      }
    }
  }
}

// transformers begins a target with the padding token, heed with a special token.
TEST_P(ImportedModels, NeverGenerateTheBeginning) {
  const Tensor found = log_probs_of(model_, {5, 6}, {7});
  EXPECT_LT(found.select(1, kBegin).max().item<double>(), -50);
  const bool renormalizes = GetParam() == "marian";
  EXPECT_EQ(found.select(1, kPad).max().item<double>() < -50, renormalizes);
}

using ExportedModels = ImportedModels;  // without languages: see LanguageModels
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

// Copy of a fixture with one file changed.
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
  // Sets a key of a JSON file; null removes it.
  void set(const std::string& file, const std::string& key, const json& value) {
    json all = read(file);
    if (value.is_null())
      all.erase(key);
    else
      all[key] = value;
    change(file, all);
  }
  std::string log_of_import() {
    CapturedLog log;
    import_hf(folder_.path(), languages_);
    return log.end();
  }
  void expect_refused(const std::string& part) {
    EXPECT_ERROR(import_hf(folder_.path(), languages_), ErrorKind::kModel, part);
  }
  TemporaryFolder folder_;
  HfLanguages languages_;
};

TEST_F(ChangedFolders, OfAnotherArchitectureSayAllThatIsOther) {
  json config = read("config.json");
  config["model_type"] = "led";
  config["activation_function"] = "gelu_new";
  config.erase("d_model");
  change("config.json", config);
  expect_refused(
      "model_type is 'led', expected one of marian, pegasus, m2m_100, bart, mbart, t5, "
      "mt5, umt5");
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

// The config asks for gigabytes, the file has kilobytes: no memory is allocated before shapes are
// compared.
TEST_F(ChangedFolders, OfASizeThatTheFileHasNotTakeNoMemory) {
  const json usual = read("config.json");
  const double before = resident_memory();
  for (const auto& [key, number, part] :
       {std::tuple{"d_model", 1'000'000, "[1000000,1000000] by config.json"},
        std::tuple{"encoder_ffn_dim", 1'000'000, "[1000000,8] by config.json"},
        std::tuple{"decoder_layers", 1000, "is missing"},
        std::tuple{"vocab_size", 1'000'000'000, "expected [1000000000,8] by config.json"}}) {
    json config = usual;
    config[key] = number;
    change("config.json", config);
    expect_refused(part);
  }
  constexpr double kMuch = 1e9;
  EXPECT_LT(resident_memory() - before, kMuch);
}

TEST_F(ChangedFolders, WithOtherVocabulariesSayWhatIsWrong) {
  json tokens = read("vocab.json");
  tokens["more"] = 500;
  change("vocab.json", tokens);
  expect_refused("has the id 500, but the embeddings");
  tokens["more"] = tokens["<unk>"];
  change("vocab.json", tokens);
  expect_refused("expected a number that no other has");
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

TEST_F(ChangedFolders, WithIdsOfAnotherVocabularySaySo) {
  json config = read("config.json");
  config["eos_token_id"] = 1;
  change("config.json", config);
  expect_refused("eos_token_id is 0 in generation_config.json, expected 1 as in config.json");
  std::filesystem::remove(folder_ / "generation_config.json");
  expect_refused("eos_token_id is 1, which is '<unk>', expected </s>");
}

TEST_F(ChangedFolders, WithTokensAsObjectsAreRead) {
  change("tokenizer_config.json", {{"unk_token", {{"content", "<unk>"}, {"special", true}}},
                                   {"eos_token", {{"content", "</s>"}}}});
  EXPECT_NO_THROW(import_hf(folder_.path()));
  change("tokenizer_config.json", {{"unk_token", {{"content", "<none>"}}}});
  expect_refused("has no <none>");
  change("tokenizer_config.json", {{"unk_token", 5}});
  expect_refused("unk_token is 5, expected a token");
}

TEST_F(ChangedFolders, WithNumbersOutOfRangeNameAllOfThem) {
  json generation = read("generation_config.json");
  generation["num_beams"] = 0;
  generation["length_penalty"] = -1.5;
  generation["repetition_penalty"] = 0;
  generation["max_length"] = 2;
  generation["min_new_tokens"] = -1;
  change("generation_config.json", generation);
  expect_refused("num_beams is 0, expected a whole number from 1 to 1000");
  expect_refused("length_penalty is -1.5, expected a number from 0 to 100");
  expect_refused("repetition_penalty is 0, expected a number above 0");
  expect_refused("max_length is 2, expected a whole number at least 3");
  expect_refused("min_new_tokens is -1, expected a whole number from 0");
}

TEST_F(ChangedFolders, ThatEndWithSeveralTokensAreRefused) {
  json generation = read("generation_config.json");
  generation["eos_token_id"] = {0, 5};
  change("generation_config.json", generation);
  expect_refused("eos_token_id is [0,5], expected one id");
  generation["eos_token_id"] = {0};
  generation["forced_bos_token_id"] = 5;
  change("generation_config.json", generation);
  expect_refused("forced_bos_token_id is 5, which is '");
  generation.erase("forced_bos_token_id");
  generation["suppress_tokens"] = {5, 1000};
  change("generation_config.json", generation);
  expect_refused("has the id 1000, but the embeddings 61 rows");
}

// transformers counts the language as a new token.
TEST_F(ChangedFolders, ThatForceALanguageHaveOneNewTokenLess) {
  set("generation_config.json", "min_new_tokens", 4);
  EXPECT_EQ(import_hf(folder_.path()).config.search.min_new_tokens, 4);
  set("generation_config.json", "forced_bos_token_id", read("vocab.json")[">>deu<<"]);
  EXPECT_EQ(import_hf(folder_.path()).config.search.min_new_tokens, 3);
}

// A token that begins every target is one of the text too.
TEST_F(ChangedFolders, ThatBeginWithATokenOfTheTextKeepIt) {
  for (const char* file : {"config.json", "generation_config.json"})
    set(file, "decoder_start_token_id", read("vocab.json")["K"]);
  const LoadedModel model = import_hf(folder_.path());
  const Vocabulary& target = model.codecs.at("target")->vocabulary();
  const int32_t id = target.id("K");
  ASSERT_NE(id, kUnknown);
  const Tensor table = tensors_of(*model.network).at(names::kTargetEmbedding);
  EXPECT_TRUE(table[id].equal(table[kBegin]));
  const Tensor found = log_probs_of(model, {5, 6}, {7});
  EXPECT_LT(found.select(1, kBegin).max().item<double>(), -50);
  EXPECT_GT(found.select(1, id).min().item<double>(), -50);
}

TEST_F(ChangedFolders, OfAnotherTokenizerNameIt) {
  EXPECT_EQ(log_of_import().find("tokenizer_class"), std::string::npos);
  change("tokenizer_config.json",
         {{"tokenizer_class", "OtherTokenizer"}, {"auto_map", {{"AutoTokenizer", {"x.Other"}}}}});
  EXPECT_THAT(log_of_import(),
              testing::AllOf(testing::HasSubstr("tokenizer_class is OtherTokenizer, expected "
                                                "MarianTokenizer"),
                             testing::HasSubstr("left out: auto_map")));
}

TEST_F(ChangedFolders, OfSeveralTargetLanguagesNameTheirCodes) {
  EXPECT_THAT(log_of_import(),
              testing::HasSubstr("begins with the code of its target language: >>deu<<"));
}

TEST_F(ChangedFolders, WithOneTableWhereTheConfigHasTwoAreRefused) {
  set("config.json", "share_encoder_decoder_embeddings", false);
  expect_refused("model.decoder.embed_tokens.weight is missing");
}

TEST_F(ChangedFolders, WithWholeNumbersAsWeightsAreRefused) {
  const std::string file = folder_ / "model.safetensors",
                    name = "model.encoder.layers.0.fc1.weight";
  NamedTensors tensors = read_safetensors(file);
  for (const auto type : {torch::kLong, torch::kBool}) {
    tensors[name] = torch::ones({12, 8}, type);
    write_safetensors(file, tensors, {});
    expect_refused(name + " has whole numbers, expected float32");
  }
}

TEST_F(ChangedFolders, WithNumbersThatAreNotFiniteNameTheTensor) {
  const std::string file = folder_ / "model.safetensors";
  const NamedTensors usual = read_safetensors(file);
  for (const char* name : {"model.shared.weight", "model.decoder.layers.0.fc2.bias"}) {
    for (const double value : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
      NamedTensors tensors = usual;
      tensors[name] = usual.at(name).clone();
      tensors[name].view(-1)[3] = value;
      write_safetensors(file, tensors, {});
      expect_refused(std::string(name) + " has numbers that are not finite");
    }
  }
}

// The file has tensors besides the parameters that are imported.
TEST_F(ChangedFolders, WithTensorsThatAreNotUsedAreRefusedUnlessTheyAreCopies) {
  const std::string file = folder_ / "model.safetensors";
  const NamedTensors usual = read_safetensors(file);
  const auto write = [&](const std::string& name, const Tensor& tensor) {
    NamedTensors tensors = usual;
    tensors[name] = tensor;
    write_safetensors(file, tensors, {});
  };
  const std::string positions = "model.encoder.embed_positions.weight";
  const Tensor table = sinusoids(64, 8, torch::kFloat, SinusoidLayout::kHalves),
               shared = usual.at("model.shared.weight");
  write(positions, table);
  EXPECT_NO_THROW(import_hf(folder_.path()));
  write(positions, table.to(torch::kHalf).to(torch::kFloat));
  EXPECT_NO_THROW(import_hf(folder_.path()));
  Tensor trained = table.clone();
  trained[5][3] += 0.1;
  write(positions, trained);
  expect_refused(positions + " holds other numbers than sines and cosines");
  for (const char* copy : {"lm_head.weight", "model.encoder.embed_tokens.weight"}) {
    write(copy, shared.clone());
    EXPECT_NO_THROW(import_hf(folder_.path()));
    write(copy, shared + 1e-3);
    expect_refused(std::string(copy) + " differs from model.shared.weight");
  }
  write("model.encoder.layernorm_embedding.weight", torch::ones({8}));
  expect_refused("1 parameters are of another architecture: model.encoder.layernorm_embedding");
}

// A special token of heed is kept under another name.
TEST_F(ChangedFolders, WithATokenThatHeedCannotHaveKeepItsRow) {
  json tokens = read("vocab.json");
  const int64_t id = tokens["▁a"];
  tokens.erase("▁a");
  tokens["<s>"] = id;
  change("vocab.json", tokens);
  const LoadedModel model = import_hf(folder_.path());
  EXPECT_NE(model.codecs.at("target")->vocabulary().id(fmt::format("<id:{}>", id)), kUnknown);
}

TEST_F(ChangedFolders, WithAddedTokensHaveTheirNames) {
  const json all = read("vocab.json");
  json tokens = all;
  for (const auto& [token, id] : all.items()) {
    if (id == 59) tokens.erase(token);
  }
  change("vocab.json", tokens);
  const auto has = [this](const std::string& token) {
    return import_hf(folder_.path()).codecs.at("target")->vocabulary().id(token) != kUnknown;
  };
  EXPECT_FALSE(has("<sep>"));
  const json config = read("tokenizer_config.json");
  json other = config;
  other["added_tokens_decoder"] = {{"59", {{"content", "<sep>"}}}, {"0", {{"content", "</s>"}}}};
  change("tokenizer_config.json", other);
  EXPECT_TRUE(has("<sep>"));
  change("tokenizer_config.json", config);
  change("added_tokens.json", {{"<sep>", 59}});
  EXPECT_TRUE(has("<sep>"));
  change("added_tokens.json", {{"<sep>", 5}});
  expect_refused(
      "the id 5 is that of 'K', but by added_tokens.json or tokenizer_config.json of '<sep>'");
  for (const json& id : {json("59"), json(-59), json(59.0)}) {
    change("added_tokens.json", {{"<sep>", id}});
    expect_refused("the id of the added token '<sep>' is " + id.dump());
  }
  change("added_tokens.json", {{"<sep>", 500}});
  expect_refused("has the id 500, but the embeddings 61 rows");
}

struct ManyLanguages : ChangedFolders {
  ManyLanguages() : ChangedFolders("m2m") {}
};

// The tokenizer numbers the languages from the end of vocab.json.
TEST_F(ManyLanguages, WithALanguageInAnotherRowAreRefused) {
  const int64_t id = std::ssize(read("vocab.json")) + 18;  // of en, by the list of the tokenizer
  change("added_tokens.json", {{"__en__", id}});
  EXPECT_NO_THROW(import_hf(folder_.path(), languages_));
  change("added_tokens.json", {{"__en__", id + 1}});
  expect_refused(
      fmt::format("the added token __en__ has the id {}, but {} by vocab.json", id + 1, id));
}

// The defaults of M2M100Config.
TEST_F(ManyLanguages, ScaleTheEmbeddingsUnlessTheConfigSaysOtherwise) {
  const auto computed = [this] {
    return log_probs_of(import_hf(folder_.path(), languages_), {5, 6}, {7});
  };
  const Tensor usual = computed();
  set("config.json", "scale_embedding", nullptr);
  EXPECT_TRUE(computed().equal(usual));
  set("config.json", "share_encoder_decoder_embeddings", false);  // only of MarianMTModel
  EXPECT_TRUE(computed().equal(usual));
  set("config.json", "scale_embedding", false);
  EXPECT_FALSE(computed().equal(usual));
}

TEST_F(ManyLanguages, CountPositionsFromTheNumberBehindThePadding) {
  for (const char* file : {"config.json", "generation_config.json"}) set(file, "pad_token_id", 0);
  expect_refused("pad_token_id is 0, expected 1: positions are counted");
}

TEST_F(ManyLanguages, OfAnUnknownListAreRefused) {
  for (const json& list : {json("wmt22"), json({"en", "de"})}) {
    set("tokenizer_config.json", "language_codes", list);
    expect_refused("language_codes is " + list.dump() + ", expected m2m100 or wmt21");
  }
}

TEST_F(ManyLanguages, WithAddedTokensNameThem) {
  const int64_t id = std::ssize(read("vocab.json")) + 100;  // behind the languages
  change("added_tokens.json", {{"<sep>", id}, {"__de__", id - 84}});
  EXPECT_THAT(log_of_import(), testing::HasSubstr("does not look for the added tokens <sep> in"));
  EXPECT_NE(import_hf(folder_.path(), languages_).codecs.at("target")->vocabulary().id("<sep>"),
            kUnknown);
}

// The decoder begins with the end, which transformers bans too.
TEST_F(ManyLanguages, WarnWhereNoTokenMayBeRepeated) {
  set("generation_config.json", "no_repeat_ngram_size", 1);
  EXPECT_THAT(log_of_import(), testing::HasSubstr("no_repeat_ngram_size is 1; in transformers"));
}

using OpeningModels = ImportedModels;  // with a language before the text, or without one
INSTANTIATE_TEST_SUITE_P(All, OpeningModels,
                         testing::Values("marian", "separate", "pegasus", "m2m", "nllb", "t5",
                                         "bart", "mbart"),
                         [](const auto& name) { return name.param; });

TEST_P(OpeningModels, BeginTheTextWithItsLanguage) {
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

using JointModels = ImportedModels;  // models with one vocabulary, whose tokens the fixture lists
INSTANTIATE_TEST_SUITE_P(All, JointModels,
                         testing::Values("marian", "pegasus", "m2m", "nllb", "t5", "t5_gated",
                                         "umt5", "bart_text", "mbart", "mbart_cc25"),
                         [](const auto& name) { return name.param; });

TEST_P(JointModels, EncodeTheSourceAsTransformers) {
  const std::vector<std::string> tokens = expected_["tokens"];
  const Codec& codec = *model_.codecs.at("source");
  for (const json& one : expected_["cases"]) {
    Ids ids;
    for (const int64_t id : one["source_ids"])
      ids.push_back(own_id(codec.vocabulary(), tokens.at(id)));
    if (ids.back() == kEnd) ids.pop_back();  // which the model adds
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

TEST_F(LanguageModels, HaveAllDirectionsWithoutAChoice) {
  holds({"text.NAME.many_languages"});
  const LoadedModel open = import_hf(folder_.path()),
                    half = import_hf(folder_.path(), {"", "deu_Latn"});
  for (const char* side : {"source", "target"}) {
    EXPECT_TRUE(open.codecs.at(side)->tokenizer().needs_language()) << side;
    EXPECT_EQ(half.codecs.at(side)->tokenizer().needs_language(), side == std::string("source"));
  }
  EXPECT_EQ(half.config.target_language, "de");
  EXPECT_EQ(half.config.source_language, "");
  const Codec& codec = *open.codecs.at("source");
  EXPECT_EQ(codec.encode(">>eng_Latn<<old"),
            import_hf(folder_.path(), languages_).codecs.at("source")->encode("old"));
  const auto rus = read("tokenizer.json")["added_tokens"].back();
  ASSERT_EQ(rus["content"], "rus_Cyrl");
  set("generation_config.json", "forced_bos_token_id", rus["id"]);
  EXPECT_EQ(import_hf(folder_.path()).codecs.at("target")->tokenizer().opening(), ">>rus_Cyrl<<");
  EXPECT_THAT(log_of_import(), testing::HasSubstr("--target-language deu_Latn is used instead"));
  set("generation_config.json", "forced_bos_token_id", 5);
  languages_ = {};
  expect_refused("forced_bos_token_id is 5, expected the token of a language");
}

TEST_F(LanguageModels, WantLanguagesOfTheirs) {
  expect_usage({"eng_Latn", "de"},
               "--target-language is 'de', expected codes of its languages: deu_Latn eng_Latn");
  expect_usage({"eng_Lat", ""}, "rus_Cyrl; did you mean 'eng_Latn'?");
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
  expect_refused("the language fra_Latn has the id 82, expected one that no other language has");
  change("tokenizer_config.json", {{"legacy_behaviour", true}});
  expect_refused("legacy_behaviour is true");
  change("tokenizer_config.json", json::object());
  std::filesystem::remove(folder_ / "sentencepiece.bpe.model");
  expect_refused("has no sentencepiece.bpe.model");
}

struct BartModels : ChangedFolders {
  BartModels() : ChangedFolders("bart") {}
};

struct BartTextModels : ChangedFolders {
  BartTextModels() : ChangedFolders("bart_text") {}
};

// tokenizer.json has the same in one file.
TEST_F(BartTextModels, AreReadFromEitherOfTheirFiles) {
  const LoadedModel usual = import_hf(folder_.path());
  json merges = json::array();
  std::ifstream file(folder_ / "merges.txt");
  std::string line;
  std::getline(file, line);  // the version
  while (std::getline(file, line))
    merges.size() % 2 == 0
        ? merges.push_back(line)
        : merges.push_back({line.substr(0, line.find(' ')), line.substr(line.find(' ') + 1)});
  json vocabulary = read("vocab.json");
  vocabulary.erase("<mask>");
  const json tokenizer = {{"added_tokens", {{{"id", 4}, {"content", "<mask>"}}}},
                          {"normalizer", nullptr},
                          {"pre_tokenizer", {{"type", "ByteLevel"}, {"use_regex", true}}},
                          {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}}};
  change("tokenizer.json", tokenizer);
  std::filesystem::remove(folder_ / "merges.txt");
  std::filesystem::remove(folder_ / "vocab.json");
  const LoadedModel model = import_hf(folder_.path());
  const Codec &before = *usual.codecs.at("source"), &now = *model.codecs.at("source");
  EXPECT_EQ(before.vocabulary(), now.vocabulary());
  EXPECT_EQ(before.encode("the old man's dog"), now.encode("the old man's dog"));
  json other = tokenizer;
  other["normalizer"] = {{"type", "NFC"}};
  change("tokenizer.json", other);
  expect_refused("normalizer is {\"type\":\"NFC\"}, expected the byte-level BPE");
  other = tokenizer;
  other["model"]["type"] = "Unigram";
  change("tokenizer.json", other);
  expect_refused("model.type is \"Unigram\"");
}

TEST_F(BartTextModels, BeginWithTheTokenThatIsForced) {
  EXPECT_EQ(log_of_import().find("forced_bos_token_id"), std::string::npos);
  set("generation_config.json", "forced_bos_token_id", 5);
  expect_refused("forced_bos_token_id is 5, expected 0, the id of <s>");
  set("generation_config.json", "forced_bos_token_id", nullptr);
  EXPECT_THAT(log_of_import(), testing::HasSubstr("says nothing of forced_bos_token_id"));
}

TEST_F(BartTextModels, MayBeginWithASpace) {
  set("tokenizer_config.json", "add_prefix_space", true);
  const LoadedModel model = import_hf(folder_.path());
  const Codec& codec = *model.codecs.at("source");
  EXPECT_EQ(codec.encode("old"), codec.encode(" old"));
  EXPECT_EQ(codec.decode(codec.encode("old")), "old");
}

TEST_F(BartModels, WithoutNormOfTheEmbeddingsAreRefused) {
  set("config.json", "normalize_embedding", true);
  EXPECT_NO_THROW(import_hf(folder_.path()));
  set("config.json", "normalize_embedding", false);
  expect_refused("normalize_embedding is false, expected true");
}

// The first two rows of the table are not positions.
TEST_F(BartModels, HaveThePositionsFromTheThirdRow) {
  const LoadedModel model = import_hf(folder_.path());
  const Tensor stored =
      read_safetensors(folder_ / "model.safetensors").at("model.decoder.embed_positions.weight");
  EXPECT_TRUE(tensors_of(*model.network)
                  .at("decoder.input.positions.table")
                  .equal(stored.narrow(0, 2, 44)));
  set("config.json", "max_position_embeddings", 45);
  expect_refused("embed_positions.weight is [46,8], expected [47,8]");
}

TEST_F(BartModels, AreNotExported) {
  const LoadedModel model = import_hf(folder_.path());
  const TemporaryFolder folder;
  const std::string reason = "model.encoder.embedding_norm is true, expected false";
  EXPECT_ERROR(export_hf(model, folder.path()), ErrorKind::kUsage, reason);
  EXPECT_ERROR(export_ctranslate2(model, folder.path()), ErrorKind::kUsage, reason);
}

struct MbartModels : ChangedFolders {
  MbartModels() : ChangedFolders("mbart") {}
};

TEST_F(MbartModels, OfTheFirstTokenizerAreKnownByItsNameOrTheirRows) {
  EXPECT_FALSE(is_first_mbart(folder_.path(), 134 - 52 + 25));
  set("tokenizer_config.json", "tokenizer_class", nullptr);
  EXPECT_FALSE(is_first_mbart(folder_.path(), 134));
  EXPECT_TRUE(is_first_mbart(folder_.path(), 134 - 52 + 25));
  set("tokenizer_config.json", "tokenizer_class", "MBartTokenizer");
  EXPECT_TRUE(is_first_mbart(folder_.path(), 134));
}

struct FirstMbartModels : ChangedFolders {
  FirstMbartModels() : ChangedFolders("mbart_cc25") {}
};

// The decoder begins with the target language, which is that of the settings or chosen.
TEST_F(FirstMbartModels, BeginTheTargetWithItsLanguage) {
  const auto begin = [this](const HfLanguages& languages) {
    const LoadedModel model = import_hf(folder_.path(), languages);
    EXPECT_FALSE(model.config.model.source_end);
    const Tensor table = tensors_of(*model.network).at(names::kTargetEmbedding);
    const Vocabulary& target = model.codecs.at("target")->vocabulary();
    for (const char* code : {"de_DE", "fr_XX"})
      if (table[target.id(fmt::format(">>{}<<", code))].equal(table[kBegin])) return code;
    return "";
  };
  EXPECT_STREQ(begin({"en_XX", ""}), "de_DE");
  EXPECT_STREQ(begin({"en_XX", "fr_XX"}), "fr_XX");
  EXPECT_TRUE(import_hf(folder_.path()).codecs.at("source")->tokenizer().needs_language());
  for (const char* file : {"config.json", "generation_config.json"})
    set(file, "decoder_start_token_id", nullptr);
  EXPECT_STREQ(begin({"en_XX", "fr_XX"}), "fr_XX");
  EXPECT_ERROR(import_hf(folder_.path()), ErrorKind::kUsage, "--target-language is missing");
}

TEST_F(MbartModels, WithALanguageInAnotherRowAreRefused) {
  change("added_tokens.json", {{"en_XX", 84}});
  EXPECT_NO_THROW(import_hf(folder_.path(), languages_));
  change("added_tokens.json", {{"en_XX", 85}});
  expect_refused("the added token en_XX has the id 85, but 84 by sentencepiece.bpe.model");
}

TEST_F(MbartModels, ListTheirLanguagesForAWrongOne) {
  EXPECT_ERROR(import_hf(folder_.path(), {"en", "de_DE"}), ErrorKind::kUsage,
               "--source-language is 'en', expected codes of its languages: ar_AR cs_CZ de_DE");
}

struct T5Models : ChangedFolders {
  T5Models() : ChangedFolders("t5") {}
  Tensor log_probs() const { return log_probs_of(import_hf(folder_.path()), {5, 6}, {7}); }
};

TEST_F(T5Models, OfAnotherFormSayWhatIsOther) {
  const json config = read("config.json");
  json other = config;
  other["layer_norm_epsilon"] = 1e-5;
  other["feed_forward_proj"] = "gated-relu";
  change("config.json", other);
  expect_refused("layer_norm_epsilon is 1e-05, expected 1e-06");
  expect_refused("feed_forward_proj is 'gated-relu', expected relu, gelu");
  other = config;
  other["feed_forward_proj"] = "gated-gelu";  // beside dense_act_fn relu
  change("config.json", other);
  expect_refused("dense_act_fn is 'relu', expected gelu_new with feed_forward_proj gated-gelu");
  expect_refused("is_gated_act is false, expected true");
  change("config.json", config);
  std::filesystem::remove(folder_ / "spiece.model");
  expect_refused("has no spiece.model");
}

TEST_F(T5Models, TakeTheDefaultsOfTheirConfig) {
  json config = read("config.json");
  for (const char* key : {"feed_forward_proj", "dense_act_fn", "is_gated_act",
                          "tie_word_embeddings", "num_decoder_layers", "layer_norm_epsilon"})
    config.erase(key);
  const Tensor usual = log_probs();
  change("config.json", config);
  EXPECT_TRUE(log_probs().equal(usual));
}

TEST_F(T5Models, HaveNoBiasesAndOneTableOfDistancesForAllLayers) {
  const auto tables_differ = [](const std::string& name) {
    const LoadedModel model = import_hf(exchange_fixture(name));
    const NamedTensors tensors = tensors_of(*model.network);
    for (const auto& [own, tensor] : tensors) {
      const bool is_linear = own.ends_with(".bias") && !own.ends_with("term_0.bias") &&
                             own != names::bias(names::kOutputLayer);
      if (is_linear) {
        EXPECT_EQ(tensor.abs().max().item<double>(), 0) << own;
      }
    }
    const std::string first = "decoder.layer_0.self_attention.term_0.bias";
    EXPECT_EQ(tensors.at(first).sizes(), (std::vector<int64_t>{8, 4}));
    return !tensors.at(first).equal(tensors.at("decoder.layer_1.self_attention.term_0.bias"));
  };
  EXPECT_FALSE(tables_differ("t5"));
  EXPECT_TRUE(tables_differ("umt5"));
}

TEST_F(T5Models, WithParametersThatTransformersDoesNotReadAreTheSame) {
  const std::string file = folder_ / "model.safetensors";
  const NamedTensors usual = read_safetensors(file);
  const Tensor expected = log_probs();
  NamedTensors tensors = usual;
  tensors["decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"] =
      torch::ones({8, 4});
  tensors["encoder.embed_tokens.weight"] = tensors["lm_head.weight"] =
      usual.at("shared.weight").clone();
  write_safetensors(file, tensors, {});
  EXPECT_TRUE(log_probs().equal(expected));
  tensors["decoder.block.1.layer.1.EncDecAttention.relative_attention_bias.weight"] =
      torch::ones({8, 4});
  write_safetensors(file, tensors, {});
  expect_refused("1 parameters are of another architecture: decoder.block.1.layer.1");
}

// transformers 5 writes tie_word_embeddings: true for all models.
TEST(T5Config, MayBeThatOfALaterVersion) {
  const TemporaryFolder folder;
  std::filesystem::copy(exchange_fixture("t5_gated"), folder.path());
  const auto computed = [&folder] { return log_probs_of(import_hf(folder.path()), {5, 6}, {7}); };
  const Tensor usual = computed();
  std::ifstream stream(folder / "config.json");
  json config = json::parse(stream);
  config["tie_word_embeddings"] = true;
  config["scale_decoder_outputs"] = false;
  std::ofstream(folder / "config.json") << config;
  EXPECT_TRUE(computed().equal(usual));
  config["scale_decoder_outputs"] = true;
  std::ofstream(folder / "config.json") << config;
  EXPECT_FALSE(computed().allclose(usual, 1e-3, 1e-3));
}

TEST_F(T5Models, HaveTheSentinelsOfTheirTokenizer) {
  const auto piece_of_row = [this](int64_t row) {
    const LoadedModel model = import_hf(folder_.path());
    const Vocabulary& vocabulary = model.codecs.at("target")->vocabulary();
    // <pad>, <unk> and </s> come first in the file, and <s> of heed has no row of its own.
    return vocabulary.piece(static_cast<int32_t>(row) + 1);
  };
  EXPECT_EQ(piece_of_row(60), "<extra_id_3>");
  EXPECT_EQ(piece_of_row(63), "<extra_id_0>");
  EXPECT_EQ(piece_of_row(64), "<id:64>");
  set("tokenizer_config.json", "added_tokens_decoder", {{"64", {{"content", "<extra_id_0>"}}}});
  EXPECT_EQ(piece_of_row(63), "<id:63>");
  EXPECT_EQ(piece_of_row(64), "<extra_id_0>");
}

// A piece of text that the tokenizer of transformers looks for before it uses SentencePiece.
TEST_F(T5Models, WithAddedTokensThatAreNotReadNameThem) {
  set("tokenizer_config.json", "added_tokens_decoder", {{"3", {{"content", "▁junge"}}}});
  EXPECT_THAT(log_of_import(), testing::Not(testing::HasSubstr("added tokens")));
  set("tokenizer_config.json", "added_tokens_decoder", {{"64", {{"content", "<sep>"}}}});
  EXPECT_THAT(log_of_import(), testing::HasSubstr("does not look for the added tokens <sep>"));
}

TEST_F(T5Models, NameTheTasksOfTheirLines) {
  set("config.json", "task_specific_params",
      {{"translation_en_to_de", {{"prefix", "translate English to German: "}}}});
  EXPECT_THAT(log_of_import(),
              testing::HasSubstr("begins with its task: 'translate English to German: '"));
  EXPECT_ERROR(import_hf(folder_.path(), {"en", "de"}), ErrorKind::kUsage,
               "a line begins with <2code> (MADLAD-400) or its task");
}

TEST_F(T5Models, AreNotExported) {
  const TemporaryFolder folder;
  EXPECT_ERROR(export_hf(import_hf(folder_.path()), folder.path()), ErrorKind::kUsage,
               "model.encoder.norm_type is rms");
}

// SentencePiece models with other special pieces.
class NllbPieces : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::filesystem::copy(exchange_fixture("nllb_pieces/" + GetParam()), folder_.path());
  }
  json read(const std::string& file) const {
    std::ifstream stream(folder_ / file);
    return json::parse(stream);
  }
  // Pieces of text, with the ids of transformers.
  std::map<int64_t, std::string> expected_pieces() const {
    const std::set<std::string> languages = {"<mask>", "deu_Latn", "eng_Latn"};
    std::map<int64_t, std::string> pieces;
    const json tokens = read("tokens.json");
    for (const auto& [token, id] : tokens.items()) {
      if (!languages.contains(token) && id > 3) pieces.emplace(id, token);
    }
    return pieces;
  }
  std::map<int64_t, std::string> found_pieces() const {
    std::map<int64_t, std::string> pieces = read_language_tokens(folder_.path()).tokens;
    std::erase_if(pieces,
                  [](const auto& one) { return one.first < 4 || one.second.starts_with(">>"); });
    return pieces;
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, NllbPieces, testing::Values("control", "pad", "no_begin", "bytes"),
                         [](const auto& name) { return name.param; });

TEST_P(NllbPieces, HaveTheIdsOfTransformers) {
  std::filesystem::copy(folder_ / "stored_tokenizer.json", folder_ / "tokenizer.json");
  EXPECT_EQ(found_pieces(), expected_pieces());
  json tokenizer = read("tokenizer.json");
  for (auto& [token, id] : tokenizer["model"]["vocab"].items()) {
    if (id > 20) id = id.get<int64_t>() + 1;
  }
  std::ofstream(folder_ / "tokenizer.json") << tokenizer;
  EXPECT_ERROR(found_pieces(), ErrorKind::kModel,
               "has the id 21, which tokenizer.json does not say");
}

// Ids are those of the pieces plus 1, as in NllbTokenizer of transformers 4 (fairseq_offset).
TEST_P(NllbPieces, HaveTheIdsOfThePiecesAndOneWithoutTokenizerFile) {
  if (GetParam() == "no_begin") {
    EXPECT_ERROR(found_pieces(), ErrorKind::kModel, "expected <unk>, <s> and </s>");
    return;
  }
  std::map<int64_t, std::string> expected;
  const std::vector<std::string> pieces = read("pieces.json");
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!is_special_piece(pieces[i])) expected.emplace(i + 1, pieces[i]);
  }
  EXPECT_EQ(found_pieces(), expected);
}

TEST_F(LanguageModels, OfAnotherSentencePieceModelAreRefused) {
  json tokenizer = read("tokenizer.json");
  tokenizer.erase("model");
  for (json& token : tokenizer["added_tokens"]) {
    if (token["id"] > 80) token["id"] = token["id"].get<int64_t>() + 1;
  }
  change("tokenizer.json", tokenizer);
  expect_refused("the first added token has the id 82, but the pieces");
}

TEST_F(LanguageModels, AreNotExported) {
  const LoadedModel model = import_hf(folder_.path(), languages_);
  const TemporaryFolder folder;
  EXPECT_ERROR(export_hf(model, folder.path()), ErrorKind::kUsage, "text.target.language");
  EXPECT_ERROR(export_ctranslate2(model, folder.path()), ErrorKind::kUsage, "text.target.language");
  const LoadedModel open = import_hf(folder_.path());
  EXPECT_ERROR(export_hf(open, folder.path()), ErrorKind::kUsage, "text.target.many_languages");
  EXPECT_ERROR(export_ctranslate2(open, folder.path()), ErrorKind::kUsage,
               "text.source.many_languages");
}

}  // namespace
}  // namespace heed
