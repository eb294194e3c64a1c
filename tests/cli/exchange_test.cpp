// Models of transformers: imported, translated, fine-tuned and exported by the program.
#include <gmock/gmock.h>

#include <sstream>

#include "cli/fine_tuning.h"
#include "exchange/fixtures.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

std::vector<std::string> languages_of(const std::string& name) {
  if (name == "m2m") return {"--source-language", "en", "--target-language", "de"};
  if (name == "nllb") return {"--source-language", "eng_Latn", "--target-language", "deu_Latn"};
  return {};
}

class Exchange : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    std::vector<std::string> arguments = {"import", "hf", exchange_fixture(GetParam()), "-o",
                                          folder_ / "model"};
    for (const std::string& word : languages_of(GetParam())) arguments.push_back(word);
    const Outcome outcome = run_heed(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto expected = expected_by_toolkit(GetParam());
    ASSERT_FALSE(expected["cases"].empty());
    for (const auto& one : expected["cases"]) {
      sources_ += one["source"].get<std::string>() + "\n";
      texts_ += one["text"].get<std::string>() + "\n";
      scores_.push_back(one["score"]);
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
  std::vector<double> scores_;
};
INSTANTIATE_TEST_SUITE_P(All, Exchange, testing::Values("marian", "separate"),
                         [](const auto& name) { return name.param; });

TEST_P(Exchange, ImportedModelsFindTheTextThatTransformersFinds) {
  holds({"heed import hf", "text.NAME.language_code", "text.NAME.vocabulary.file"});
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
  fine_tune(folder_);
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

// A model of MarianMT, trained a little, that CTranslate2 has converted, and what it finds by beam
// search (scripts/fixtures/ctranslate2_models.py).
class FromCTranslate2 : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    const auto from = exchange_fixture("ctranslate2/opus");
    std::filesystem::create_directory(folder_ / "ct2");
    for (const char* file : {"config.json", "shared_vocabulary.json", "source.spm", "target.spm"})
      std::filesystem::copy(from / file, folder_ / "ct2" / file);
    std::filesystem::copy(from / (GetParam() + ".bin"), folder_ / "ct2/model.bin");
  }
  TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(All, FromCTranslate2, testing::Values("float32", "int8", "bfloat16"),
                         [](const auto& name) { return name.param; });

TEST_P(FromCTranslate2, FindsTheTextThatCTranslate2Finds) {
  holds({"heed import ctranslate2"});
  const Outcome imported =
      run_heed({"import", "ctranslate2", folder_ / "ct2", "-o", folder_ / "model"});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  for (const char* part :
       {"source: SentencePiece by ", "ct2/source.spm", "ct2/target.spm", "sources end in </s>"})
    EXPECT_THAT(imported.err, HasSubstr(part));
  const auto expected = expected_by_toolkit("ctranslate2/opus");
  std::string sources, texts;
  std::vector<double> scores;
  for (const auto& one : expected[GetParam()]) {
    sources += one["text"].get<std::string>() + "\n";
    std::string text;
    for (const std::string token : one["found"]) {
      const bool begins_word = token.starts_with("\xE2\x96\x81");
      text += begins_word ? " " + token.substr(3) : token;
    }
    texts += text.substr(1) + "\n";
    scores.push_back(one["score"]);
  }
  for (const char* plain : {"0", "1"}) {
    const RunSettings how = {.input = sources, .environment = {{"HEED_PLAIN", plain}}};
    EXPECT_EQ(run_heed({"translate", folder_ / "model", "--beam", "4"}, how).out, texts);
    const Outcome nbest =
        run_heed({"translate", folder_ / "model", "--beam", "4", "--nbest", "1"}, how);
    std::istringstream lines(nbest.out);
    size_t i = 0;
    for (std::string line; std::getline(lines, line); ++i)
      EXPECT_NEAR(std::stod(line.substr(line.rfind("||| ") + 4)), scores.at(i), 2e-4) << line;
    EXPECT_EQ(i, scores.size()) << nbest.err;
  }
}

TEST_P(FromCTranslate2, SaysWhatIsWrong) {
  holds({"--source-end", "--tokenized", "--source-spm", "--target-spm"});
  const auto import = [this](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"import", "ctranslate2", folder_ / "ct2", "-o",
                                          folder_ / "model"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_heed(arguments);
  };
  EXPECT_FAILS(import({"--source-end", "maybe"}), 2, "--source-end");
  EXPECT_FAILS(import({"--source-spm", folder_ / "none"}), 5, "none");
  EXPECT_FAILS(import({"--target-spm", folder_ / "ct2/config.json"}), 4, "config.json");
  EXPECT_FAILS(import({"--target-language", "de"}), 2, "expected a token of its vocabulary");
  EXPECT_FAILS(run_heed({"translate", folder_ / "ct2"}), 4, "heed import ctranslate2");
  const std::string bytes = read_plainly(folder_ / "ct2/model.bin");
  write_plainly(folder_ / "ct2/model.bin", bytes.substr(0, bytes.size() / 2));
  EXPECT_FAILS(import({}), 4, "is not a whole model.bin of CTranslate2");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "model"));
  write_plainly(folder_ / "ct2/model.bin", bytes);
  write_plainly(folder_ / "ct2/vmap.txt", "");
  const Outcome tokenized = import({"--tokenized", "--source-end", "no"});
  EXPECT_EQ(tokenized.exit_code, 0) << tokenized.err;
  EXPECT_THAT(tokenized.err, HasSubstr("vmap.txt is left out"));
}

// The parameters in a file of torch.save(), in place of model.safetensors.
class TorchExchange : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    std::filesystem::copy(exchange_fixture("marian"), folder_ / "hf");
    std::filesystem::remove(folder_ / "hf/model.safetensors");
  }
  Outcome import(const std::string& parameters) const {
    std::filesystem::copy(exchange_fixture("torch/" + parameters), folder_ / "hf/pytorch_model.bin",
                          std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove_all(folder_ / "model");
    return run_heed({"import", "hf", folder_ / "hf", "-o", folder_ / "model"});
  }
  TemporaryFolder folder_;
};

TEST_F(TorchExchange, ImportedModelsTranslate) {
  const auto expected = expected_by_toolkit("marian");
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

// Models of many languages, for one pair of theirs.
using LanguageExchange = Exchange;
INSTANTIATE_TEST_SUITE_P(All, LanguageExchange, testing::Values("m2m", "nllb"),
                         [](const auto& name) { return name.param; });

TEST_P(LanguageExchange, ImportedModelsFindTheTextThatTransformersFinds) {
  holds({"--source-language", "--target-language", "text.NAME.language"});
  EXPECT_EQ(translation(folder_ / "model"), texts_);
  EXPECT_EQ(translation(folder_ / "model", "1"), texts_);
}

// The first token, which is forced, has probability 1 and counts in the length.
TEST_P(LanguageExchange, ImportedModelsHaveTheScoresOfTransformers) {
  for (const char* plain : {"0", "1"}) {
    const Outcome outcome = run_heed({"translate", folder_ / "model", "--nbest", "1"},
                                     {.input = sources_, .environment = {{"HEED_PLAIN", plain}}});
    std::istringstream lines(outcome.out);
    size_t i = 0;
    for (std::string line; std::getline(lines, line); ++i)
      EXPECT_NEAR(std::stod(line.substr(line.rfind("||| ") + 4)), scores_.at(i), 2e-4) << line;
    EXPECT_EQ(i, scores_.size()) << outcome.err;
  }
}

TEST_P(LanguageExchange, ALineNamesAnotherLanguage) {
  const bool is_nllb = GetParam() == "nllb";
  const std::string line = "the old man", own = is_nllb ? ">>eng_Latn<< " : ">>en<< ",
                    other = is_nllb ? ">>rus_Cyrl<< " : ">>ru<< ";
  const Outcome ids = run_heed({"tokenize", folder_ / "model", "--ids", "--side", "source"},
                               {.input = line + "\n" + own + line + "\n" + other + line + "\n"});
  ASSERT_EQ(ids.exit_code, 0) << ids.err;
  std::istringstream lines(ids.out);
  std::string plain, with_own, with_other;
  std::getline(lines, plain) && std::getline(lines, with_own) && std::getline(lines, with_other);
  EXPECT_EQ(plain, with_own);
  EXPECT_NE(plain, with_other);
  EXPECT_EQ(plain.substr(plain.find(' ')), with_other.substr(with_other.find(' ')));
}

// That of nllb has other pieces than its text has.
using PlottedLanguage = Exchange;
INSTANTIATE_TEST_SUITE_P(All, PlottedLanguage, testing::Values("m2m"),
                         [](const auto& name) { return name.param; });

TEST_P(PlottedLanguage, APlotIsOfTheTranslation) {
  write_plainly(folder_ / "source", sources_);
  write_plainly(folder_ / "text", texts_);
  const std::vector<std::string> plot = {"plot", "attention", folder_ / "model", "--input",
                                         folder_ / "source"};
  std::vector<std::string> of_text = plot;
  of_text.insert(of_text.end(), {"--target", folder_ / "text"});
  const Outcome own = run_heed(plot), given = run_heed(of_text);
  EXPECT_EQ(own.exit_code, 0) << own.err;
  EXPECT_EQ(own.out, given.out);
}

TEST_P(LanguageExchange, ImportedModelsAreFineTuned) {
  fine_tune(folder_);
  EXPECT_EQ(translation(folder_ / "tuned"), texts_);
}

}  // namespace
}  // namespace heed
