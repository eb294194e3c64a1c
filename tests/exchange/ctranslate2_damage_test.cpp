// Files of CTranslate2 that are damaged, of another architecture or of another program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include <random>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "exchange/ctranslate2_file.h"
#include "exchange/ctranslate2_reader.h"
#include "exchange/fixtures.h"
#include "exchange/imports.h"
#include "holds.h"
#include "one_thread.h"

namespace heed {
namespace {

using nlohmann::json;

// A copy of a model whose files are changed.
class ChangedModel : public testing::Test {
 protected:
  explicit ChangedModel(const std::string& name = "shape_gated") {
    std::filesystem::copy(exchange_fixture("ctranslate2/" + name) / "model", folder_.path(),
                          std::filesystem::copy_options::recursive);
    bytes_ = read_plainly(model());
    const CTranslate2Reader reader(model());
    for (const auto& [variable, unused] : reader.variables())
      variables_.arrays[variable] = reader.read(variable);
    variables_.aliases = reader.aliases();
  }
  std::filesystem::path model() const { return folder_ / "model.bin"; }
  json config() const { return json::parse(read_plainly(folder_ / "config.json")); }
  void write_config(const json& value) const {
    write_plainly(folder_ / "config.json", value.dump());
  }
  void write_variables(const std::string& spec = "TransformerSpec", uint32_t revision = 7) const {
    write_ctranslate2(model(), spec, revision, variables_);
  }
  void expect_refused(const std::string& part) const {
    EXPECT_ERROR(import_ctranslate2(folder_.path()), ErrorKind::kModel, part);
  }
  // The file is a model, or an error says why it is not.
  void expect_answer(const std::string& what) const {
    try {
      const CTranslate2Reader reader(model());
      for (const auto& [variable, stored] : reader.variables()) {
        EXPECT_LE(stored.bytes, bytes_.size()) << what;
        EXPECT_EQ(reader.read(variable).nbytes(), stored.bytes) << what;
      }
      import_ctranslate2(folder_.path());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel) << what << ": " << error.what();
      EXPECT_THAT(error.what(), testing::HasSubstr(folder_.path().string())) << what;
    }
  }
  TemporaryFolder folder_;
  std::string bytes_;
  CTranslate2Variables variables_;
};

TEST_F(ChangedModel, ThatEndsEarlySaysWhere) {
  holds({"heed import ctranslate2"});
  write_plainly(model(), "");
  expect_refused("its 0 bytes end within the version");
  write_plainly(model(), bytes_.substr(0, 12));
  expect_refused("its 12 bytes end within the name of the architecture");
  write_plainly(model(), bytes_.substr(0, bytes_.size() - 1));
  expect_refused("end within");
  write_plainly(model(), bytes_ + "x");
  expect_refused("1 bytes are left behind its last variable");
  for (size_t size = 0; size < bytes_.size(); size += size < 500 ? 1 : 37) {
    write_plainly(model(), bytes_.substr(0, size));
    EXPECT_ERROR(CTranslate2Reader{model()}, ErrorKind::kModel, "model.bin");
  }
}

// Bits in the header, in sizes, names and types, and in numbers.
TEST_F(ChangedModel, WithFlippedBitsIsAModelOrAnError) {
  std::mt19937 random(1);
  for (int round = 0; round < 600; ++round) {
    std::string bytes = bytes_;
    const size_t at = round < 200 ? static_cast<size_t>(round) : random() % bytes.size();
    bytes[at] = static_cast<char>(round % 3 == 0 ? 0xff : bytes[at] ^ (1 << (random() % 8)));
    write_plainly(model(), bytes);
    expect_answer(fmt::format("byte {}", at));
  }
}

TEST_F(ChangedModel, OfAnotherVersionOrKindSaysWhichAreRead) {
  std::string later = bytes_;
  later[0] = 7;
  write_plainly(model(), later);
  expect_refused("it is of version 7, expected 1 to 6");
  write_plainly(model(), "some text, which is not a model");
  expect_refused("expected 1 to 6");
  write_variables("WhisperSpec", 3);
  expect_refused("is a model of type WhisperSpec, expected TransformerSpec");
  write_variables("TransformerSpec", 8);
  expect_refused("is of revision 8 of TransformerSpec, expected 1 to 7");
}

TEST_F(ChangedModel, WithAliasesOfNothingIsRefused) {
  variables_.aliases["encoder/embeddings_0/weight"] = "no such variable";
  variables_.arrays.erase("encoder/embeddings_0/weight");
  write_variables();
  expect_refused("encoder/embeddings_0/weight is an alias of no such variable, which is not there");
}

TEST_F(ChangedModel, OfAnotherArchitectureNamesAllThatHeedLacks) {
  const auto norm = torch::ones({8});
  variables_.arrays["encoder/layernorm_embedding/gamma"] = norm;
  variables_.arrays["encoder/layernorm_embedding/beta"] = norm;
  variables_.arrays["decoder/layer_0/self_attention/rotary_dim"] = torch::tensor(4, torch::kShort);
  variables_.arrays["decoder/layer_1/self_attention/rotary_dim"] = torch::tensor(4, torch::kShort);
  variables_.arrays["decoder/alibi"] = torch::tensor(1, torch::kChar);
  variables_.arrays["encoder/activation"] = torch::tensor(1, torch::kChar);
  variables_.arrays.erase("decoder/layer_1/ffn/layer_norm/beta");
  write_variables();
  for (const char* part :
       {"heed has nothing for decoder/layer_N/self_attention/rotary_dim, "
        "encoder/layernorm_embedding/beta, encoder/layernorm_embedding/gamma",
        "no beta beside decoder/layer_N/ffn/layer_norm/gamma", "decoder/alibi is 1, expected 0",
        "encoder/activation is 1 (gelu by tanh) in gated layers, expected 2 (swish) or 3 "
        "(gelu)"})
    expect_refused(part);
}

TEST_F(ChangedModel, WithSettingsThatHeedLacksNamesThem) {
  json changed = config();
  changed["add_source_bos"] = true;
  changed["layer_norm_epsilon"] = 0.1;
  changed["quantization_type"] = 1;
  changed.erase("unk_token");
  write_config(changed);
  for (const char* part :
       {"add_source_bos is true", "layer_norm_epsilon is 0.1, expected 1e-05",
        "quantization_type is 1: AWQ weights are not possible", "unk_token is missing"})
    expect_refused(part);
  std::filesystem::remove(folder_ / "config.json");
  expect_refused("has no config.json");
}

TEST_F(ChangedModel, WithParametersOfOtherShapesNamesThem) {
  const std::string name = "encoder/layer_0/ffn/linear_1/weight";
  const Tensor weight = variables_.arrays.at(name);
  variables_.arrays[name] = weight.narrow(1, 0, 5).contiguous();
  write_variables();
  expect_refused(name + " is [8,5], expected [8,12]");
  variables_.arrays[name] = weight.mul(100).to(torch::kChar);
  write_variables();
  expect_refused(name + " is int8, but has no " + name + "_scale");
  variables_.arrays[name + "_scale"] = torch::ones({3});
  write_variables();
  expect_refused(name + "_scale has 3 numbers, expected 8");
  variables_.arrays[name + "_scale"] = torch::zeros({8});
  write_variables();
  expect_refused(name + " has numbers that are not finite");
  variables_.arrays[name + "_scale"] = torch::ones({8});
  variables_.arrays["decoder/num_heads"] = torch::tensor(3, torch::kShort);
  write_variables();
  expect_refused("the decoder has 3 heads, but a width of 8");
  variables_.arrays["decoder/num_heads"] = torch::tensor(0, torch::kShort);
  write_variables();
  expect_refused("decoder/num_heads is 0, expected a whole number from 1 on");
  variables_.arrays.erase("decoder/projection/weight");
  variables_.arrays["decoder/num_heads"] = torch::tensor(2, torch::kShort);
  write_variables();
  expect_refused("decoder/projection/weight is missing");
}

TEST_F(ChangedModel, WithOtherVocabulariesSaysWhatIsWrong) {
  const auto file = folder_ / "target_vocabulary.json";
  json tokens = json::parse(read_plainly(file));
  tokens.push_back("more");
  write_plainly(file, tokens.dump());
  expect_refused("decoder/embeddings/weight has 24 rows, but the vocabulary 25 tokens");
  tokens.erase(3);  // </s>
  write_plainly(file, tokens.dump());
  expect_refused("target_vocabulary.json: lacks the token '</s>' that ends a target");
  write_plainly(file, "[1, 2]");
  expect_refused("target_vocabulary.json: expected a list of tokens");
  write_plainly(file, "[");
  expect_refused("target_vocabulary.json: is no JSON");
  std::filesystem::remove(file);
  expect_refused("has neither shared_vocabulary.json nor source_vocabulary.json");
}

// A token that is there twice has its first id in text; the row of the second has another name.
TEST_F(ChangedModel, WithATokenThatIsThereTwiceKeepsBothRows) {
  const auto file = folder_ / "target_vocabulary.json";
  json tokens = json::parse(read_plainly(file));
  const std::string first = tokens[5];
  tokens[6] = first;
  write_plainly(file, tokens.dump());
  const LoadedModel model = import_ctranslate2(folder_.path());
  const Vocabulary& vocabulary = model.codecs.at("target")->vocabulary();
  EXPECT_EQ(vocabulary.id("<id:6>"), vocabulary.id(first) + 1);
}

TEST(CTranslate2Folders, ThatAreNoneSayWhatIsExpected) {
  const TemporaryFolder folder;
  const auto expect_refused = [](const std::filesystem::path& path, const std::string& part) {
    EXPECT_ERROR(import_ctranslate2(path), ErrorKind::kModel, part);
  };
  expect_refused(folder.path(), "has no model.bin; expected a model folder of CTranslate2");
  expect_refused(folder / "none", "has no model.bin");
  write_plainly(folder / "model.bin", "x");
  expect_refused(folder / "model.bin", "is a file; name the folder of the model");
}

}  // namespace
}  // namespace heed
