#include "run/attention_pages.h"

#include <gmock/gmock.h>

#include <set>

#include "base/temporary_folder.h"
#include "config/synonyms.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(AttentionPages, ListNamesEachWithFormulaAndPaper) {
  EXPECT_THAT(attention_list(),
              AllOf(HasSubstr("additive         vᵀ tanh(W q + U k + b) (Bahdanau 2015)"),
                    HasSubstr("sparsemax"), HasSubstr("window"), HasSubstr("hops"),
                    HasSubstr("self_attentive")));
}

TEST(AttentionPages, EntryHasKeysAndWhereItWorks) {
  EXPECT_THAT(attention_entry("rotary"),
              AllOf(HasSubstr("Su 2021"), HasSubstr("attention: {score: rotary}"),
                    HasSubstr("project"), HasSubstr("yes self_attention of an encoder"),
                    HasSubstr("no  attention of a Transformer over its source: rotary needs "
                              "queries and keys of the same sequence")));
}

TEST(AttentionPages, EntryIsFoundByTheWordsOfKeysPapersAndToolkits) {
  for (const auto& [name, parts] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"coverage", {"score: location"}},
           {"predictive", {"terms: window"}},
           {"performer", {"attention: linear"}},
           {"fertility", {"score: location"}},
           {"heads", {"number of attention heads"}},
           {"causal", {"always on"}},
           {"self_attentive", {"model.join"}},
           // Words of two tables.
           {"local attention", {"terms: local\n", "as in Luong 2015: window"}},
           {"monotonic", {"terms: window", "normalizer: monotonic"}},
           {"relative", {"score: relative", "read: relative"}},
           {"hard", {"reinforce: REINFORCE with a baseline (Xu 2015); keys: weight, entropy\n"}},
           // Another spelling.
           {"additive attention", {"score: additive"}},
           {"pointer-generator", {"copies source words"}},
           // Keys of other toolkits.
           {"num_heads", {"attention: {heads: …}"}},
           {"copy_attn", {"copies source words"}}})
    for (const std::string& part : parts) EXPECT_THAT(attention_entry(name), HasSubstr(part));
  for (const auto& [name, mechanism] : {std::pair{"local-p", "terms: window"},
                                        {"bahdanau", "score: additive"},
                                        {"luong", "score: general"},
                                        {"multi-head", "number of attention heads"},
                                        {"Multi-Head Attention", "number of attention heads"},
                                        {"mocha", "normalizer: monotonic"},
                                        {"transformer", "score: scaled_dot"}})
    EXPECT_THAT(attention_entry(name), AllOf(StartsWith(name), HasSubstr(mechanism)));
  const std::string mocha = attention_entry("mocha");
  EXPECT_LT(mocha.find("\nnormalizer: monotonic\n"), mocha.find("\nterms: window\n"));
}

TEST(AttentionPages, SayWhereAWordBelongsThatIsNoAttention) {
  for (const auto& [name, part] : {std::pair{"sparsmax", "did you mean 'sparsemax'?"},
                                   {"lr", "here it is train.optimizer.rate (learning rate)"},
                                   {"LSTM", "an LSTM is {type: rnn, cell: lstm}"}})
    EXPECT_ERROR(attention_entry(name), ErrorKind::kUsage, part);
}

TEST(AttentionPages, HoldEveryMechanismThatASynonymNames) {
  std::set<std::string> mechanisms;
  for (const Synonym& synonym : synonyms()) mechanisms.insert(synonym.mechanism);
  mechanisms.erase("");
  for (const std::string& name : mechanisms) EXPECT_NO_THROW(attention_entry(name)) << name;
}

}  // namespace
}  // namespace heed
