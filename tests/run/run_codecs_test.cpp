// Vocabularies of a run that starts from a model.
#include "run/run_codecs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>

#include "holds.h"
#include "run/checked_config.h"
#include "text/words.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A model of the letters a to j, or of other words, with one vocabulary for both sides.
class StepsFromAModel final : public StepsWithoutNetwork {
 public:
  explicit StepsFromAModel(const std::vector<std::string>& words) {
    const auto codec = std::make_shared<const Codec>(std::make_shared<WordTokenizer>("", false),
                                                     std::make_shared<const Vocabulary>(words));
    model_.config.sources = {"source"};
    model_.config.text["source"].tokenizer = make_kind<WordsConfig>("words");
    model_.config.text[kTargetSide].tokenizer->share = "source";
    model_.codecs = {{"source", codec}, {kTargetSide, codec}};
  }
  const ModelText* initial_model(const InitConfig& /*init*/) override { return &model_; }

 private:
  ModelText model_;
};

class ExtendedVocabulary : public CheckedConfig {
 protected:
  ExtendedVocabulary() {
    write("train.src", text_);
    write("train.tgt", text_);
  }
  // Messages of a run that extends the vocabulary of a model.
  static std::string extended(const std::string& text) {
    StepsFromAModel steps({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"});
    return findings({"init.model=base", "init.extend_vocabulary=true",
                     "text={source: " + text + ", target: {share: source}}"},
                    "c.yaml", steps);
  }
  const std::string text_ = "a b z\nz a\n" + toy_lines(5, 100);  // only z is new
};

TEST_F(ExtendedVocabulary, IsTheBaseAndWhatIsCounted) {
  holds({"init.extend_vocabulary", "text.NAME.vocabulary.max_size",
         "text.NAME.vocabulary.min_count"});
  const auto of = [](const std::string& vocabulary) {
    return extended("{type: words, vocabulary: " + vocabulary + "}");
  };
  const auto tokens = static_cast<double>(
      2 * std::ranges::count_if(text_, [](unsigned char c) { return std::isalpha(c) != 0; }));
  const std::string coverage = fmt::format("the vocabulary covers {:.2f}% of the training text",
                                           100 * (tokens - 4) / tokens);
  for (const char* none_new : {"{min_count: 100000}", "{max_size: 2}"})
    EXPECT_THAT(of(none_new), AllOf(HasSubstr("10 tokens of the vocabulary of init.model, 0 new"),
                                    HasSubstr(coverage)));
  EXPECT_THAT(of("{min_count: 1}"), HasSubstr("10 tokens of the vocabulary of init.model, 1 new"));
}

// The tokens are the four special ones, the letters a to j and z, and the space.
TEST_F(ExtendedVocabulary, HasNoTokensOfAnotherTokenizer) {
  StepsFromAModel steps({"zebra", "a"});
  RunSpec spec = find_run({.config = "c.yaml",
                           .set = {"init.model=base", "init.extend_vocabulary=true",
                                   "text={source: {type: characters}, target: {share: source}}"}});
  EXPECT_EQ(prepare_data(spec, steps).codecs.at("source")->vocabulary().size(), 16);
}

}  // namespace
}  // namespace heed
