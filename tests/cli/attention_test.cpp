// heed attention: its descriptions of mechanisms.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "base/file.h"
#include "cli/program.h"
#include "config/synonyms.h"
#include "holds.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class AttentionPages : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }
  static std::string ask(Arguments arguments) {
    arguments.insert(arguments.begin(), "attention");
    const Outcome outcome = run_heed(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
};

TEST_F(AttentionPages, ListNamesEachWithFormulaAndPaper) {
  holds({"heed attention list"});
  EXPECT_THAT(ask({"list"}),
              AllOf(HasSubstr("additive         vᵀ tanh(W q + U k + b) (Bahdanau 2015)"),
                    HasSubstr("sparsemax"), HasSubstr("window"), HasSubstr("hops"),
                    HasSubstr("self_attentive")));
}

TEST_F(AttentionPages, ShowTellsKeysAndWhereItWorks) {
  holds({"heed attention show"});
  EXPECT_THAT(ask({"show", "rotary"}),
              AllOf(HasSubstr("Su 2021"), HasSubstr("attention: {score: rotary}"),
                    HasSubstr("project"), HasSubstr("yes self_attention of an encoder"),
                    HasSubstr("no  attention of a Transformer over its source: rotary needs "
                              "queries and keys of the same sequence")));
}

TEST_F(AttentionPages, ShowKnowsTheWordsOfKeysToo) {
  EXPECT_THAT(ask({"show", "coverage"}), HasSubstr("score: location"));
  EXPECT_THAT(ask({"show", "predictive"}), HasSubstr("terms: window"));
  EXPECT_THAT(ask({"show", "performer"}), HasSubstr("attention: linear"));
  EXPECT_THAT(ask({"show", "fertility"}), HasSubstr("score: location"));
  EXPECT_THAT(ask({"show", "heads"}), HasSubstr("number of attention heads"));
  EXPECT_THAT(ask({"show", "causal"}), HasSubstr("always on"));
  EXPECT_THAT(ask({"show", "self_attentive"}), HasSubstr("model.join"));
}

TEST_F(AttentionPages, AWordOfTwoTablesShowsBoth) {
  EXPECT_THAT(ask({"show", "local attention"}),
              AllOf(HasSubstr("terms: local\n"), HasSubstr("as in Luong 2015: window")));
  EXPECT_THAT(ask({"show", "monotonic"}),
              AllOf(HasSubstr("terms: window"), HasSubstr("normalizer: monotonic")));
  EXPECT_THAT(ask({"show", "relative"}),
              AllOf(HasSubstr("score: relative"), HasSubstr("read: relative")));
}

TEST_F(AttentionPages, PageIsNotStale) {
  holds({"heed attention reference"});
  EXPECT_TRUE(ask({"reference"}) ==
              read_plainly(std::filesystem::path(source_folder()) / "docs/attention.md"))
      << "docs/attention.md is stale; write it anew: heed attention reference > docs/attention.md";
}

TEST_F(AttentionPages, UnknownNameIsCode2WithASuggestion) {
  EXPECT_FAILS(run_heed({"attention", "show", "sparsmax"}), 2, "did you mean 'sparsemax'?");
}

// The names of papers, and what answers.
TEST_F(AttentionPages, ShowsWhatAPaperCallsOtherwise) {
  for (const auto& [name, mechanism] : {std::pair{"local-p", "terms: window"},
                                        {"bahdanau", "score: additive"},
                                        {"luong", "score: general"},
                                        {"multi-head", "number of attention heads"},
                                        {"Multi-Head Attention", "number of attention heads"},
                                        {"mocha", "normalizer: monotonic"},
                                        {"transformer", "score: scaled_dot"}}) {
    const Outcome outcome = run_heed({"attention", "show", name});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, AllOf(StartsWith(name), HasSubstr(mechanism)));
  }
}

TEST_F(AttentionPages, BeginWithTheMechanismOfTheNameAndShowTheKindsOfItsKeys) {
  const std::string mocha = ask({"show", "mocha"});
  EXPECT_LT(mocha.find("\nnormalizer: monotonic\n"), mocha.find("\nterms: window\n"));
  EXPECT_THAT(ask({"show", "hard"}),
              HasSubstr("reinforce: REINFORCE with a baseline (Xu 2015); keys: weight, entropy\n"));
}

// A mechanism's own name, in another spelling.
TEST_F(AttentionPages, ShowTakesEverySpelling) {
  for (const auto& [name, mechanism] : {std::pair{"additive attention", "score: additive"},
                                        {"pointer-generator", "copies source words"}}) {
    const Outcome outcome = run_heed({"attention", "show", name});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(mechanism));
  }
}

TEST_F(AttentionPages, SaysWhereAWordBelongsThatIsNoAttention) {
  EXPECT_FAILS(run_heed({"attention", "show", "lr"}), 2,
               "here it is train.optimizer.rate (learning rate)");
  EXPECT_FAILS(run_heed({"attention", "show", "LSTM"}), 2, "an LSTM is {type: rnn, cell: lstm}");
}

TEST_F(AttentionPages, ShowTakesKeysOfOtherToolkits) {
  for (const auto& [name, entry] :
       {std::pair{"num_heads", "attention: {heads: …}"}, {"copy_attn", "copies source words"}}) {
    const Outcome outcome = run_heed({"attention", "show", name});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(entry));
  }
}

TEST_F(AttentionPages, HoldEveryMechanismThatASynonymNames) {
  std::set<std::string> mechanisms;
  for (const Synonym& synonym : synonyms()) mechanisms.insert(synonym.mechanism);
  mechanisms.erase("");
  for (const std::string& name : mechanisms)
    EXPECT_EQ(run_heed({"attention", "show", name}).exit_code, 0) << name;
}

}  // namespace
}  // namespace heed
