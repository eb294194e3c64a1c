// Models of other toolkits: imported, translated, fine-tuned and exported by the program.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

std::string fixture(const std::string& name) {
  return std::filesystem::absolute(source_folder() + "/tests/exchange/fixtures/" + name).string();
}

class Exchange : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    const Outcome outcome =
        run_heed({"import", "hf", fixture(GetParam()), "-o", folder_ / "model"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const auto& one :
         nlohmann::json::parse(read_plainly(fixture(GetParam()) + "/expected.json"))["cases"]) {
      sources_ += one["source"].get<std::string>() + "\n";
      texts_ += one["text"].get<std::string>() + "\n";
    }
  }
  std::string translation(const std::string& model, const std::string& plain = "0") const {
    const Outcome outcome =
        run_heed({"translate", model}, {.input = sources_, .environment = {{"HEED_PLAIN", plain}}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  TemporaryFolder folder_;
  std::string sources_, texts_;
};
INSTANTIATE_TEST_SUITE_P(All, Exchange, testing::Values("marian", "separate"),
                         [](const auto& name) { return name.param; });

TEST_P(Exchange, ImportedModelsFindTheTextThatTransformersFinds) {
  holds({"heed import hf", "heed import hf --output", "text.NAME.language_code",
         "text.NAME.vocabulary.file"});
  EXPECT_EQ(translation(folder_ / "model"), texts_);
  EXPECT_EQ(translation(folder_ / "model", "1"), texts_);
}

TEST_P(Exchange, ExportedModelsComeBackWithTheSameText) {
  holds({"heed export hf"});
  EXPECT_EQ(run_heed({"export", "hf", folder_ / "model", folder_ / "hf"}).exit_code, 0);
  EXPECT_EQ(run_heed({"import", "hf", folder_ / "hf", "-o", folder_ / "again"}).exit_code, 0);
  const Outcome back = run_heed({"translate", folder_ / "again", "--length-penalty",
                                 GetParam() == "marian" ? "0.5" : "1.0", "--max-length", "38"},
                                {.input = sources_});
  EXPECT_EQ(back.out, texts_) << back.err;
}

TEST_P(Exchange, ImportedModelsAreFineTuned) {
  write_plainly(folder_ / "a", "the old man\nthe dog\n");
  write_plainly(folder_ / "tune.yaml",
                "run: tuned\ndata: {train: [{source: a, target: a}], valid: {source: a, target: "
                "a}}\ninit: {model: model}\ntrain: {max_updates: 1, optimizer: {rate: "
                "0.0000001}, validate: {every: 1, samples: 0}}\n");
  const Outcome outcome = run_heed({"train", folder_ / "tune.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(translation(folder_ / "tuned"), texts_);
}

TEST_P(Exchange, ExportedToCTranslate2HasItsFiles) {
  holds({"heed export ctranslate2"});
  const Outcome outcome = run_heed({"export", "ctranslate2", folder_ / "model", folder_ / "ct2"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* file : {"ct2/model.bin", "ct2/config.json", "ct2/source.spm"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / file)) << file;
  EXPECT_FAILS(run_heed({"export", "ctranslate2", folder_ / "model", folder_ / "ct2"}), 2,
               "exists already");
}

// The parameters in a file of torch.save(), in place of model.safetensors.
class TorchExchange : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    std::filesystem::copy(fixture("marian"), folder_ / "hf");
    std::filesystem::remove(folder_ / "hf/model.safetensors");
  }
  Outcome import(const std::string& parameters) const {
    std::filesystem::copy(fixture("torch/" + parameters), folder_ / "hf/pytorch_model.bin",
                          std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove_all(folder_ / "model");
    return run_heed({"import", "hf", folder_ / "hf", "-o", folder_ / "model"});
  }
  TemporaryFolder folder_;
};

TEST_F(TorchExchange, ImportedModelsTranslate) {
  const auto expected = nlohmann::json::parse(read_plainly(fixture("marian/expected.json")));
  const nlohmann::json& first = expected["cases"][0];
  for (const char* parameters : {"marian.bin", "marian_old.bin"}) {
    const Outcome outcome = import(parameters);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(run_heed({"translate", folder_ / "model"},
                       {.input = first["source"].get<std::string>() + "\n"})
                  .out,
              first["text"].get<std::string>() + "\n");
  }
}

TEST_F(TorchExchange, WhatIsNoTensorIsRefusedByName) {
  EXPECT_FAILS(import("command.bin"), 4, "uses posix.system");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "model"));
}

}  // namespace
}  // namespace heed
