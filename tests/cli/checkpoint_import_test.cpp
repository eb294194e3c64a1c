// Models of JoeyNMT and OpenNMT-py: the program imports, translates with and fine-tunes them.
#include <gmock/gmock.h>

#include <algorithm>

#include "cli/fine_tuning.h"
#include "exchange/fixtures.h"
#include "holds.h"

namespace heed {
namespace {

std::string toolkit_name(const testing::TestParamInfo<std::string>& model) {
  std::string word = model.param;
  std::ranges::replace(word, '/', '_');
  return word;
}

// Formats and inputs of `heed import` (scripts/fixtures/joeynmt_models.py, opennmt_models.py).
class ModelOfToolkit : public testing::TestWithParam<std::string> {
 protected:
  std::string format() const { return GetParam().substr(0, GetParam().find('/')); }
  std::string model_file() const {
    const std::filesystem::path model = exchange_fixture(GetParam()) / "model";
    return format() == "joeynmt" ? model : model / "model_step_1.pt";
  }
  Outcome import(const std::string& model, const std::string& name) {
    return run_heed({"import", format(), model, "--output", folder_ / name});
  }
  bool has_pieces() const {
    return GetParam() == "joeynmt/pre" || GetParam() == "opennmt/transformer";
  }
  // Text of tokens: words, or SentencePiece pieces.
  std::string text_of(const std::vector<std::string>& tokens) const {
    if (!has_pieces()) return fmt::format("{}", fmt::join(tokens, " "));
    std::string text;
    for (const std::string& piece : tokens)
      text += piece.starts_with("▁") ? " " + piece.substr(std::string("▁").size()) : piece;
    return text.starts_with(" ") ? text.substr(1) : text;
  }
  // Skips translations that are cut at the maximum length: the toolkit writes them without an end.
  void expect_its_translations(const std::string& model, const std::string& plain) const {
    const auto expected = expected_by_toolkit(GetParam());
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
    const std::string beam = format() == "joeynmt" ? "5" : "1";
    const Outcome outcome = run_heed({"translate", model, "--max-length", "12", "--beam", beam},
                                     {.input = sources, .environment = {{"HEED_PLAIN", plain}}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, fmt::format("{}\n", fmt::join(wanted, "\n")));
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, ModelOfToolkit,
                         testing::Values("joeynmt/default", "joeynmt/pre", "joeynmt/lstm",
                                         "joeynmt/gru", "opennmt/transformer", "opennmt/separate",
                                         "opennmt/mlp", "opennmt/general", "opennmt/dot"),
                         toolkit_name);

TEST_P(ModelOfToolkit, FindsTheTextThatItsToolkitFinds) {
  holds({"heed import joeynmt", "heed import opennmt", "--output"});
  SKIP_WITHOUT_TENSORS();
  const Outcome outcome = import(model_file(), "model");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* plain : {"0", "1"}) expect_its_translations(folder_ / "model", plain);
}

using FineTunedModelOfToolkit = ModelOfToolkit;
INSTANTIATE_TEST_SUITE_P(All, FineTunedModelOfToolkit,
                         testing::Values("joeynmt/lstm", "opennmt/transformer", "opennmt/mlp"),
                         toolkit_name);

TEST_P(FineTunedModelOfToolkit, TranslatesAsBeforeWhereNextToNothingChanges) {
  SKIP_WITHOUT_TENSORS();
  ASSERT_EQ(import(model_file(), "model").exit_code, 0);
  fine_tune(folder_);
  expect_its_translations(folder_ / "tuned", "0");
}

TEST(ImportOfAnotherPath, NamesThePath) {
  SKIP_WITHOUT_TENSORS();
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "empty");
  const auto import = [&](const std::string& format, const std::string& model) {
    return run_heed({"import", format, model, "-o", "model"}, {.folder = folder.path()});
  };
  for (const char* format : {"hf", "ctranslate2", "joeynmt", "opennmt"})
    EXPECT_FAILS(import(format, "nosuch"), 4, "nosuch: there is no such file or folder");
  EXPECT_FAILS(import("joeynmt", "empty"), 4, "has neither best.ckpt nor latest.ckpt");
  EXPECT_FAILS(import("opennmt", "empty"), 4, "it is a folder; name a checkpoint in it");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"empty"});
}

}  // namespace
}  // namespace heed
