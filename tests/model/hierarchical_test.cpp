// The hierarchical encoder against its definition, in plain loops over the sentences of documents.
#include <gtest/gtest.h>

#include <cmath>

#include "holds.h"
#include "model/builders.h"
#include "nn/chunks.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "read_kind.h"
#include "reference/recurrent.h"

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
    std::string levels;
    if (more.find("word_encoder") == std::string::npos) levels += ", word_encoder: embeddings";
    if (more.find("sentence_encoder") == std::string::npos)
      levels +=
          ", sentence_encoder: {type: embeddings, positions: {type: learned, max_positions: 3}}";
    const auto config = read_kind(encoders(), "{type: hierarchical" + levels + more + "}");
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

// With blocks, each has the encoding of its own width: l of k = 1, 2 of two words, twice.
TEST_F(Documents, PoolWordsByTheirPositionInBlocks) {
  const EncodedSource encoded = encode(", pool: {type: position, blocks: 2}");
  Vector s = vector_of(parameters_.at("sentences.positions.table")[0]);
  const std::vector<Vector> l = {{0.5, 0.5}, {0.5, 1.0}};  // (1 - j/2) - (k/2) (1 - j)
  for (int64_t j = 0; j < 2; ++j) {
    const Vector word = vector_of(x_[0][j]);
    for (size_t k = 0; k < s.size(); ++k) s[k] += l[static_cast<size_t>(j)][k % 2] * word[k];
  }
  expect_close(encoded.source.keys[0][0], tensor_of(s), 1e-10, "the first sentence");
}

TEST_F(Documents, AreSumsOrLastWordsOfSentences) {
  holds("reference", {"pool: sum", "pool: last"});
  for (const bool marker : {true, false}) {
    const std::string more = fmt::format(", marker_is_word: {}", marker);
    const Tensor sums = encode(", pool: sum" + more).source.keys,
                 places = parameters_.at("sentences.positions.table");
    // Positions of the sentences of the first document; a marker ends all but the last.
    const std::vector<std::vector<int64_t>> sentences =
        marker ? std::vector<std::vector<int64_t>>{{0, 1}, {2, 3, 4}, {5}}
               : std::vector<std::vector<int64_t>>{{0}, {2, 3}, {5}};
    const EncodedSource last = encode(", pool: last" + more);
    for (size_t i = 0; i < sentences.size(); ++i) {
      const auto number = static_cast<int64_t>(i), end = sentences[i].back();
      Tensor sum = places[number];
      for (const int64_t position : sentences[i]) sum = sum + x_[0][position];
      expect_close(sums[0][number], sum, 1e-10, "sum");
      expect_close(last.source.keys[0][number], places[number] + x_[0][end], 1e-10, "last");
      EXPECT_EQ(last.origin[0][number][end].item<double>(), 1);
    }
    expect_close(last.source.keys[1][0], places[0] + x_[1][1], 1e-10, "the only sentence");
  }
}

// A word encoder that runs over the text has other states in the second sentence.
TEST_F(Documents, MayHaveWordsThatKnowTheTextBefore) {
  const std::string words =
      ", pool: last, word_encoder: {type: rnn, cell: gru, width: 4, bidirectional: false}";
  const Tensor text = encode(words + ", word_context: text").source.keys;
  const auto gru = [&](const char* part) {
    return parameters_.at(std::string("words.layer_0_forward.") + part);
  };
  const reference::Cell cell{.kind = "gru",
                             .input = matrix_of(gru("weight_input")),
                             .hidden = matrix_of(gru("weight_hidden")),
                             .input_bias = vector_of(gru("bias_input")),
                             .hidden_bias = vector_of(gru("bias_hidden"))};
  const reference::Matrix states =
      reference::run({cell}, matrix_of(x_[0]), 6, /*backwards=*/false).outputs;
  const std::vector<size_t> ends = {1, 4, 5};
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto number = static_cast<int64_t>(i);
    const Tensor place = parameters_.at("sentences.positions.table")[number];
    expect_close(text[0][number], place + tensor_of(states.row(ends[i])), 1e-10, "end");
  }
  const Tensor alone = encode(words).source.keys;
  expect_close(alone[0][0], text[0][0], 1e-10, "nothing is before the first sentence");
  EXPECT_GT((alone[0][1] - text[0][1]).abs().max().item<double>(), 1e-3);
}

// Sukhbaatar et al. 2015: the distance from a question behind the text.
TEST_F(Documents, MayHavePositionsFromTheLastSentence) {
  const Tensor keys = encode(
                          ", pool: sum, sentence_encoder: {type: embeddings, from_end: true, "
                          "positions: {type: learned, max_positions: 2}}")
                          .source.keys,
               places = parameters_.at("sentences.positions.table");
  expect_close(keys[0][0], x_[0][0] + x_[0][1] + places[1], 1e-10, "beyond the table");
  expect_close(keys[0][1], x_[0][2] + x_[0][3] + x_[0][4] + places[1], 1e-10, "the last but one");
  expect_close(keys[0][2], x_[0][5] + places[0], 1e-10, "the last");
  expect_close(keys[1][0], x_[1][0] + x_[1][1] + places[0], 1e-10, "the only one");
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
