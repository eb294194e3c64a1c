// The encoder of graph attention and intra-sentence attention of embeddings equal their equations.
#include <gtest/gtest.h>

#include "config/reader.h"
#include "holds.h"
#include "model/builders.h"
#include "nn/compare.h"
#include "read_kind.h"
#include "reference/graph.h"
#include "reference/sentence_pairs.h"

namespace heed {
namespace {

using reference::Matrix;
using reference::Vector;

constexpr int64_t kGraphInput = 3, kGraphPlaces = 4;

class SmallEncoder : public testing::Test {
 protected:
  EncodedSource encode(const std::string& text) {
    const auto encoder = build(*read_kind(encoders(), text), kGraphInput, 0);
    fill(*encoder);
    parameters_ = parameters_of(*encoder);
    SourceBatch batch;
    batch.lengths = lengths_;
    batch.mask = length_mask(lengths_, kGraphPlaces);
    Tensor seen = torch::zeros({2, kGraphPlaces, kGraphPlaces}, torch::kBool);
    for (const auto& [i, j] : edges_) seen.index_put_({torch::indexing::Slice(), i, j}, true);
    batch.features[kEdges] = seen;
    Pass pass;
    pass.keep_weights = true;
    output_ = EncoderOutput();
    return encoder->encode(x_, batch, pass, output_);
  }
  Matrix matrix(const std::string& name) const { return matrix_of(parameters_.at(name)); }
  Vector vector(const std::string& name) const { return vector_of(parameters_.at(name)); }
  Tensor sentence(int64_t r) const { return x_[r].narrow(0, 0, lengths_[r].item<int64_t>()); }
  // Layer of K heads.
  Matrix layer(int64_t number, const Matrix& h, size_t heads, bool averaged) const {
    const std::string of = "layer_" + std::to_string(number);
    reference::Edges edges;
    for (const auto& [i, j] : edges_) edges.emplace_back(i, j);
    return reference::graph_layer(h, edges, matrix(of + ".node.weight"),
                                  vector(of + ".attention.score.of_query"),
                                  vector(of + ".attention.score.of_key"), heads, averaged);
  }

  const Edges edges_ = {{0, 2}, {2, 1}, {1, 0}, {1, 3}};
  Tensor x_ = uniform({2, kGraphPlaces, kGraphInput}, "x", 1.5),
         lengths_ = torch::tensor({4, 2}, torch::kLong);
  std::map<std::string, Tensor> parameters_;
  EncoderOutput output_;
};

// Veličković et al. 2018, equations 1 to 5.
TEST_F(SmallEncoder, GraphAttention) {
  holds("reference", {"encoder: graph"});
  const EncodedSource encoded = encode("{type: graph, width: 6, self_attention: {heads: 2}}");
  for (int64_t r = 0; r < 2; ++r) {
    const Matrix h = layer(1, layer(0, matrix_of(sentence(r)), 2, false), 2, false);
    expect_close(encoded.source.keys[r].narrow(0, 0, lengths_[r].item<int64_t>()), tensor_of(h),
                 kExact, "h'");
  }
}

// Equation 6.
TEST_F(SmallEncoder, GraphAttentionWithTheMeanOfTheLastHeads) {
  holds("reference", {"encoder: graph"});
  const EncodedSource encoded =
      encode("{type: graph, width: 6, average: true, self_attention: {heads: 3}}");
  for (int64_t r = 0; r < 2; ++r) {
    const Matrix h = layer(1, layer(0, matrix_of(sentence(r)), 3, false), 3, true);
    expect_close(encoded.source.keys[r].narrow(0, 0, lengths_[r].item<int64_t>()), tensor_of(h),
                 kExact, "h'");
  }
  ASSERT_EQ(output_.attended.size(), 2U);
  EXPECT_EQ(output_.attended[1].weights.sizes(),
            (c10::IntArrayRef{2, 3, kGraphPlaces, kGraphPlaces}));
}

TEST_F(SmallEncoder, GraphAttentionRefusesWhatCannotWork) {
  struct Reasons final : Problems {
    std::vector<std::string> list;
    void add(const std::string& path, const std::string&) override { list.push_back(path); }
    bool is_set(const std::string&) const override { return false; }
  };
  const auto refused = [](const std::string& text) {
    Reasons reasons;
    read_kind(encoders(), text)->check(kGraphInput, reasons);
    return reasons.list.size();
  };
  EXPECT_EQ(refused("{type: graph, width: 16}"), 0U);
  EXPECT_EQ(refused("{type: graph, width: 6, self_attention: {heads: 4}}"), 1U);
  EXPECT_EQ(
      refused("{type: graph, width: 6, layers: 1, average: true, self_attention: {heads: 4}}"), 0U);
  EXPECT_EQ(refused("{type: graph, width: 16, self_attention: none}"), 1U);
  EXPECT_EQ(refused("{type: embeddings, intra_attention: {attention: {score: dot, heads: 3}}}"),
            1U);
}

// Parikh et al. 2016, section 3.4.
TEST_F(SmallEncoder, IntraSentenceAttention) {
  holds("reference", {"encoder: embeddings", "encoder: embeddings intra_attention"});
  const EncodedSource encoded = encode(
      "{type: embeddings, intra_attention: {hidden: 5, attention: {score: dot, terms: [{type: "
      "distance_bias, beyond: 2}]}}}");
  std::vector<reference::Rectified> f;
  for (const std::string name : {"attend", "attend_1"})
    f.push_back({matrix("intra_attention." + name + ".weight"),
                 vector("intra_attention." + name + ".bias")});
  const Vector bias = vector("intra_attention.attention.term_0.bias");
  ASSERT_EQ(bias.size(), 5U);
  for (int64_t r = 0; r < 2; ++r) {
    reference::States a;
    for (int64_t i = 0; i < lengths_[r].item<int64_t>(); ++i) a.push_back(vector_of(x_[r][i]));
    const auto expected = reference::intra_attention(a, f, bias);
    for (size_t i = 0; i < a.size(); ++i)
      expect_close(encoded.source.keys[r][static_cast<int64_t>(i)], tensor_of(expected[i]), kExact,
                   "[a; a']");
  }
  ASSERT_EQ(output_.attended.size(), 1U);
  EXPECT_EQ(output_.attended[0].site.place, Place::kEncoderSelf);
}

}  // namespace
}  // namespace heed
