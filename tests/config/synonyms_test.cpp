#include "config/synonyms.h"

#include <gtest/gtest.h>

#include <set>

namespace heed {
namespace {

TEST(Synonyms, AnswerWithWhatIsMeant) {
  EXPECT_EQ(synonym_or_suggestion("lr", {"batch", "optimizer"}),
            "; the learning rate is train.optimizer.rate");
  EXPECT_EQ(synonym_or_suggestion("local-p", {"window"}),
            "; local-p of Luong 2015 is terms: [{type: window, kind: predictive}]");
  EXPECT_EQ(synonym_or_suggestion("Multi-Head", {}),
            "; multi-head attention is {score: scaled_dot, heads: N}");
  EXPECT_EQ(synonym_or_suggestion("dec-cell-base-depth", {"layers"}),
            "; the number of cells of the first layer within a time step is "
            "model.decoder.base_transition_depth");
  EXPECT_EQ(synonym_or_suggestion("biLSTM", {"rnn", "transformer"}),
            "; a bidirectional LSTM is {type: rnn, cell: lstm, bidirectional: true}");
}

TEST(Synonyms, AreAKeyOfTheSamePlaceWhereItHasOne) {
  EXPECT_EQ(synonym_or_suggestion("learning_rate", {"rate", "momentum"}), "; did you mean 'rate'?");
  EXPECT_EQ(synonym_or_suggestion("num_layers", {"cell", "layers"}), "; did you mean 'layers'?");
}

TEST(Synonyms, SayInWhatTheyDiffer) {
  EXPECT_EQ(synonym_or_suggestion("hidden_size", {"layers", "width"}),
            "; did you mean 'width'? (of a bidirectional encoder it counts both directions, twice "
            "the hidden_size of JoeyNMT)");
  EXPECT_EQ(synonym_or_suggestion("dim-rnn", {}),
            "; the width of a layer is model.encoder.width or model.decoder.width (of a "
            "bidirectional encoder it counts both directions, twice the dim-rnn of Marian)");
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
