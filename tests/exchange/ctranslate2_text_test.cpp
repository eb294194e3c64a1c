// Tokenizers of models of CTranslate2, which its format does not have.
#include "exchange/ctranslate2_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "exchange/fixtures.h"
#include "exchange/imports.h"
#include "holds.h"
#include "one_thread.h"

namespace heed {
namespace {

using nlohmann::json;

std::filesystem::path ctranslate2_model(const std::string& name) {
  return exchange_fixture("ctranslate2/" + name) / "model";
}

// The trained model of MarianMT, whose SentencePiece models are files beside it.
class PieceModels : public testing::Test {
 protected:
  PieceModels() {
    const auto from = exchange_fixture("ctranslate2/opus");
    for (const char* file : {"config.json", "shared_vocabulary.json", "source.spm", "target.spm"})
      std::filesystem::copy(from / file, folder_ / file);
    std::filesystem::copy(from / "int8.bin", folder_ / "model.bin");
  }
  LoadedModel import(const CTranslate2TextOptions& options = {}) const {
    return import_ctranslate2(folder_.path(), {.text = options});
  }
  TemporaryFolder folder_;
};

TEST_F(PieceModels, AreFoundByTheirContent) {
  const LoadedModel named = import();
  std::filesystem::rename(folder_ / "target.spm", folder_ / "spm.target.model");
  const LoadedModel found = import();
  for (const char* side : {"source", "target"}) {
    EXPECT_EQ(found.codecs.at(side)->encode("the old Hund"),
              named.codecs.at(side)->encode("the old Hund"));
    EXPECT_EQ(found.codecs.at(side)->vocabulary(), named.codecs.at(side)->vocabulary());
  }
}

TEST_F(PieceModels, ThatFitAreChosenByAnOption) {
  holds({"--source-spm", "--target-spm"});
  const LoadedModel before = import();
  std::filesystem::rename(folder_ / "source.spm", folder_ / "one.model");
  std::filesystem::rename(folder_ / "target.spm", folder_ / "two.model");
  EXPECT_ERROR(import(), ErrorKind::kModel,
               "2 SentencePiece models fit the vocabulary of the source: ");
  EXPECT_ERROR(import(), ErrorKind::kModel, "choose by --source-spm");
  const LoadedModel chosen = import({.source_spm = (folder_ / "one.model").string(),
                                     .target_spm = (folder_ / "two.model").string()});
  EXPECT_EQ(chosen.codecs.at("target")->encode("der Hund"),
            before.codecs.at("target")->encode("der Hund"));
  EXPECT_ERROR(import({.source_spm = (folder_ / "config.json").string()}), ErrorKind::kModel,
               "config.json");
}

TEST_F(PieceModels, ThatAreMissingAreAskedFor) {
  holds({"--tokenized"});
  std::filesystem::remove(folder_ / "source.spm");
  std::filesystem::remove(folder_ / "target.spm");
  EXPECT_ERROR(import(), ErrorKind::kModel, "name it by --source-spm, or give --tokenized");
  const LoadedModel model = import({.tokenized = true});
  const Codec& codec = *model.codecs.at("source");
  const Ids ids = codec.encode("\xE2\x96\x81the d");
  EXPECT_EQ(codec.vocabulary().piece(ids[0]), "\xE2\x96\x81the");
  EXPECT_EQ(model.codecs.at("target"), model.codecs.at("source"));
}

TEST_F(PieceModels, OfADamagedFileSayWhichItIs) {
  const std::string whole = read_plainly(folder_ / "source.spm");
  for (const std::string& bytes : {whole.substr(0, 100), std::string(), "\x0b" + whole.substr(1)}) {
    write_plainly(folder_ / "source.spm", bytes);
    EXPECT_ERROR(import(), ErrorKind::kModel, "source.spm");
  }
}

TEST(WordsOfCTranslate2, AreJoinedWhereTheirVocabularyHasJoiners) {
  const TemporaryFolder folder;
  std::filesystem::copy(ctranslate2_model("shape_gated"), folder / "model");
  const auto file = folder / "model/target_vocabulary.json";
  json tokens = json::parse(read_plainly(file));
  tokens[5] = "le@@";
  tokens[6] = "n";
  write_plainly(file, tokens.dump());
  const LoadedModel model = import_ctranslate2(folder / "model");
  const Codec &source = *model.codecs.at("source"), &target = *model.codecs.at("target");
  EXPECT_EQ(target.decode(target.encode("le@@ n ein")), "len ein");
  EXPECT_EQ(source.decode(source.encode("the old dog")), "the old dog");
}

// metadata.json, model/ and sentencepiece.model.
class ArgosPackage : public testing::Test {
 protected:
  ArgosPackage() {
    std::filesystem::copy(ctranslate2_model("opennmt"), folder_ / "model");
    std::filesystem::rename(folder_ / "model/sentencepiece.model", folder_ / "sentencepiece.model");
    write_metadata({{"from_code", "en"}, {"to_code", "de"}, {"package_version", "1.0"}});
  }
  void write_metadata(const json& metadata) const {
    write_plainly(folder_ / "metadata.json", metadata.dump());
  }
  TemporaryFolder folder_;
};

TEST_F(ArgosPackage, IsImportedAsItIs) {
  holds({"heed import ctranslate2"});
  for (const auto& path : {folder_.path(), folder_ / "model", folder_ / "model/"}) {
    const LoadedModel model = import_ctranslate2(path);
    EXPECT_EQ(model.config.search.beam, 4);
    EXPECT_EQ(model.config.search.length_penalty, 0.2);
    EXPECT_FALSE(model.config.model.source_end);
    EXPECT_EQ(model.config.source_language, "en");
    EXPECT_EQ(model.config.target_language, "de");
    EXPECT_EQ(model.codecs.at("source"), model.codecs.at("target"));
    const Codec& codec = *model.codecs.at("source");
    EXPECT_EQ(codec.decode(codec.encode("old man")), "old man");
  }
}

TEST_F(ArgosPackage, BeginsTargetsWithItsPrefix) {
  const json tokens = json::parse(read_plainly(folder_ / "model/shared_vocabulary.json"));
  const std::string token = tokens.back();
  write_metadata({{"target_prefix", token}});
  const LoadedModel model = import_ctranslate2(folder_.path());
  const auto opening = model.codecs.at("target")->opening();
  ASSERT_TRUE(opening);
  const CTranslate2ImportOptions without{};
  write_metadata(json::object());
  const LoadedModel plain = import_ctranslate2(folder_.path(), without);
  EXPECT_EQ(*opening, plain.codecs.at("target")->vocabulary().id(token));
  EXPECT_FALSE(plain.codecs.at("target")->opening());
  write_metadata({{"target_prefix", "no such token"}});
  EXPECT_ERROR(import_ctranslate2(folder_.path()), ErrorKind::kUsage,
               "--target-language is 'no such token'");
  write_metadata({{"type", "sbd"}});
  EXPECT_ERROR(import_ctranslate2(folder_.path()), ErrorKind::kModel,
               "type is 'sbd', expected translate");
}

TEST(LanguagesOfCTranslate2, AreChosenByCodes) {
  holds({"--source-language", "--target-language"});
  const auto import = [](const HfLanguages& languages, const std::string& name = "nllb") {
    return import_ctranslate2(ctranslate2_model(name), {.text = {.languages = languages}});
  };
  const auto expect_usage = [&](const HfLanguages& languages, const std::string& part) {
    EXPECT_ERROR(import(languages), ErrorKind::kUsage, part);
  };
  expect_usage({},
               "--source-language is missing and --target-language is missing, expected codes "
               "of its languages: deu_Latn eng_Latn rus_Cyrl");
  expect_usage({"eng_Latn", "de"}, "--target-language is 'de'");
  EXPECT_ERROR(import({"", "fr"}, "transliteration"), ErrorKind::kUsage,
               "--target-language is 'fr', expected a token of its vocabulary");
  EXPECT_ERROR(import({"en", ""}, "transliteration"), ErrorKind::kUsage,
               "source_vocabulary.txt: --source-language is 'en', expected a token of its");
  const LoadedModel model = import({"eng_Latn", "rus_Cyrl"});
  for (const auto& [side, token] :
       {std::pair{"source", ">>eng_Latn<<"}, {"target", ">>rus_Cyrl<<"}}) {
    const Codec& codec = *model.codecs.at(side);
    const Ids ids = codec.encode("der Hund");
    EXPECT_EQ(codec.vocabulary().piece(ids.front()), token);
    EXPECT_EQ(codec.decode(ids), "der Hund");
  }
}

// decoder_start_token: null
TEST(LanguagesOfCTranslate2, BeginTheTargetWhereNothingElseDoes) {
  const TemporaryFolder folder;
  std::filesystem::copy(ctranslate2_model("nllb"), folder / "model");
  json config = json::parse(read_plainly(folder / "model/config.json"));
  config["decoder_start_token"] = nullptr;
  write_plainly(folder / "model/config.json", config.dump());
  const LoadedModel model =
      import_ctranslate2(folder / "model", {.text = {.languages = {"eng_Latn", "deu_Latn"}}});
  EXPECT_FALSE(model.codecs.at("target")->opening());
  const auto row_of = [](const LoadedModel& of, int64_t id) {
    return tensors_of(*of.network).at("target.embedding")[id].clone();
  };
  const LoadedModel usual = import_ctranslate2(ctranslate2_model("nllb"),
                                               {.text = {.languages = {"eng_Latn", "deu_Latn"}}});
  const int64_t language = usual.codecs.at("target")->vocabulary().id(">>deu_Latn<<");
  ASSERT_NE(language, kUnknown);
  EXPECT_TRUE(row_of(model, kBegin).equal(row_of(usual, language)));
}

// CTranslate2 may not say it: then the token that begins a target decides, or the user.
TEST(SourceEnds, AreThoseOfTheToolkitOrOfAnOption) {
  holds({"--source-end"});
  const auto ends = [](const std::string& name, std::optional<bool> chosen) {
    return import_ctranslate2(ctranslate2_model(name), {.text = {}, .source_end = chosen})
        .config.model.source_end;
  };
  EXPECT_FALSE(ends("opennmt", std::nullopt));
  EXPECT_TRUE(ends("opennmt", true));
  EXPECT_TRUE(ends("shape_relative", std::nullopt));
  EXPECT_FALSE(ends("shape_relative", false));
}

}  // namespace
}  // namespace heed
