// Models of CTranslate2, and what it computes by them (scripts/fixtures/ctranslate2_models.py).
#include "exchange/imports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include "base/error.h"
#include "base/temporary_folder.h"
#include "exchange/fixtures.h"
#include "exchange/log_probs.h"
#include "holds.h"
#include "inference/engine_shape.h"
#include "one_thread.h"

namespace heed {
namespace {

using nlohmann::json;

struct Fixture {
  std::string name;
  HfLanguages languages{};
  std::string source_start{}, target_start{};  // tokens of the languages
};

CTranslate2ImportOptions options_of(const Fixture& fixture) {
  return {.text = {.languages = fixture.languages}};
}

// Log-probabilities of the given targets, the tokens of their languages and ends among them.
void expect_log_probs(const LoadedModel& model, const json& cases, const Fixture& fixture) {
  const Codec &source = *model.codecs.at("source"), &target = *model.codecs.at("target");
  for (const json& one : cases) {
    const auto in_heed = [](const std::string& token, const std::string& start,
                            const std::string& code) {
      return !start.empty() && token == start ? ">>" + code + "<<" : token;
    };
    Ids source_ids, target_ids;
    for (const std::string token : one["source"])
      source_ids.push_back(own_id(source.vocabulary(),
                                  in_heed(token, fixture.source_start, fixture.languages.source)));
    if (source_ids.back() == kEnd) source_ids.pop_back();
    EXPECT_EQ(source.encode(one["text"].get<std::string>()), source_ids) << one["text"];
    if (!fixture.target_start.empty())
      target_ids.push_back(target.vocabulary().id(fmt::format(">>{}<<", fixture.languages.target)));
    for (const std::string token : one["target"])
      target_ids.push_back(own_id(target.vocabulary(), token));
    const Tensor found = log_probs_of(model, source_ids, target_ids);
    target_ids.push_back(kEnd);
    ASSERT_EQ(found.size(0), std::ssize(one["log_probs"]));
    for (int64_t t = 0; t < found.size(0); ++t) {
      const double expected = one["log_probs"][static_cast<size_t>(t)];
      EXPECT_NEAR(found[t][target_ids[static_cast<size_t>(t)]].item<double>(), expected,
                  1e-4 - 1e-6 * expected)
          << one["text"] << " " << t;
    }
  }
}

class ModelsOfCTranslate2 : public testing::TestWithParam<Fixture> {};
INSTANTIATE_TEST_SUITE_P(
    All, ModelsOfCTranslate2,
    testing::Values(Fixture{"transliteration"}, Fixture{"transliteration_v1"},
                    Fixture{"m2m", {"en", "de"}, "__en__", "__de__"},
                    Fixture{"nllb", {"eng_Latn", "deu_Latn"}, "eng_Latn", "deu_Latn"},
                    Fixture{"opennmt"}, Fixture{"shape_no_final_norm"}, Fixture{"shape_gated"},
                    Fixture{"shape_sigmoid"}, Fixture{"shape_relative"},
                    Fixture{"shape_one_key_head"}, Fixture{"version_3"}, Fixture{"version_5"}),
    [](const auto& fixture) { return fixture.param.name; });

TEST_P(ModelsOfCTranslate2, HaveItsLogProbabilities) {
  holds({"heed import ctranslate2", "model.source_end"});
  const std::string folder = "ctranslate2/" + GetParam().name;
  const LoadedModel model =
      import_ctranslate2(exchange_fixture(folder) / "model", options_of(GetParam()));
  expect_log_probs(model, expected_by_toolkit(folder), GetParam());
  EXPECT_TRUE(engine_shape(model.config)) << "translation needs libtorch";
}

// A copy of the trained model of MarianMT in one of its precisions.
class TrainedModel {
 public:
  explicit TrainedModel(const std::string& precision) {
    for (const char* file : {"config.json", "shared_vocabulary.json", "source.spm", "target.spm"})
      std::filesystem::copy(of(file), folder_ / file);
    std::filesystem::copy(of(precision + ".bin"), folder_ / "model.bin");
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  static std::filesystem::path of(const std::string& file) {
    return exchange_fixture("ctranslate2/opus") / file;
  }
  TemporaryFolder folder_;
};

class Precisions : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Precisions,
                         testing::Values("float32", "int8", "int8_float32", "int8_float16",
                                         "int8_bfloat16", "int16", "float16", "bfloat16"),
                         [](const auto& name) { return name.param; });

TEST_P(Precisions, AreReadAsCTranslate2ReadsThem) {
  holds({"heed import ctranslate2"});
  const json expected = expected_by_toolkit("ctranslate2/opus");
  expect_log_probs(import_ctranslate2(TrainedModel(GetParam()).path()), expected[GetParam()], {});
}

TEST(ImportedFromCTranslate2, HasTheSettingsOfTranslateBatch) {
  const LoadedModel model = import_ctranslate2(TrainedModel("float32").path());
  EXPECT_EQ(model.config.search.beam, 2);
  EXPECT_EQ(model.config.search.min_length, 1);
  EXPECT_EQ(model.config.search.length_normalization, LengthNormalization::kPlain);
  EXPECT_EQ(model.config.search.max_length(5), 256);
  EXPECT_TRUE(model.config.model.source_end);
  // The model has no padding token, and begins targets with an embedding of zeros.
  const Tensor found = log_probs_of(model, {5, 6}, {7});
  for (const int64_t id : {kPad, kBegin})
    EXPECT_LT(found.select(1, id).max().item<double>(), -50) << id;
}

}  // namespace
}  // namespace heed
