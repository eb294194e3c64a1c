// The draw of random features in a whole model.
#include <gtest/gtest.h>

#include "config/reader.h"
#include "model/seq2seq.h"
#include "nn/redrawn.h"
#include "nn/torch.h"
#include "one_thread.h"

namespace heed {
namespace {

ModelConfig two_layers() {
  ModelConfig config;
  read_config_text(
      "{embedding: {width: 8}, encoder: {type: transformer, layers: 2, width: 8, feed_forward: 8, "
      "self_attention: {type: linear, features: {type: performer, redraw: 3}, heads: 2}}, decoder: "
      "{type: "
      "rnn, width: 8}}",
      "test", config);
  return config;
}
std::vector<Tensor> draws_of(const Seq2Seq& network) {
  std::vector<Tensor> draws;
  for (const auto& item : network.named_buffers()) {
    if (!item.key().ends_with("random")) continue;
    for (int64_t h = 0; h < item.value().size(0); ++h) draws.push_back(item.value()[h].clone());
  }
  return draws;
}
std::shared_ptr<Seq2Seq> network_of(uint64_t seed) {
  return std::make_shared<Seq2Seq>(two_layers(), VocabularySizes{{{"source", 9}}, 9}, seed);
}

TEST(RandomFeatures, AreDrawnByLayerHeadAndSeed) {
  std::vector<Tensor> all = draws_of(*network_of(1));
  ASSERT_EQ(all.size(), 4U);
  for (const Tensor& other : draws_of(*network_of(2))) all.push_back(other);
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j) EXPECT_FALSE(all[i].equal(all[j])) << i << " " << j;
  }
  const auto again = draws_of(*network_of(1));
  for (size_t i = 0; i < again.size(); ++i) EXPECT_TRUE(again[i].equal(all[i]));
}

TEST(RandomFeatures, AreDrawnAnewWhenItIsDueWhateverWasBefore) {
  const auto network = network_of(1);
  const auto first = draws_of(*network);
  for (const int64_t update : {1, 2, 3}) {
    redraw_due(*network, 1, update);
    EXPECT_TRUE(draws_of(*network)[0].equal(first[0])) << update;
  }
  redraw_due(*network, 1, 4);
  const auto second = draws_of(*network);
  for (size_t i = 0; i < first.size(); ++i) EXPECT_FALSE(second[i].equal(first[i]));
  redraw_due(*network, 1, 7);
  EXPECT_FALSE(draws_of(*network)[0].equal(second[0]));
  redraw_due(*network, 1, 4);  // as after an interruption
  EXPECT_TRUE(draws_of(*network)[0].equal(second[0]));
}

TEST(RandomFeatures, OfReplicasAreThoseOfTheNetwork) {
  const auto network = network_of(5);
  const auto replica = network->replica();
  redraw_due(*network, 5, 4);
  const auto own = draws_of(*network), others = draws_of(*replica);
  for (size_t i = 0; i < own.size(); ++i) EXPECT_TRUE(own[i].equal(others[i]));
}

}  // namespace
}  // namespace heed
