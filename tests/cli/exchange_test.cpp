// Models of transformers: the program imports, translates with, fine-tunes and exports them.
#include <gmock/gmock.h>

#include <regex>
#include <set>
#include <sstream>

#include "cli/fine_tuning.h"
#include "exchange/fixtures.h"
#include "holds.h"

namespace heed {
namespace {

using testing::HasSubstr;

// Names in a folder, hidden ones too.
std::string list_of(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename());
  std::string list;
  for (const std::string& name : names) list += name + " ";
  return list;
}

std::vector<std::string> languages_of(const std::string& name) {
  if (name == "m2m") return {"--source-language", "en", "--target-language", "de"};
  if (name.starts_with("mbart"))
    return {"--source-language", "en_XX", "--target-language", "de_DE"};
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

// scripts/fixtures/t5_models.py, bart_models.py
using GreedyExchange = Exchange;
INSTANTIATE_TEST_SUITE_P(All, GreedyExchange,
                         testing::Values("t5", "t5_gated", "umt5", "bart", "bart_text", "mbart",
                                         "mbart_cc25"),
                         [](const auto& name) { return name.param; });

TEST_P(GreedyExchange, FindsTheTextThatTransformersFinds) {
  std::string greedy;
  const auto expected = expected_by_toolkit(GetParam());
  for (const auto& one : expected["cases"]) greedy += one["greedy"].get<std::string>() + "\n";
  const std::string model = folder_ / "model";
  EXPECT_EQ(translation(model), texts_);
  EXPECT_EQ(run_heed({"translate", model, "--beam", "1"}, {.input = sources_}).out, greedy);
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

TEST_P(Exchange, ExportsToCTranslate2InEightBitsToo) {
  holds({"--precision"});
  const std::string model = folder_ / "model";
  const auto size_of = [&](const std::string& precision) {
    const std::string folder = folder_ / precision;
    const Outcome outcome =
        run_heed({"export", "ctranslate2", model, folder, "--precision", precision});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return std::filesystem::file_size(std::filesystem::path(folder) / "model.bin");
  };
  EXPECT_LT(size_of("int8"), size_of("fp32"));
  EXPECT_FAILS(run_heed({"export", "ctranslate2", model, folder_ / "other", "--precision", "int4"}),
               2, "--precision: int4");
  EXPECT_FAILS(run_heed({"export", "hf", model, folder_ / "other", "--precision", "int8"}), 2,
               "--precision");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other"));
}

// directions.json has what transformers finds in each (scripts/fixtures/directions.py).
class ManyDirections : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    const Outcome outcome = run_heed({"import", "hf", exchange_fixture(GetParam()), "-o", model_});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("heed translate --target-language CODE"));
    cases_ = nlohmann::json::parse(read_plainly(exchange_fixture(GetParam()) / "directions.json"));
    ASSERT_EQ(cases_.size(), 18u);
  }
  // The texts of the cases, each in a line.
  std::string expected(const char* key) const {
    std::string lines;
    for (const auto& one : cases_) lines += one[key].get<std::string>() + "\n";
    return lines;
  }
  // Translations of each case by itself, in its direction.
  std::string found(const std::string& model, const char* beam) const {
    std::string lines;
    for (const auto& one : cases_) {
      const Outcome outcome =
          run_heed({"translate", model, "--beam", beam, "--source-language",
                    one["source_language"].get<std::string>(), "--target-language",
                    one["target_language"].get<std::string>()},
                   {.input = one["source"].get<std::string>() + "\n"});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      lines += outcome.out;
    }
    return without_unknown(lines);
  }
  // transformers leaves <unk> out.
  static std::string without_unknown(const std::string& text) {
    return std::regex_replace(text, std::regex("<unk>"), "");
  }
  std::string lines_with_languages() const {
    std::string lines;
    for (const auto& one : cases_)
      lines +=
          fmt::format(">>{}<< >>{}<< {}\n", one["source_language"].get<std::string>(),
                      one["target_language"].get<std::string>(), one["source"].get<std::string>());
    return lines;
  }
  TemporaryFolder folder_;
  std::string model_ = folder_ / "model";
  nlohmann::json cases_;
};
INSTANTIATE_TEST_SUITE_P(All, ManyDirections, testing::Values("m2m", "nllb", "mbart"),
                         [](const auto& name) { return name.param; });

TEST_P(ManyDirections, FindTheTextsOfTransformers) {
  holds({"--source-language", "--target-language", "text.NAME.many_languages"});
  EXPECT_EQ(found(model_, "1"), expected("greedy"));
  EXPECT_EQ(found(model_, "4"), expected("text"));
}

TEST_P(ManyDirections, AreChosenByEveryCommandThatTranslates) {
  holds({"heed evaluate --source-language", "heed evaluate --target-language",
         "heed summarize --source-language", "heed summarize --target-language",
         "heed plot attention --source-language", "heed plot attention --target-language"});
  const auto& one = *std::ranges::find_if(
      cases_, [](const auto& each) { return each["source_language"] != each["target_language"]; });
  const std::string source = one["source"].get<std::string>() + "\n";
  const Arguments direction{"--source-language", one["source_language"].get<std::string>(),
                            "--target-language", one["target_language"].get<std::string>()};
  write_plainly(folder_ / "source", source);
  write_plainly(folder_ / "text", one["text"].get<std::string>() + "\n");
  const Outcome evaluated =
      run_heed(joined({"evaluate", "--model", model_, "-s", folder_ / "source", "-r",
                       folder_ / "text", "-m", "exact", "--beam", "4"},
                      direction));
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const std::string found =
      run_heed(joined({"translate", model_, "--beam", "4"}, direction), {.input = source}).out;
  EXPECT_EQ(evaluated.out.find("100.0") != std::string::npos,
            found == one["text"].get<std::string>() + "\n")
      << evaluated.out << found;
  const auto in_direction = [&](const Arguments& command) {
    const Outcome outcome = run_heed(joined(command, direction), {.input = source});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_FALSE(in_direction({"summarize", model_}).empty());
  EXPECT_FALSE(in_direction({"plot", "attention", model_}).empty());
  const Outcome without = run_heed({"plot", "attention", model_}, {.input = source});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("give --target-language"));
}

TEST_P(ManyDirections, AreThoseOfEachLineToo) {
  for (const char* plain : {"0", "1"}) {
    const Outcome outcome =
        run_heed({"translate", model_, "--beam", "4"},
                 {.input = lines_with_languages(), .environment = {{"HEED_PLAIN", plain}}});
    EXPECT_EQ(without_unknown(outcome.out), expected("text")) << outcome.err;
  }
}

TEST_P(ManyDirections, StayInPackedModels) {
  const std::string packed = folder_ / "model.heed";
  const Outcome outcome = run_heed({"pack", model_, "-o", packed, "--precision", "fp32"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(
      without_unknown(
          run_heed({"translate", packed, "--beam", "4"}, {.input = lines_with_languages()}).out),
      expected("text"));
}

TEST_P(ManyDirections, OfAPairAreThoseOfAModelOfThePair) {
  const auto& one = cases_[2];
  const std::vector<std::string> languages = {
      "--source-language", one["source_language"].get<std::string>(), "--target-language",
      one["target_language"].get<std::string>()};
  const std::string pair = folder_ / "pair";
  ASSERT_EQ(run_heed(joined({"import", "hf", exchange_fixture(GetParam()), "-o", pair}, languages))
                .exit_code,
            0);
  write_plainly(folder_ / "source", "the old man sees a dog\n\ndogs\n");
  write_plainly(folder_ / "target", "der alte Hund\nder\n\n");
  const auto output = [&](const std::vector<std::string>& arguments) {
    const Outcome outcome = run_heed(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  const std::vector<std::string> scored = {"-s", folder_ / "source", "-t", folder_ / "target"};
  EXPECT_EQ(output(joined(joined({"score", model_}, scored), languages)),
            output(joined({"score", pair}, scored)));
  const std::vector<std::string> aligned = {
      "-i", folder_ / "source", "--alignments", folder_ / "links", "--beam", "4"};
  output(joined(joined({"translate", model_}, aligned), languages));
  const std::string links = read_plainly(folder_ / "links");
  output(joined({"translate", pair}, aligned));
  EXPECT_EQ(read_plainly(folder_ / "links"), links);
}

TEST_P(ManyDirections, OfUnknownLanguagesAreRefused) {
  const std::string code = cases_[0]["source_language"];
  const RunSettings a_line{.input = "a\n"};
  EXPECT_FAILS(run_heed({"translate", model_}, a_line), 3,
               "line 1: its source language is not known");
  EXPECT_FAILS(run_heed({"translate", model_, "--source-language", code}, a_line), 3,
               "line 1: its target language is not known");
  EXPECT_FAILS(run_heed({"translate", model_, "--source-language", "xyz"}, a_line), 2,
               "source language: found 'xyz', expected a language of the model");
  write_plainly(folder_ / "source", "a\n");
  EXPECT_FAILS(run_heed({"score", model_, "-s", folder_ / "source", "-t", folder_ / "source"}), 3,
               "does not name its language");
}

TEST(ArgosPackages, ComeBackWithTheSameText) {
  SKIP_WITHOUT_TENSORS();
  holds({"heed export argos", "heed import argos", "--source-language", "--target-language",
         "--precision"});
  const TemporaryFolder folder;
  const std::string model = folder / "model", package = folder / "en-de.argosmodel";
  const auto expect_done = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = run_heed(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  };
  const auto translation = [](const std::string& of) {
    return run_heed({"translate", of, "--beam", "2", "--length-penalty", "1", "--max-length", "30"},
                    {.input = "old man\nthe dog\n"})
        .out;
  };
  expect_done(
      {"import", "ctranslate2", exchange_fixture("ctranslate2/opennmt") / "model", "-o", model});
  EXPECT_FAILS(run_heed({"export", "argos", model, package}), 2,
               "the model does not name its languages; give --source-language CODE");
  EXPECT_FALSE(std::filesystem::exists(package));
  const std::vector<std::string> languages = {"--source-language", "en", "--target-language", "de"};
  expect_done(joined({"export", "argos", model, package, "--precision", "fp32"}, languages));
  EXPECT_FAILS(run_heed(joined({"export", "argos", model, package}, languages)), 2,
               "exists already");
  expect_done({"import", "argos", package, "-o", folder / "back"});
  EXPECT_EQ(translation(folder / "back"), translation(model));
  EXPECT_THAT(read_plainly(folder / "back/config.yaml"), HasSubstr("source_language: en"));
  const std::string small = folder / "small.argosmodel";
  expect_done(joined({"export", "argos", model, small}, languages));
  EXPECT_LT(std::filesystem::file_size(small), std::filesystem::file_size(package));
  // Nothing stays beside them.
  EXPECT_EQ(list_of(folder.path()), "back en-de.argosmodel model small.argosmodel ");
}

// Copy of a model folder with changed settings.
class ChangedSettings : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  using Json = nlohmann::json;
  void copy(const std::string& name) {
    std::filesystem::remove_all(folder_ / "hf");
    std::filesystem::copy(exchange_fixture(name), folder_ / "hf");
    name_ = name;
  }
  void set(const std::string& file, const Json& settings) const {
    Json all = Json::parse(read_plainly(folder_ / "hf" / file));
    all.update(settings);
    write_plainly(folder_ / "hf" / file, all.dump());
  }
  Outcome import() const {
    std::filesystem::remove_all(folder_ / "model");
    return run_heed(
        joined({"import", "hf", folder_ / "hf", "-o", folder_ / "model"}, languages_of(name_)));
  }
  // Text without <unk>, which transformers leaves out, and without the forced language.
  static std::string text_of(const Json& translation) {
    const std::string text = translation["text"];
    return std::regex_replace(text, std::regex("^>>deu<< ?|<unk>| +$"), "");
  }
  TemporaryFolder folder_;
  std::string name_;
};
INSTANTIATE_TEST_SUITE_P(All, ChangedSettings,
                         testing::Values("marian", "separate", "pegasus", "m2m", "nllb"),
                         [](const auto& name) { return name.param; });

// generation.json has the texts that transformers generates with each variant.
TEST_P(ChangedSettings, OfGenerationFindTheTextOfTransformers) {
  holds(
      {"--repetition-penalty", "--min-new-tokens", "--suppress-tokens", "--begin-suppress-tokens"});
  const auto variants = Json::parse(read_plainly(exchange_fixture(GetParam()) / "generation.json"));
  ASSERT_GE(variants.size(), 6u);
  int compared = 0;
  for (const Json& variant : variants) {
    SCOPED_TRACE(variant["settings"].dump());
    copy(GetParam());
    set("generation_config.json", variant["settings"]);
    const Outcome outcome = import();
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::string sources;
    for (const Json& one : variant["cases"]) sources += one["source"].get<std::string>() + "\n";
    const Outcome found =
        run_heed({"translate", folder_ / "model", "--format", "json"}, {.input = sources});
    const auto lines = lines_of(found.out);
    ASSERT_EQ(lines.size(), variant["cases"].size()) << found.err;
    // renormalize_logits changes the scores of transformers if tokens are suppressed at some
    // positions.
    const bool same_scores =
        outcome.err.find("renormalize_logits") == std::string::npos && found.err.empty();
    for (size_t i = 0; i < lines.size(); ++i) {
      const Json expected = variant["cases"][i], best = Json::parse(lines[i])["translations"][0];
      const bool is_greedy = expected["score"].is_null();
      // At the maximum length </s> has probability 1, so that another translation may be the best.
      constexpr size_t kMayBeCut = 35;  // characters, of 38 tokens
      if (!is_greedy && (!best["finished"] || text_of(expected).size() > kMayBeCut)) continue;
      ++compared;
      if (text_of(best) == text_of(expected)) {
        if (same_scores && !is_greedy) {
          EXPECT_NEAR(best["score"].get<double>(), expected["score"].get<double>(), 1e-3);
        }
        continue;
      }
      // Beam search of transformers may end before it finds the best translation.
      EXPECT_TRUE(!is_greedy && best["score"].get<double>() > expected["score"].get<double>())
          << expected["source"] << ": " << best << ", expected " << expected;
    }
  }
  EXPECT_GE(compared, 6);
}

// A MarianMT model, trained briefly and converted by CTranslate2, with the translations that
// CTranslate2 finds by beam search (scripts/fixtures/ctranslate2_models.py).
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
  EXPECT_FAILS(import({"--source-language", "en"}), 2, "--source-language is 'en'");
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

// Parameters are in a file of torch.save() instead of model.safetensors.
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

// Multilingual models, imported for one language pair.
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

TEST_P(LanguageExchange, ATranslationWithoutTextHasNoAlignment) {
  const Outcome outcome = run_heed(
      {"translate", folder_ / "model", "--max-length", "1", "--alignments", folder_ / "alignments"},
      {.input = "the old man\n"});
  EXPECT_EQ(outcome.out, "\n") << outcome.err;
  EXPECT_EQ(read_plainly(folder_ / "alignments"), "\n");
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

// nllb is left out: its translation has other pieces than the text of the translation.
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
