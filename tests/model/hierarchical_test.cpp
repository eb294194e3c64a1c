// The hierarchical encoder against its definition, in plain loops over the sentences of documents.
#include <gtest/gtest.h>

#include <cmath>

#include "holds.h"
#include "model/builders.h"
#include "nn/chunks.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "read_kind.h"

namespace heed {
namespace {

using reference::dot;
using reference::product;
using reference::sum;
using reference::Vector;

constexpr int64_t kDocumentWidth = 4;

TEST(Chunks, AreNumberedFromTheMarks) {
  const Tensor ids = torch::tensor({{5, 9, 6, 6, 9, 7, 3}, {4, 3, 0, 0, 0, 0, 0}});
  const Tensor chunks = chunks_of(ids == 9), mask = ids != 0;
  EXPECT_TRUE(torch::equal(chunks[0], torch::tensor({0, 0, 1, 1, 1, 2, 2}, torch::kLong)));
  EXPECT_TRUE(torch::equal(chunk_counts(chunks, mask), torch::tensor(std::vector<int64_t>{3, 1})));
  EXPECT_EQ(chunk_members(chunks, mask, 3).sum({1, 2})[1].item<int64_t>(), 2);
}

// Documents of sentences of 2, 3 and 1 positions, and of one of 2 positions.
class Documents : public testing::Test {
 protected:
  Documents() : x_(uniform({2, 6, kDocumentWidth}, "x")) {
    batch_.lengths = torch::tensor(std::vector<int64_t>{6, 2});
    batch_.mask = length_mask(batch_.lengths, 6);
    batch_.features[kChunks] =
        torch::tensor({{0, 0, 1, 1, 1, 2}, {0, 0, 0, 0, 0, 0}}, torch::kLong);
  }

  EncodedSource encode(const std::string& more) {
    const auto config =
        read_kind(encoders(),
                  "{type: hierarchical, word_encoder: embeddings, sentence_encoder: {type: "
                  "embeddings, "
                  "positions: {type: learned, max_positions: 3}}" +
                      more + "}");
    const auto encoder = build(*config, kDocumentWidth, 0);
    fill(*encoder);
    parameters_ = parameters_of(*encoder);
    EncoderOutput output;
    return encoder->encode(x_, batch_, Pass(), output);
  }

  // Weights of the positions of a sentence with pool: attention, or of the sentences of a document.
  Vector weights_of(const std::vector<Vector>& positions, const std::string& of = "") const {
    Vector result;
    double all = 0;
    for (const Vector& position : positions) {
      Vector u = sum(product(matrix_of(parameters_.at(of + "hidden.weight")), position),
                     vector_of(parameters_.at(of + "hidden.bias")));
      for (double& value : u) value = std::tanh(value);
      result.push_back(std::exp(dot(u, vector_of(parameters_.at(of + "weigh.weight")))));
      all += result.back();
    }
    for (double& weight : result) weight /= all;
    return result;
  }

  Vector sentence(int64_t r, const std::vector<int64_t>& positions, int64_t number,
                  bool mean) const {
    std::vector<Vector> states;
    for (const int64_t position : positions) states.push_back(vector_of(x_[r][position]));
    const Vector weights =
        mean ? Vector(states.size(), 1.0 / static_cast<double>(states.size())) : weights_of(states);
    Vector s = vector_of(parameters_.at("sentences.positions.table")[number]);
    for (size_t t = 0; t < states.size(); ++t) {
      for (size_t i = 0; i < s.size(); ++i) s[i] += weights[t] * states[t][i];
    }
    return s;
  }

  void expect_sentences(const Tensor& states, bool mean) const {
    expect_close(states[0][0], tensor_of(sentence(0, {0, 1}, 0, mean)), 1e-10, "first");
    expect_close(states[0][1], tensor_of(sentence(0, {2, 3, 4}, 1, mean)), 1e-10, "second");
    expect_close(states[0][2], tensor_of(sentence(0, {5}, 2, mean)), 1e-10, "third");
    expect_close(states[1][0], tensor_of(sentence(1, {0, 1}, 0, mean)), 1e-10, "other document");
  }

  Tensor x_;
  SourceBatch batch_;
  std::map<std::string, Tensor> parameters_;
};

TEST_F(Documents, BecomeSentences) {
  holds_not("reference", {{"last: encoder", "the last state of sentence_encoder"}});
  holds("reference", {"encoder: hierarchical", "pool: attention", "pool: mean"});
  for (const bool mean : {false, true}) {
    const EncodedSource encoded =
        encode(mean ? ", pool: mean" : ", pool: {type: attention, hidden: 3}");
    EXPECT_TRUE(torch::equal(encoded.source.lengths, torch::tensor(std::vector<int64_t>{3, 1})));
    expect_sentences(encoded.source.keys, mean);
    const Vector weights =
        mean ? Vector{0.5, 0.5} : weights_of({vector_of(x_[1][0]), vector_of(x_[1][1])});
    expect_close(encoded.origin[1][0].narrow(0, 0, 2), tensor_of(weights), 1e-10, "origin");
    EXPECT_EQ(encoded.origin[0][1].narrow(0, 0, 2).abs().max().item<double>(), 0);
  }
}

// Yang et al. 2016, equations 8 to 10.
TEST_F(Documents, BecomeOneVectorByAttentionOverSentences) {
  holds("reference", {"encoder: hierarchical", "last: attention"});
  const EncodedSource encoded = encode(", last: {type: attention, hidden: 3}");
  ASSERT_EQ(encoded.final_state.hidden.size(), 1U);
  for (int64_t r = 0; r < 2; ++r) {
    std::vector<Vector> sentences;
    for (int64_t i = 0; i < encoded.source.lengths[r].item<int64_t>(); ++i)
      sentences.push_back(vector_of(encoded.source.keys[r][i]));
    const Vector weights = weights_of(sentences, "sentence_");
    Vector v(kDocumentWidth, 0.0);
    for (size_t i = 0; i < sentences.size(); ++i) {
      for (size_t d = 0; d < v.size(); ++d) v[d] += weights[i] * sentences[i][d];
    }
    expect_close(encoded.final_state.hidden[0][r], tensor_of(v), 1e-10, "document");
  }
}

// Sukhbaatar et al. 2015, section 4.1.
TEST_F(Documents, PoolWordsByTheirPosition) {
  holds("reference", {"pool: position"});
  const EncodedSource encoded = encode(", pool: position");
  const std::vector<int64_t> positions = {2, 3, 4};
  Vector s = vector_of(parameters_.at("sentences.positions.table")[1]);
  for (size_t j = 1; j <= positions.size(); ++j) {
    const Vector word = vector_of(x_[0][positions[j - 1]]);
    for (size_t k = 1; k <= s.size(); ++k) {
      const double in_sentence = static_cast<double>(j) / 3, in_width = static_cast<double>(k) / 4;
      s[k - 1] += ((1 - in_sentence) - in_width * (1 - 2 * in_sentence)) * word[k - 1];
    }
  }
  expect_close(encoded.source.keys[0][1], tensor_of(s), 1e-10, "the second sentence");
}

TEST_F(Documents, KeepTheirWordsBesideTheSentences) {
  const EncodedSource encoded = encode(", states: words, pool: {type: attention, hidden: 3}");
  const Tensor open = batch_.mask.unsqueeze(2);
  expect_close(encoded.source.keys, x_.masked_fill(~open, 0), 1e-12, "the words");
  expect_sentences(encoded.source.features.at(kChunkStates), false);
  EXPECT_FALSE(encoded.origin.defined());
}

// A recurrent encoder must not read on from one sentence into the next.
TEST_F(Documents, ReadEachSentenceByItself) {
  const auto config = read_kind(encoders(),
                                "{type: hierarchical, pool: {type: attention, hidden: 3}, states: "
                                "words, word_encoder: {type: rnn, width: 4}, "
                                "sentence_encoder: {type: rnn, width: 4}}");
  const auto encoder = build(*config, kDocumentWidth, 0);
  fill(*encoder);
  EncoderOutput output;
  const Tensor whole = encoder->encode(x_, batch_, Pass(), output).source.keys;
  SourceBatch alone;
  alone.lengths = torch::tensor(std::vector<int64_t>{3});
  alone.mask = length_mask(alone.lengths, 3);
  const Tensor own =
      encoder->encode(x_.narrow(0, 0, 1).narrow(1, 2, 3), alone, Pass(), output).source.keys;
  expect_close(whole.narrow(0, 0, 1).narrow(1, 2, 3), own, 1e-12, "the second sentence");
}

}  // namespace
}  // namespace heed
