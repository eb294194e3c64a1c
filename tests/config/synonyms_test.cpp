#include "config/synonyms.h"

#include <gtest/gtest.h>

#include <set>

namespace heed {
namespace {

TEST(Synonyms, AnswerWithWhatIsMeant) {
  EXPECT_EQ(meant_or_nearest("local-p", {"window"}),
            "; local-p of Luong 2015 is terms: [{type: window, kind: predictive}]");
  EXPECT_EQ(meant_or_nearest("Multi-Head", {}),
            "; multi-head attention is {score: scaled_dot, heads: N}");
  EXPECT_EQ(meant_or_nearest("biLSTM", {"rnn", "transformer"}),
            "; a bidirectional LSTM is {type: rnn, cell: lstm, bidirectional: true}");
}

TEST(Synonyms, AreAKindOfTheSamePlaceWhereItHasOne) {
  EXPECT_EQ(meant_or_nearest("train.normalization", {"NAME", "normalization"}),
            "; did you mean 'normalization'?");
}

TEST(Synonyms, LeaveMistypedWordsToTheNearestOne) {
  EXPECT_EQ(meant_or_nearest("optimiser", {"batch", "optimizer"}), "; did you mean 'optimizer'?");
  EXPECT_EQ(meant_or_nearest("qqqq", {"batch"}), "");
}

TEST(Synonyms, AreEachListedOnce) {
  std::set<std::string> words;
  for (const Synonym& synonym : synonyms())
    EXPECT_TRUE(words.insert(synonym.word).second) << synonym.word;
}

}  // namespace
}  // namespace heed
