#include "config/peer_names.h"

#include <gmock/gmock.h>

#include "config/reference.h"
#include "example.h"

namespace heed::example {
namespace {

using testing::HasSubstr;
using testing::Not;

struct EncoderConfig final : Settings {
  int64_t width = 4, layers = 1;
  std::shared_ptr<LayerConfig> layer = make_kind<AttentionConfig>("attention");
  void fields(Fields& f) override {
    f.field("width", width, kPositive, "width, of both directions");
    f.field("layers", layers, kPositive, "number of layers");
    f.one_of("layer", layer, layers_(), "the network");
    f.peers("width", {.joeynmt = "hidden_size",
                      .opennmt = "hidden_size",
                      .marian = "dim-rnn",
                      .also = "d_model",
                      .note = "twice the hidden_size of JoeyNMT"});
    f.peers("layers", {.joeynmt = "num_layers", .marian = "enc-depth"});
    f.peers("layer: hops", {.opennmt = "encoder_type: hops", .marian = "(always)"});
    f.peers("layer: {type: attention, heads}", {.opennmt = "encoder_type: attention, heads"});
    f.peers("layer.heads", {.opennmt = "transformer_heads (one for all)", .nematus = "n-heads"});
  }
  static const Registry<LayerConfig>& layers_() { return example::layers(); }
};

struct PeersConfig final : Settings {
  EncoderConfig model;
  bool search = true;
  void fields(Fields& f) override {
    f.section("model", model, "the network");
    f.field("search", search, "whether it searches; a flag");
    f.peers("search", {.also = "testing"});
  }
};

class PeerNames : public testing::Test {
 protected:
  std::string meant(const char* word, const std::vector<std::string>& candidates = {}) const {
    return meant_by_peers(word, paths_, candidates);
  }
  const PeersConfig config_{};
  const Outline outline_{config_};
  const KeyPaths paths_{outline_};
};

TEST_F(PeerNames, AreReadFromAList) {
  const auto names =
      peer_names("testing.beam_size, scheduling: noam, a: {b: c, d} (one, two), (none)");
  ASSERT_EQ(names.size(), 4U);
  EXPECT_EQ(names[0].word(), "beam_size");
  EXPECT_EQ(names[1].value, "noam");
  EXPECT_EQ(names[2].value, "{b: c, d}");
  EXPECT_EQ(names[2].remark, "one, two");
  EXPECT_EQ(names[3].name, "");
  EXPECT_EQ(names[3].remark, "none");
  EXPECT_TRUE(peer_names("").empty());
}

TEST_F(PeerNames, NameTheKeyAndItsMeaning) {
  EXPECT_EQ(meant("num_layers"), "; here it is model.layers (number of layers)");
  EXPECT_EQ(meant("Enc-Depth"), "; here it is model.layers (number of layers)");
  EXPECT_EQ(meant("testing"), "; here it is search (whether it searches)");
  EXPECT_EQ(meant("n_heads"), "; here it is model.layer.heads");
  EXPECT_EQ(meant("nothing"), "");
}

TEST_F(PeerNames, AreAKeyOfTheSamePlaceWhereItHasOne) {
  EXPECT_EQ(meant("num_layers", {"width", "layers"}), "; did you mean 'layers'?");
}

TEST_F(PeerNames, SayHowTheyDiffer) {
  EXPECT_EQ(
      meant("dim-rnn"),
      "; here it is model.width (width, of both directions; twice the hidden_size of JoeyNMT)");
  EXPECT_EQ(meant("hidden_size", {"width"}),
            "; did you mean 'width'? (twice the hidden_size of JoeyNMT)");
}

// A word that stands for several values of a key names the key alone.
TEST_F(PeerNames, NameAValueIfThereIsOne) {
  EXPECT_EQ(meant("encoder-type"), "; here it is model.layer (the network)");
  const auto meanings = peer_meanings("transformer_heads", paths_);
  ASSERT_EQ(meanings.size(), 1U);
  EXPECT_EQ(meanings.front().last_key(), "heads");
}

TEST_F(PeerNames, LeaveOwnKeysAlone) {
  EXPECT_EQ(meant("heads"), "");  // a key of layer: attention, too
  EXPECT_EQ(meant("type"), "");
}

TEST_F(PeerNames, HoldOptionsOfCommands) {
  EXPECT_THAT(meant("n_best"), HasSubstr("here it is `heed translate --nbest N`"));
}

TEST_F(PeerNames, AreTablesOfAPage) {
  const std::string page = migration_page(config_);
  for (const char* row :
       {"| `model.width`; twice the hidden_size of JoeyNMT | `hidden_size` | `hidden_size` | "
        "`dim-rnn` |\n",
        "| `model.layers` | `num_layers` | – | `enc-depth` |\n",
        "| `model.layer: hops` | – | `encoder_type: hops` | always |\n",
        "| `model.layer.heads` (Nematus: `n-heads`) | – | `transformer_heads` (one for all) | – |"})
    EXPECT_THAT(page, HasSubstr(row));
  EXPECT_THAT(page, Not(HasSubstr("| `search`"))) << "which has a word for messages alone";
}

TEST(PeerKeys, OfOneNameAreAllNamed) {
  struct Two final : Settings {
    int64_t first = 1, second = 2;
    void fields(Fields& f) override {
      f.field("model", first, kPositive, "one");
      f.field("run", second, kPositive, "another");
      f.peers("model", {.marian = "both"});
      f.peers("run", {.marian = "both"});
    }
  };
  const Two config;
  const Outline outline(config);
  const KeyPaths paths(outline);
  EXPECT_EQ(meant_by_peers("both", paths, {}), "; here it is model or run");
  // Sections of the page are apart.
  EXPECT_THAT(migration_page(config), HasSubstr("| `model` | – | – | `both` |\n"));
}

}  // namespace
}  // namespace heed::example
