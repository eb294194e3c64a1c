#include "config/synonyms.h"

#include <gtest/gtest.h>

#include <set>

namespace heed {
namespace {

TEST(Synonyms, AnswerWithWhatIsMeant) {
  EXPECT_EQ(synonym_or_suggestion("local-p", {"window"}),
            "; local-p of Luong 2015 is terms: [{type: window, kind: predictive}]");
  EXPECT_EQ(synonym_or_suggestion("Multi-Head", {}),
            "; multi-head attention is {score: scaled_dot, heads: N}");
  EXPECT_EQ(synonym_or_suggestion("biLSTM", {"rnn", "transformer"}),
            "; a bidirectional LSTM is {type: rnn, cell: lstm, bidirectional: true}");
}

TEST(Synonyms, AreAKindOfTheSamePlaceWhereItHasOne) {
  EXPECT_EQ(synonym_or_suggestion("train.normalization", {"NAME", "normalization"}),
            "; did you mean 'normalization'?");
}

TEST(Synonyms, LeaveMistypedWordsToTheNearestOne) {
  EXPECT_EQ(synonym_or_suggestion("optimiser", {"batch", "optimizer"}),
            "; did you mean 'optimizer'?");
  EXPECT_EQ(synonym_or_suggestion("qqqq", {"batch"}), "");
}

TEST(Synonyms, AreEachListedOnce) {
  std::set<std::string> words;
  for (const Synonym& synonym : synonyms())
    EXPECT_TRUE(words.insert(synonym.word).second) << synonym.word;
}

}  // namespace
}  // namespace heed
