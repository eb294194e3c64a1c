#include "config/synonyms.h"

#include <gtest/gtest.h>

#include <set>

namespace heed {
namespace {

TEST(Synonyms, AnswerWithWhatIsMeant) {
  EXPECT_EQ(meant_or_nearest("lr", {"batch", "optimizer"}),
            "; the learning rate is train.optimizer.rate");
  EXPECT_EQ(meant_or_nearest("local-p", {"window"}),
            "; local-p of Luong 2015 is terms: [{type: window, kind: predictive}]");
  EXPECT_EQ(meant_or_nearest("Multi-Head", {}),
            "; multi-head attention is {score: scaled_dot, heads: N}");
  EXPECT_EQ(meant_or_nearest("dec-cell-base-depth", {"layers"}),
            "; the number of cells of the first layer within a time step is "
            "model.decoder.base_transition_depth");
  EXPECT_EQ(meant_or_nearest("biLSTM", {"rnn", "transformer"}),
            "; a bidirectional LSTM is {type: rnn, cell: lstm, bidirectional: true}");
}

TEST(Synonyms, AreAKeyOfTheSamePlaceWhereItHasOne) {
  EXPECT_EQ(meant_or_nearest("learning_rate", {"rate", "momentum"}), "; did you mean 'rate'?");
  EXPECT_EQ(meant_or_nearest("num_layers", {"cell", "layers"}), "; did you mean 'layers'?");
}

TEST(Synonyms, SayInWhatTheyDiffer) {
  EXPECT_EQ(meant_or_nearest("hidden_size", {"layers", "width"}),
            "; did you mean 'width'? (of a bidirectional encoder it counts both directions, twice "
            "the hidden_size of JoeyNMT)");
  EXPECT_EQ(meant_or_nearest("dim-rnn", {}),
            "; the width of a layer is model.encoder.width or model.decoder.width (of a "
            "bidirectional encoder it counts both directions, twice the dim-rnn of Marian)");
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
