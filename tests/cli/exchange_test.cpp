// Models of other toolkits: imported, translated, fine-tuned and exported by the program.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
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

// A model of JoeyNMT and what its script has made of it (scripts/fixtures/joeynmt_models.py).
class Joeynmt : public testing::TestWithParam<std::string> {
 protected:
  std::string file(const std::string& name) const {
    return fixture("joeynmt/" + GetParam() + "/" + name);
  }
  // The text of its tokens: words, or pieces of SentencePiece.
  std::string text_of(const std::vector<std::string>& tokens) const {
    if (GetParam() == "default") return fmt::format("{}", fmt::join(tokens, " "));
    std::string text;
    for (const std::string& piece : tokens)
      text += piece.starts_with("▁") ? " " + piece.substr(std::string("▁").size()) : piece;
    return text.starts_with(" ") ? text.substr(1) : text;
  }
  // Where the maximum cuts its translation, JoeyNMT writes what has no end.
  void expect_its_translations(const std::string& model, const std::string& plain) const {
    const auto expected = nlohmann::json::parse(read_plainly(file("expected.json")));
    std::string sources;
    std::vector<std::string> wanted;
    for (const auto& one : expected["cases"]) {
      if (one["beam"].is_null()) continue;
      std::vector<std::string> tokens;
      for (const size_t id : one["beam"]) tokens.push_back(expected["tokens"][id]);
      sources += one["source"].get<std::string>() + "\n";
      wanted.push_back(text_of(tokens));
    }
    ASSERT_FALSE(wanted.empty());
    const Outcome outcome = run_heed({"translate", model, "--max-length", "12"},
                                     {.input = sources, .environment = {{"HEED_PLAIN", plain}}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, fmt::format("{}\n", fmt::join(wanted, "\n")));
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, Joeynmt, testing::Values("default", "pre"),
                         [](const auto& name) { return name.param; });

TEST_P(Joeynmt, FindsTheTextThatJoeynmtFinds) {
  SKIP_WITHOUT_TENSORS();
  std::filesystem::copy(file("converted"), folder_ / "model");
  write_manifest(folder_ / "model");
  for (const char* plain : {"0", "1"}) expect_its_translations(folder_ / "model", plain);
}

TEST_P(Joeynmt, IsImportedByThePythonThatHasPyTorch) {
  holds({"heed import joeynmt", "heed import joeynmt --output", "heed import joeynmt --python"});
  SKIP_WITHOUT_TENSORS();
  const char* given = std::getenv("HEED_PYTHON");
  const std::string python = given == nullptr ? "python3" : given;
  if (std::system((python + " -c 'import torch, yaml' 2> /dev/null").c_str()) != 0)
    GTEST_SKIP() << python << " has no torch or no pyyaml; HEED_PYTHON names one that has";
  const Outcome outcome =
      run_heed({"import", "joeynmt", file("model"), "-o", folder_ / "model", "--python", python});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_its_translations(folder_ / "model", "0");
  std::filesystem::copy(file("model"), folder_ / "changed");
  std::string config = read_plainly(folder_ / "changed/config.yaml");
  config.replace(config.find("hidden_size"), 0, "alpha: 0.8\n    ");
  write_plainly(folder_ / "changed/config.yaml", config);
  EXPECT_FAILS(run_heed({"import", "joeynmt", folder_ / "changed", "-o", folder_ / "none",
                         "--python", python}),
               4, "alpha: found 0.8, expected 1.0");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
}

}  // namespace
}  // namespace heed
