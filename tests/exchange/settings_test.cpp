// Settings of imported models that heed does not have, and of heed that other formats lack.
#include <gmock/gmock.h>
#include <algorithm>
#include <fstream>

#include "nn/torch.h"

#include "base/temporary_folder.h"
#include "captured_log.h"
#include "exchange/exports.h"
#include "exchange/fixtures.h"
#include "exchange/imports.h"
#include "one_thread.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class HfSettings : public testing::Test {
 protected:
  using Json = nlohmann::json;
  HfSettings() {
    std::filesystem::copy(exchange_fixture("marian"), folder_ / "hf",
                          std::filesystem::copy_options::recursive);
  }
  void set(const std::string& file, const Json& settings) const {
    Json all = Json::parse(read_plainly(folder_ / "hf" / file));
    all.update(settings);
    write_plainly(folder_ / "hf" / file, all.dump());
  }
  LoadedModel imported() const { return import_hf(folder_ / "hf"); }
  std::string warnings() const {
    CapturedLog log("warn");
    imported();
    return log.end();
  }
  TemporaryFolder folder_;
};

TEST_F(HfSettings, OfGenerationThatSearchDoesNotHaveAreNamed) {
  EXPECT_EQ(warnings(), "");
  set("generation_config.json", {{"early_stopping", true},
                                 {"encoder_no_repeat_ngram_size", 3},
                                 {"exponential_decay_length_penalty", {5, 1.1}},
                                 {"bad_words_ids", {{60}, {5, 6}}},
                                 {"repetition_penalty", 0.9},
                                 {"num_beam_groups", 1},
                                 {"top_k", 50},
                                 {"use_cache", false},
                                 {"knowledge", "deep"}});
  EXPECT_THAT(warnings(),
              AllOf(HasSubstr("early_stopping (true), encoder_no_repeat_ngram_size (3), "
                              "exponential_decay_length_penalty ([5,1.1])\n"),
                    HasSubstr("[[5,6]]"), HasSubstr("repetition_penalty is 0.9"),
                    HasSubstr("unknown settings are left out: knowledge (\"deep\")\n")));
  set("generation_config.json", {{"max_length", 100000}});
  EXPECT_THAT(warnings(), HasSubstr("generation_config.json: translations have at most 99998 "
                                    "tokens by max_length; heed's search ends after 65000\n"));
  set("generation_config.json",
      {{"do_sample", true}, {"repetition_penalty", 1.2}, {"num_beams", 1}});
  EXPECT_THAT(warnings(),
              AllOf(HasSubstr("top_k (50)"), HasSubstr("do_sample is true"),
                    HasSubstr("repetition_penalty is 1.2 and num_beams 1"),
                    HasSubstr("normalizes log-probabilities again after repetition_penalty")));
}

TEST_F(HfSettings, OfModelAndTokenizerThatAreUnknownAreNamed) {
  set("config.json", {{"num_beams", 9},
                      {"max_length", 40},
                      {"prefix", ">>deu<< "},
                      {"static_position_embeddings", true},
                      {"normalize_embedding", true},
                      {"mixture", {{"experts", 4}}}});
  set("tokenizer_config.json", {{"model_max_length", 512}, {"clean_up_tokenization_spaces", true}});
  EXPECT_THAT(warnings(),
              AllOf(HasSubstr("generation_config.json instead: num_beams (9)\n"),
                    HasSubstr("mixture ({\"experts\":4}), normalize_embedding (true), prefix"),
                    HasSubstr("clean_up_tokenization_spaces (true)\n")));
  EXPECT_EQ(imported().config.search.beam, 5);
  std::filesystem::remove(folder_ / "hf/generation_config.json");
  EXPECT_THAT(warnings(), testing::Not(HasSubstr("instead")));
  EXPECT_EQ(imported().config.search.beam, 9);
}

TEST_F(HfSettings, ThatTheOtherFormatDoesNotHaveAreNamed) {
  set("generation_config.json", {{"suppress_tokens", {7}}, {"min_new_tokens", 4}});
  const LoadedModel model = imported();
  for (const char* name : {"again", "ct2"}) std::filesystem::create_directory(folder_ / name);
  {
    CapturedLog log("warn");
    export_hf(model, folder_ / "again");
    EXPECT_EQ(log.end(), "");
  }
  const auto written = Json::parse(read_plainly(folder_ / "again/generation_config.json"));
  EXPECT_EQ(written["min_new_tokens"], 4);
  EXPECT_EQ(written["max_length"], 40);
  const auto tokens = Json::parse(read_plainly(folder_ / "hf/vocab.json")),
             own = Json::parse(read_plainly(folder_ / "again/vocab.json"));
  ASSERT_EQ(written["suppress_tokens"].size(), 1u);
  for (const auto& [token, id] : own.items()) {
    if (id == written["suppress_tokens"][0]) {
      EXPECT_EQ(tokens[token], 7);
    }
  }
  CapturedLog log;
  export_ctranslate2(model, folder_ / "ct2");
  EXPECT_THAT(log.end(), AllOf(HasSubstr("translate_batch(beam_size=5, length_penalty=0.5, "),
                               HasSubstr("min_decoding_length=4, max_decoding_length=38")));
}

// Checkpoints of OpenNMT-py do not have these settings.
TEST(SettingsOfJoeynmt, AreThoseOfSearchOrAreNamed) {
  const TemporaryFolder folder;
  std::filesystem::copy(exchange_fixture("joeynmt/default") / "model", folder / "joey");
  std::string text = read_plainly(folder / "joey/config.yaml");
  const std::string beam = "beam_size: 5";
  ASSERT_NE(text.find(beam), std::string::npos);
  write_plainly(folder / "joey/config.yaml",
                text.replace(text.find(beam), beam.size(),
                             "beam_size: 3\n  max_output_length: 17\n  repetition_penalty: 1.3\n  "
                             "nucleus: 0.9\n  n_best: 2"));
  CapturedLog log("warn");
  const SearchConfig search = import_joeynmt(folder / "joey").config.search;
  EXPECT_THAT(log.end(), HasSubstr("config.yaml: testing: settings that heed's search does not "
                                   "have are left out: n_best (2), nucleus (0.9)\n"));
  EXPECT_EQ(search.beam, 3);
  EXPECT_EQ(search.max_length_ratio, 0);
  EXPECT_EQ(search.max_length_extra, 17);
  EXPECT_EQ(search.repetition_penalty, 1.3);
}

}  // namespace
}  // namespace heed
