#include "config/changed_words.h"

#include <gmock/gmock.h>

#include "example.h"

namespace heed::example {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ChangedWords, AreThoseOfSettingsThatAreNotTheirDefaults) {
  RootConfig plain = read("");
  EXPECT_THAT(changed_words(plain.model, ModelConfig()), IsEmpty());
  const RootConfig own = read(
      "model: {dropout: 0.2, norm: true, extra: dot, layer: {score: {type: additive, hidden: 32}, "
      "terms: [dot, {type: additive, hidden: 8}, additive], heads: 4}}\n");
  EXPECT_THAT(
      changed_words(own.model, ModelConfig()),
      ElementsAre("dropout 0.2", "norm true",
                  "layer attention (score additive (hidden 32), terms [dot, additive (hidden 8), "
                  "additive], heads 4)",
                  "extra dot"));
}

TEST(ChangedWords, HaveItemsOfListsAndMaps) {
  const RootConfig own = read(
      "train: [{source: a, target: b}]\nscorers: {news: {type: dot, scaled: false}}\n"
      "valid: {source: c, target: d, weight: 2}\n");
  RootConfig usual;
  usual.run = own.run;
  EXPECT_THAT(changed_words(own, usual), ElementsAre("train [(source a, target b, weight 1.0)]",
                                                     "valid (source c, target d, weight 2.0)",
                                                     "scorers [news dot (scaled false)]"));
  usual.valid.emplace();
  EXPECT_THAT(changed_words(read(""), usual), ElementsAre("valid none"));
}

TEST(ChangedWords, NameAndLeaveOutWhatIsChosen) {
  const RootConfig own = read("model: {dropout: 0.2, layer: {type: hops, layer: {heads: 4}}}\n");
  const auto is_layer = [](const Settings& kind) {
    return dynamic_cast<const LayerConfig*>(&kind) != nullptr;
  };
  EXPECT_THAT(changed_words(own.model, ModelConfig(), {.always = {"bias"}, .left_out = is_layer}),
              ElementsAre("dropout 0.2", "bias true"));
  EXPECT_THAT(changed_words(own.model, ModelConfig()),
              ElementsAre("dropout 0.2", "layer hops (layer attention (heads 4))"));
}

TEST(ChangedWords, StandBehindTheNameOfAKind) {
  EXPECT_EQ(with_words("dot", {}), "dot");
  EXPECT_EQ(with_words("dot", {"scaled false", "scale 2"}), "dot (scaled false, scale 2)");
}

}  // namespace
}  // namespace heed::example
