#include "metric/mecab.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "fixtures.h"
#include "metric/bleu.h"

namespace heed {
namespace {

// Skips the tests if MeCab is not installed, after checking the message, which names the packages
// to install.
class MeCabTest : public testing::Test {
 protected:
  void SetUp() override try { mecab_version(); } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), testing::HasSubstr("libmecab2 mecab-ipadic-utf8"));
    GTEST_SKIP() << error.what();
  }
  const nlohmann::json figures_ = test::read_cases("japanese.json");
};

TEST_F(MeCabTest, WordsEqualSacrebleus) {
  const Bleu bleu({.tokenizer = "ja-mecab"});
  for (const nlohmann::json& line : figures_["lines"])
    EXPECT_EQ(bleu.preprocess(line["hypothesis"].get<std::string>()),
              line["words"].get<std::string>());
}

TEST_F(MeCabTest, ScoreAndSignatureEqualSacrebleus) {
  const Bleu bleu({.tokenizer = "ja-mecab"});
  Lines hypotheses, references;
  for (const nlohmann::json& line : figures_["lines"]) {
    hypotheses.push_back(line["hypothesis"]);
    references.push_back(line["reference"]);
  }
  EXPECT_NEAR(bleu.score(hypotheses, {references}).value, figures_["score"], 1e-6);
  EXPECT_THAT(bleu.signature(1),
              testing::HasSubstr("|tok:" + figures_["tokenizer"].get<std::string>() + "|"));
}

}  // namespace
}  // namespace heed
