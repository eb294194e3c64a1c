// Packed models beside the model folders that they are made from.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "load/pack_model.h"
#include "network/engine_comparison.h"
#include "packed/stored_tensors.h"
#include "text/words.h"

namespace heed {
namespace {

// A model with random parameters in a folder, and packed.
class PackedModel : public testing::Test {
 protected:
  void save(const std::string& model) {
    SavedModelConfig config;
    config.model = config_from(model);
    std::vector<std::string> words;
    for (int32_t id = kSpecials; id < kPieces; ++id) words.push_back(std::to_string(id));
    const auto codec =
        std::make_shared<const Codec>(std::make_shared<const WordTokenizer>("", false),
                                      std::make_shared<const Vocabulary>(words));
    config.sources = config.model.sources();
    config.text["target"].tokenizer = make_kind<WordsConfig>("words");
    Codecs codecs = {{"target", codec}};
    for (const std::string& source : config.sources) {
      config.text[source].tokenizer = make_kind<WordsConfig>("words");
      config.text[source].tokenizer->share = "target";
      codecs[source] = codec;
    }
    const Seq2Seq network(config.model, vocabulary_sizes(config, codecs), 5);
    fs::remove_all(model_);
    fs::create_directories(model_);
    save_model(model_, config, codecs, network);
  }
  void pack(Precision precision) { pack_model(model_.string(), packed_, {.precision = precision}); }

  TemporaryFolder folder_;
  fs::path model_ = folder_ / "model", packed_ = folder_ / "model.heed";
};

const std::vector<std::string> kModels = {
    "{embedding: {width: 32, tie: all}, encoder: {type: transformer, layers: 2, width: 32, "
    "feed_forward: 48, self_attention: {score: scaled_dot, heads: 4}}, decoder: {type: "
    "transformer, "
    "layers: 2, width: 32, feed_forward: 48, self_attention: {score: scaled_dot, heads: 4}, "
    "attention: {score: scaled_dot, heads: 4}}}",
    // Widths that fill no panel, so that joined matrices are copies.
    "{embedding: {width: 18, tie: none}, encoder: {type: transformer, layers: 1, width: 20, "
    "feed_forward: 33, positions: learned, self_attention: {score: scaled_dot, heads: 2}}, "
    "decoder: "
    "{type: transformer, layers: 1, width: 20, feed_forward: 33, positions: learned, "
    "self_attention: {score: scaled_dot, heads: 2}, attention: {score: scaled_dot, heads: 2}}}",
    "{embedding: {width: 16}, encoder: {type: rnn, cell: gru, width: 24, bidirectional: true}, "
    "decoder: {type: rnn, cell: gru, width: 24, attend: after, attention: {score: general}}}",
    "{embedding: {width: 20, tie: none}, encoder: {type: convolution, layers: 2, width: 24}, "
    "decoder: "
    "{type: convolution, layers: 2, width: 18, kernel: 4}}",
    "{embedding: {width: 16}, encoders: {a: {type: rnn, width: 20}, b: {type: rnn, width: 20}}, "
    "join: "
    "basic, decoder: {type: rnn, width: 24, attention: {type: multi_source, combine: hierarchical, "
    "attention: {score: additive}}}}",
    "{embedding: {width: 16}, encoders: {a: {type: rnn, cell: gru, width: 20}, b: {type: shared, "
    "with: "
    "a}}, join: {type: co_attention, hidden: 20}, decoder: {type: rnn, width: 24, attention: "
    "none}}",
    "{embedding: {width: 16}, encoder: none, decoder: {type: rnn, width: 24, attention: none, "
    "past: "
    "{}}}",
};

TEST_F(PackedModel, TranslatesAsItsFolderBitForBit) {
  for (const std::string& text : kModels) {
    save(text);
    for (const Precision precision : {Precision::kFloat, Precision::kBFloat16, Precision::kInt8}) {
      pack(precision);
      const auto folder = load_engine(model_, precision), packed = load_engine(packed_, {});
      ASSERT_TRUE(folder && packed) << text;
      expect_same_decoding(*packed->engine, *folder->engine, 0, 27,
                           SourcesOfModel(folder->text.config.model));
    }
  }
}

TEST_F(PackedModel, IsAsLargeAsItsWeights) {
  save(kModels[0]);
  pack(Precision::kInt8);
  const StoredTensors tensors(packed_ / kModelTensors);
  uint64_t expected = 0, most = 0;
  for (const auto& [name, entry] : tensors.entries()) {
    uint64_t elements = 1;
    for (const int64_t size : entry.shape) elements *= static_cast<uint64_t>(size);
    expected += tensors.packed()->is_matrix(name) ? elements : 4 * elements;
    most += 4 * elements;
  }
  EXPECT_LT(expected, most / 3);
  EXPECT_GE(fs::file_size(packed_), expected);
}

// Another precision cannot be had from the file.
TEST_F(PackedModel, RefusesAnotherPrecision) {
  save(kModels[0]);
  pack(Precision::kInt8);
  EXPECT_TRUE(load_engine(packed_, Precision::kInt8));
  EXPECT_THROW(load_engine(packed_, Precision::kFloat), Error);
  EXPECT_THROW(pack_model(packed_.string(), folder_ / "again.heed", {}), Error);
}

// Each weight has an error of half a step of its output.
TEST_F(PackedModel, NetworksHaveItsRoundedWeights) {
  for (const std::string& text : kModels) {
    save(text);
    const NamedTensors expected = tensors_of(*load_model(model_, torch::kCPU).network);
    pack(Precision::kFloat);
    const NamedTensors exact = tensors_of(*load_model(packed_, torch::kCPU).network);
    pack(Precision::kInt8);
    const StoredTensors stored(packed_ / kModelTensors);
    const NamedTensors rounded = tensors_of(*load_model(packed_, torch::kCPU).network);
    for (const auto& [name, tensor] : expected) {
      EXPECT_TRUE(exact.at(name).equal(tensor)) << name;
      if (!stored.packed()->is_matrix(name)) {
        EXPECT_TRUE(rounded.at(name).equal(tensor)) << name;
        continue;
      }
      // Outputs of a kernel [2W,W,K] are its first dim alone.
      const Tensor rows = name.ends_with(".v") ? tensor.flatten(1) : tensor;
      const Tensor steps = rows.abs().amax(-1, true) / 127;
      const Tensor errors = (rounded.at(name) - tensor).abs().view_as(rows);
      EXPECT_TRUE((errors <= 0.501 * steps).all().item<bool>()) << name;
    }
  }
}

// Models without an engine are packed for libtorch.
TEST_F(PackedModel, ModelsWithoutAnEngineArePackedAsWell) {
  save(
      "{embedding: {width: 16}, encoder: {type: rnn, width: 16}, decoder: {type: rnn, width: 16, "
      "layer_norm: true}}");
  EXPECT_TRUE(pack_model(model_.string(), packed_, {}).needs_libtorch);
  EXPECT_FALSE(load_engine(packed_, {}));
  EXPECT_EQ(tensors_of(*load_model(packed_, torch::kCPU).network).size(),
            tensors_of(*load_model(model_, torch::kCPU).network).size());
}

}  // namespace
}  // namespace heed
