// The encoder of DiSA blocks equals the equations of Shen et al. 2018, and with projected fusion
// those of Im and Cho 2017.
#include "reference/disan.h"

#include "reference/reinforced.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "config/reader.h"
#include "holds.h"
#include "model/builders.h"
#include "model/encoders/disan_config.h"
#include "nn/compare.h"

namespace heed {
namespace {

using reference::Matrix;
using reference::Vector;

constexpr int64_t kDisanInput = 5, kDisanRows = 3, kDisanPlaces = 4;

class Disan : public testing::Test {
 protected:
  // Output of an encoder of this config; stores its parameters.
  EncodedSource encode(const std::string& text) {
    DisanEncoderConfig config;
    read_config_text(text, "test", config);
    encoder_ = builders::disan_encoder(config, kDisanInput, 0);
    fill(*encoder_);
    SourceBatch batch;
    batch.lengths = lengths_;
    batch.mask = length_mask(lengths_, kDisanPlaces);
    EncoderOutput output;
    EncodedSource encoded = encoder_->encode(x_, batch, Pass(), output);
    parameters_ = parameters_of(*encoder_);
    return encoded;
  }
  Matrix matrix(const std::string& name) const { return matrix_of(parameters_.at(name)); }
  Vector vector(const std::string& name) const { return vector_of(parameters_.at(name)); }
  reference::Disa block(const std::string& name) const {
    return {.input = matrix(name + ".to_own.weight"),
            .input_bias = vector(name + ".to_own.bias"),
            .key = matrix(name + ".attention.score.key.weight"),
            .query = matrix(name + ".attention.score.query.weight"),
            .score_bias = vector(name + ".attention.score.query.bias"),
            .gate_context = matrix(name + ".fusion.from_sum.weight"),
            .gate_input = matrix(name + ".fusion.from_own.weight"),
            .gate_bias = vector(name + ".fusion.from_sum.bias")};
  }
  size_t length(int64_t r) const { return static_cast<size_t>(lengths_[r].item<int64_t>()); }
  // States of row r at its readable positions.
  Tensor read(const Tensor& states, int64_t r) const {
    return states[r].narrow(0, 0, lengths_[r].item<int64_t>());
  }

  std::shared_ptr<Encoder> encoder_;
  std::map<std::string, Tensor> parameters_;
  Tensor x_ = uniform({kDisanRows, kDisanPlaces, kDisanInput}, "x", 1.5);
  Tensor lengths_ = torch::tensor({4, 2, 1}, torch::kLong);
};

TEST_F(Disan, BlocksOnTopOfEachOtherEqualTheEquations) {
  holds("reference", {"encoder: disan"});
  const EncodedSource encoded = encode("{layers: 2, width: 6, dropout: 0}");
  for (int64_t r = 0; r < kDisanRows; ++r) {
    const Matrix first =
        reference::disan(matrix_of(x_[r]), length(r), block("forward_0"), block("backward_0"));
    const Matrix second =
        reference::disan(first, length(r), block("forward_1"), block("backward_1"));
    const Tensor expected = tensor_of(second).narrow(0, 0, lengths_[r].item<int64_t>());
    expect_close(read(encoded.source.keys, r), expected, kExact, "u");
  }
}

TEST_F(Disan, AProjectedFusionEqualsTheEquation) {
  holds("reference", {"encoder: disan"});
  const EncodedSource encoded = encode("{layers: 1, width: 6, dropout: 0, fusion: projected}");
  for (int64_t r = 0; r < kDisanRows; ++r) {
    Matrix expected(length(r), 6);
    for (const bool forward : {true, false}) {
      const std::string name = forward ? "forward_0" : "backward_0";
      const reference::DisaResult found =
          reference::disa_block(matrix_of(x_[r]), length(r),
                                forward ? reference::forward_mask(kDisanPlaces, kDisanPlaces)
                                        : reference::backward_mask(kDisanPlaces, kDisanPlaces),
                                block(name));
      for (size_t i = 0; i < length(r); ++i) {
        const Vector u = reference::projected_fusion_gate(
            found.read.contexts.row(i), found.hidden.row(i),
            matrix(name + ".fusion.from_sum.weight"), vector(name + ".fusion.from_sum.bias"),
            matrix(name + ".fusion.from_own.weight"), vector(name + ".fusion.from_own.bias"),
            vector(name + ".fusion.bias"));
        for (size_t d = 0; d < u.size(); ++d) expected(i, d + (forward ? 0 : 3)) = u[d];
      }
    }
    expect_close(read(encoded.source.keys, r), tensor_of(expected), kExact, "u");
  }
}

// One block without direction: each position reads all of them. The other positions alone, as in
// ReSAN, are those of the term reinforced.
TEST_F(Disan, ABlockWithoutDirectionReadsAllPositions) {
  holds("reference", {"encoder: disan"});
  const EncodedSource encoded = encode("{width: 6, dropout: 0, directions: none}");
  for (int64_t r = 0; r < kDisanRows; ++r) {
    const auto all =
        reference::mask_of(kDisanPlaces, kDisanPlaces, [](size_t, size_t) { return true; });
    const Matrix u =
        reference::disa_block(matrix_of(x_[r]), length(r), all, block("block_0")).outputs;
    expect_close(read(encoded.source.keys, r),
                 tensor_of(u).narrow(0, 0, lengths_[r].item<int64_t>()), kExact, "u");
  }
}

// The samplers of ReSAN select tokens of h (Shen et al. 2018, ReSAN, equations 8 to 13).
TEST_F(Disan, ReinforcedAttentionReadsTheSelectedTokens) {
  holds("reference", {"encoder: disan", "terms: reinforced"});
  const EncodedSource encoded = encode(
      "{width: 6, dropout: 0, directions: none, self_attention: {score: multi_dim, terms: "
      "[{type: reinforced, warmup: 0}]}}");
  const auto sampler = [&](const std::string& name) {
    const std::string of = "block_0.attention.term_0." + name + ".";
    return reference::Sampler{.inner = matrix(of + "hidden.weight"),
                              .inner_bias = vector(of + "hidden.bias"),
                              .outer = vector(of + "score.weight"),
                              .outer_bias = vector(of + "bias")[0]};
  };
  for (int64_t r = 0; r < kDisanRows; ++r) {
    const auto all =
        reference::mask_of(kDisanPlaces, kDisanPlaces, [](size_t, size_t) { return true; });
    const Matrix h =
        reference::disa_block(matrix_of(x_[r]), length(r), all, block("block_0")).hidden;
    reference::Readable readable;
    for (size_t i = 0; i < kDisanPlaces; ++i) readable.push_back(i < length(r));
    const auto chosen = [&](const std::string& name) {
      return reference::likely_choices(reference::probabilities(h, readable, sampler(name)));
    };
    const Matrix u =
        reference::disa_block(matrix_of(x_[r]), length(r),
                              reference::picked_mask(chosen("heads"), chosen("dependents")),
                              block("block_0"))
            .outputs;
    expect_close(read(encoded.source.keys, r),
                 tensor_of(u).narrow(0, 0, lengths_[r].item<int64_t>()), kExact, "u");
  }
}

// Im and Cho 2017, the whole of a forward and a backward block.
TEST_F(Disan, BlocksWithADistanceMaskEqualTheEquations) {
  holds("reference", {"encoder: disan"});
  const EncodedSource encoded = encode(
      "{width: 10, dropout: 0, input_layer: false, fusion: normalized, feed_forward: 7, "
      "self_attention: {score: {type: scaled_dot, project: true}, terms: [distance], read: "
      "{project: true}}}");
  const auto norm = [&](const std::string& name) {
    return reference::Norm{.gain = vector(name + ".weight"), .shift = vector(name + ".bias")};
  };
  for (int64_t r = 0; r < kDisanRows; ++r) {
    const Matrix x = matrix_of(x_[r].narrow(0, 0, lengths_[r].item<int64_t>()));
    Matrix expected(length(r), 10);
    for (const bool forward : {true, false}) {
      const std::string name = forward ? "forward_0" : "backward_0",
                        attention = name + ".attention.", fusion = name + ".fusion.",
                        end = name + ".feed_forward.";
      const auto projected = [&](const std::string& layer, const Matrix& states) {
        return reference::affine(matrix(attention + layer + ".weight"),
                                 vector(attention + layer + ".bias"), states);
      };
      const reference::DistanceBlock block{
          .from_word = matrix(fusion + "from_own.weight"),
          .from_attention = matrix(fusion + "from_sum.weight"),
          .gate_bias = vector(fusion + "bias"),
          .attention_norm = norm(fusion + "sum_norm"),
          .word_norm = norm(fusion + "from_own_norm"),
          .projected_norm = norm(fusion + "from_sum_norm"),
          .gate_norm = norm(fusion + "norm"),
          .last_norm = norm(end + "residual.norm"),
          .feed_forward = {.inner = matrix(end + "layer.inner.weight"),
                           .gate = {},
                           .outer = matrix(end + "layer.outer.weight"),
                           .inner_bias = vector(end + "layer.inner.bias"),
                           .gate_bias = {},
                           .outer_bias = vector(end + "layer.outer.bias")}};
      const Matrix q = projected("score.query", x), k = projected("score.key", x),
                   v = projected("read.value", x);
      for (size_t i = 0; i < length(r); ++i) {
        const Vector weights = reference::distance_weights(q, k, i, forward, 1.5);
        Matrix context(1, v.columns);
        for (size_t j = 0; j < v.rows; ++j) {
          for (size_t d = 0; d < v.columns; ++d) context(0, d) += weights[j] * v(j, d);
        }
        // The first or the last position reads nothing.
        const bool reads = std::ranges::any_of(weights, [](double weight) { return weight > 0; });
        const Vector attended =
            reads ? projected("read.output", context).row(0) : Vector(v.columns, 0.0);
        const Vector y = reference::distance_block(x.row(i), attended, block);
        for (size_t d = 0; d < y.size(); ++d) expected(i, d + (forward ? 0 : 5)) = y[d];
      }
    }
    expect_close(read(encoded.source.keys, r), tensor_of(expected), kExact, "y");
  }
}

// Problems of a config, each with its path.
std::string problems_of(const std::string& text) {
  struct Any final : Settings {
    DisanEncoderConfig encoder;
    void fields(Fields& f) override { f.section("encoder", encoder, ""); }
    void validate(Problems& problems) const override {
      ProblemsAt at(problems, "encoder");
      encoder.check(kDisanInput, at);
    }
  } any;
  std::string all;
  for (const Problem& problem : find_problems("{encoder: " + text + "}", "test", any))
    all += problem.text() + "\n";
  return all;
}

TEST(DisanConfig, RefusesWhatCannotWork) {
  EXPECT_EQ(problems_of("{width: 6}"), "");
  EXPECT_NE(problems_of("{width: 7}").find("cannot be divided by two directions"),
            std::string::npos);
  EXPECT_NE(problems_of("{width: 6, self_attention: linear}").find("use staged"),
            std::string::npos);
  EXPECT_NE(problems_of("{width: 6, self_attention: {score: multi_dim, terms: [directional]}}")
                .find("has a direction already"),
            std::string::npos);
  EXPECT_NE(problems_of("{width: 6, self_attention: {score: multi_dim, read: fusion_gate}}")
                .find("has a fusion gate already"),
            std::string::npos);
  EXPECT_NE(problems_of("{width: 6, self_attention: {score: scaled_dot, heads: 2}}").find("heads"),
            std::string::npos);
  EXPECT_EQ(problems_of("{width: 7, directions: none}"), "");
  EXPECT_NE(problems_of("{width: 6, directions: none, self_attention: {terms: [directional]}}")
                .find("have no direction"),
            std::string::npos);
  EXPECT_EQ(problems_of("{width: 10, input_layer: false}"), "");
  EXPECT_NE(problems_of("{width: 8, input_layer: false}").find("have width 5 and a block has 4"),
            std::string::npos);
  EXPECT_NE(problems_of("{width: 10, layers: 2, input_layer: false}").find("use one layer"),
            std::string::npos);
  EXPECT_EQ(problems_of("{width: 5, layers: 2, input_layer: false, directions: none}"), "");
}

}  // namespace
}  // namespace heed
