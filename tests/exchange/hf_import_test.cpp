#include "exchange/hf_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "exchange/fixtures.h"
#include "exchange/hf_export.h"
#include "holds.h"
#include "one_thread.h"

namespace heed {
namespace {

using nlohmann::json;

// Of what an imported model says for a target, [T,V].
Tensor log_probs_of(const LoadedModel& model, const Ids& source, const Ids& target) {
  const torch::NoGradGuard no_grad;
  const SourceBatches sources = {{{"source", source_batch({source}, torch::kCPU)}}};
  State state = model.network->start(sources, Pass());
  std::vector<int64_t> inputs = {kBegin};
  inputs.insert(inputs.end(), target.begin(), target.end());
  const Step step = model.network->advance(torch::tensor(inputs).unsqueeze(0), state);
  return model.network->log_probs(step, state)[0];
}

int32_t own_id(const Vocabulary& vocabulary, const std::string& token) {
  if (token == "</s>") return kEnd;
  return vocabulary.id(token);
}

class ImportedModels : public testing::TestWithParam<std::string> {
 protected:
  const LoadedModel model_ = import_hf(exchange_fixture(GetParam()));
  const json expected_ = expected_by_transformers(GetParam());
  const Vocabulary& target() const { return model_.codecs.at("target")->vocabulary(); }
};
INSTANTIATE_TEST_SUITE_P(All, ImportedModels, testing::Values("marian", "separate", "pegasus"),
                         [](const auto& name) { return name.param; });

// In differences to the logit of the end, which the softmax leaves as they are.
TEST_P(ImportedModels, HaveTheLogitsOfTransformers) {
  holds({"heed import hf"});
  const std::vector<std::string> tokens = expected_["tokens"];
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
        EXPECT_NEAR(own, logits[id] - logits[0], 1e-4) << t << " " << tokens[id];
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

TEST_P(ImportedModels, ComeBackFromTheirExport) {
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
  ChangedFolders() {
    std::filesystem::copy(exchange_fixture("marian"), folder_.path(),
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
    EXPECT_ERROR(import_hf(folder_.path()), ErrorKind::kModel, part);
  }
  TemporaryFolder folder_;
};

TEST_F(ChangedFolders, OfAnotherArchitectureSayAllThatIsOther) {
  json config = read("config.json");
  config["model_type"] = "t5";
  config["activation_function"] = "gelu_new";
  config.erase("d_model");
  change("config.json", config);
  expect_refused("model_type is 't5', expected one of marian, pegasus");
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

}  // namespace
}  // namespace heed
