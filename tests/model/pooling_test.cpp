// Pooling of a sentence to few rows equals the equations of Lin et al. 2017 and Shen et al. 2018;
// the weights of decoders over the rows are mapped to source positions.
#include <gtest/gtest.h>

#include "config/reader.h"
#include "holds.h"
#include "model/builders.h"
#include "model/joiners/self_attentive_config.h"
#include "model/seq2seq.h"
#include "nn/compare.h"
#include "reference/layers.h"
#include "reference/readouts.h"

namespace heed {
namespace {

using reference::Matrix;
using reference::Vector;

constexpr int64_t kPooledRows = 3, kPooledPlaces = 5, kPooledWidth = 4;

class PoolingTest : public testing::Test {
 protected:
  EncoderOutput pool(const std::string& text) {
    SelfAttentiveConfig config;
    read_config_text(text, "test", config);
    joiner_ = builders::self_attentive(
        config, {{"source", {.source = {.key = kPooledWidth, .value = kPooledWidth}, .cell = ""}}});
    fill(*joiner_);
    parameters_ = parameters_of(*joiner_);
    EncoderOutput encoded;
    EncodedSource& source = encoded.sources["source"];
    source.source = make_source(keys_, lengths_);
    source.source.values = values_;
    source.final_state.hidden = {uniform({kPooledRows, kPooledWidth}, "last")};
    return joiner_->join(std::move(encoded), Pass());
  }
  Matrix matrix(const std::string& name) const { return matrix_of(parameters_.at(name)); }
  Vector vector(const std::string& name) const { return vector_of(parameters_.at(name)); }
  reference::Readable readable(int64_t r) const {
    reference::Readable list;
    for (int64_t s = 0; s < kPooledPlaces; ++s) list.push_back(s < lengths_[r].item<int64_t>());
    return list;
  }

  std::shared_ptr<Joiner> joiner_;
  std::map<std::string, Tensor> parameters_;
  Tensor keys_ = uniform({kPooledRows, kPooledPlaces, kPooledWidth}, "keys", 1.5),
         values_ = uniform({kPooledRows, kPooledPlaces, kPooledWidth}, "values");
  Tensor lengths_ = torch::tensor({5, 2, 0}, torch::kLong);
};

TEST_F(PoolingTest, RowsEqualTheEquations) {
  holds("reference", {"join: self_attentive", "pool: rows"});
  const EncoderOutput pooled = pool("{pool: {type: rows, rows: 3, hidden: 6}}");
  const EncodedSource& source = pooled.sources.at("source");
  ASSERT_EQ(pooled.losses.size(), 1U);
  EXPECT_EQ(pooled.losses[0].value.sizes(), (c10::IntArrayRef{kPooledRows, 1}));
  for (int64_t r = 0; r < kPooledRows; ++r) {
    const auto expected = reference::self_attentive_pooling(matrix_of(keys_[r]), readable(r),
                                                            matrix("source.hidden.weight"),
                                                            matrix("source.rows.weight"));
    expect_close(source.source.keys[r], tensor_of(expected.pooled), kExact, "M");
    expect_close(source.origin[r], tensor_of(expected.weights), kExact, "A");
    expect_close(source.source.values[r],
                 tensor_of(reference::weighted_sum(expected.weights, matrix_of(values_[r]))),
                 kExact, "values");
    EXPECT_NEAR(pooled.losses[0].value[r][0].item<double>(),
                reference::redundancy(expected.weights), 1e-12);
  }
  EXPECT_TRUE(source.source.mask.all().item<bool>());
  EXPECT_EQ(source.source.mask.sizes(), (c10::IntArrayRef{kPooledRows, 3}));
}

TEST_F(PoolingTest, SourceToTokenEqualsTheEquation) {
  holds("reference", {"join: self_attentive", "pool: source2token"});
  const EncoderOutput pooled = pool("{pool: {type: source2token, hidden: 6}}");
  const EncodedSource& source = pooled.sources.at("source");
  EXPECT_TRUE(pooled.losses.empty());
  for (int64_t r = 0; r < kPooledRows; ++r) {
    const auto expected =
        reference::source2token(matrix_of(keys_[r]), readable(r), matrix("source.hidden.weight"),
                                vector("source.hidden.bias"), matrix("source.features.weight"),
                                vector("source.features.bias"));
    expect_close(source.source.keys[r], tensor_of(expected.pooled), kExact, "s");
    expect_close(source.origin[r], tensor_of(expected.weights).mean(0, true), kExact, "weights");
  }
}

// Im and Cho 2017, section 3.3: [Multidimensional(U); MaxPooling(U)], with layer normalization of
// both projections.
TEST_F(PoolingTest, SourceToTokenBesideTheGreatest) {
  holds("reference", {"pool: source2token"});
  const EncoderOutput pooled =
      pool("{pool: {type: source2token, hidden: 6, layer_norm: true, with_max: true}}");
  const EncodedSource& source = pooled.sources.at("source");
  const auto normed = [&](const std::string& name, const Vector& x) {
    return reference::layer_norm(x, vector("source." + name + "_norm.weight"),
                                 vector("source." + name + "_norm.bias"));
  };
  for (int64_t r = 0; r < kPooledRows; ++r) {
    const Matrix keys = matrix_of(keys_[r]);
    const auto score = [&](size_t, size_t i) {
      Vector hidden =
          normed("hidden", reference::affine(matrix("source.hidden.weight"),
                                             vector("source.hidden.bias"), keys.row(i)));
      for (double& v : hidden) v = reference::elu(v);
      return normed("features", reference::affine(matrix("source.features.weight"),
                                                  vector("source.features.bias"), hidden));
    };
    Vector expected =
        reference::featurewise_attention(score, keys, reference::Mask{readable(r)}).contexts.row(0);
    for (const double v : reference::max_pooling(keys, readable(r))) expected.push_back(v);
    expect_close(source.source.keys[r][0], tensor_of(expected), kExact, "row");
    EXPECT_NEAR(source.origin[r].sum().item<double>(), readable(r)[0] ? 1 : 0, 1e-12);
  }
  EXPECT_EQ(source.source.values.size(2), 2 * kPooledWidth);
}

// Mou et al. 2016, section 3.2: [p; h; |p - h|; p ⊙ h].
TEST(Pooled, PairsAreMatched) {
  SelfAttentiveConfig config;
  read_config_text("{pool: max, start: matched}", "test", config);
  const AllSourceDims sources = {{"p", {.source = {.key = 3, .value = 3}, .cell = "gru"}},
                                 {"h", {.source = {.key = 3, .value = 3}, .cell = "gru"}}};
  const auto joiner = builders::self_attentive(config, sources);
  EncoderOutput encoded;
  for (const char* name : {"p", "h"})
    encoded.sources[name].source =
        make_source(uniform({1, 1, 3}, name), torch::tensor({1}, torch::kLong));
  const Tensor first = encoded.sources["h"].source.keys[0][0],
               second = encoded.sources["p"].source.keys[0][0];  // in the order of their names
  const EncoderOutput joined = joiner->join(std::move(encoded), Pass());
  for (const auto& [name, source] : joined.sources) {
    const Tensor start = source.final_state.hidden.at(0)[0];
    ASSERT_EQ(start.size(0), 12);
    for (int64_t i = 0; i < 3; ++i) {
      const double p = first[i].item<double>(), h = second[i].item<double>();
      EXPECT_NEAR(start[i].item<double>(), p, 1e-12);
      EXPECT_NEAR(start[3 + i].item<double>(), h, 1e-12);
      EXPECT_NEAR(start[6 + i].item<double>(), std::abs(p - h), 1e-12);
      EXPECT_NEAR(start[9 + i].item<double>(), p * h, 1e-12);
    }
  }
  EXPECT_EQ(config.dims(sources).at("p").final_width, 12);
}

TEST_F(PoolingTest, MaxTakesTheGreatestOfWhatMayBeRead) {
  holds("reference", {"join: self_attentive", "pool: max"});
  const EncoderOutput pooled = pool("{pool: max}");
  const EncodedSource& source = pooled.sources.at("source");
  for (int64_t r = 0; r < kPooledRows; ++r) {
    const Matrix keys = matrix_of(keys_[r]), values = matrix_of(values_[r]);
    const auto row = [](const Vector& x) { return Matrix(1, x.size(), x); };
    expect_close(source.source.keys[r], tensor_of(row(reference::max_pooling(keys, readable(r)))),
                 kExact, "keys");
    expect_close(source.source.values[r],
                 tensor_of(row(reference::max_pooling(values, readable(r)))), kExact, "values");
    const int64_t length = lengths_[r].item<int64_t>();
    EXPECT_NEAR(source.origin[r].sum().item<double>(), length > 0 ? 1 : 0, 1e-12);
    EXPECT_TRUE(
        source.origin[r].narrow(1, length, kPooledPlaces - length).eq(0).all().item<bool>());
  }
}

// Lin et al. 2017, section 2.1: what reads M reads it as one vector of r times the width.
TEST_F(PoolingTest, IsWhatADecoderStartsFrom) {
  const EncoderOutput pooled = pool("{pool: {type: rows, rows: 3, hidden: 6}}");
  const EncodedSource& source = pooled.sources.at("source");
  ASSERT_EQ(source.final_state.hidden.size(), 1U);
  for (int64_t r = 0; r < kPooledRows; ++r) {
    Vector start;
    const auto a = reference::self_attentive_pooling(matrix_of(keys_[r]), readable(r),
                                                     matrix("source.hidden.weight"),
                                                     matrix("source.rows.weight"))
                       .weights;
    const Matrix m = reference::weighted_sum(a, matrix_of(values_[r]));
    for (size_t row = 0; row < m.rows; ++row) {
      const Vector values = m.row(row);
      start.insert(start.end(), values.begin(), values.end());
    }
    expect_close(source.final_state.hidden[0][r], tensor_of(start), kExact, "start");
  }
  const SourceDims dims =
      SelfAttentiveConfig()
          .dims({{"source", {.source = {.key = 4, .value = 4}, .cell = "lstm", .layers = 2}}})
          .at("source");
  EXPECT_EQ(dims.final_width, 16);
  EXPECT_EQ(dims.layers, 1);
  EXPECT_EQ(dims.cell, "");
  const Tensor last = uniform({kPooledRows, kPooledWidth}, "last");
  EXPECT_TRUE(pool("{pool: max, start: encoder}")
                  .sources.at("source")
                  .final_state.hidden.at(0)
                  .equal(last));
}

TEST_F(PoolingTest, GradientsAreFiniteDifferences) {
  for (const char* kind :
       {"{pool: {type: rows, rows: 2, hidden: 3}}", "{pool: {type: source2token, hidden: 3}}",
        "{pool: {type: source2token, hidden: 3, layer_norm: true, with_max: true}}",
        "{pool: max}"}) {
    pool(kind);
    const auto loss = [&] {
      EncoderOutput encoded;
      encoded.sources["source"].source = make_source(keys_, lengths_);
      const EncoderOutput joined = joiner_->join(std::move(encoded), Pass());
      Tensor sum = probed(joined.sources.at("source").source.keys);
      for (const SideLoss& side : joined.losses) sum = sum + probed(side.value, side.name);
      return sum;
    };
    expect_gradients(with_leaves(*joiner_, {{"keys", keys_}}), loss, 6);
  }
}

// a [T,r] over rows, and A [r,S] of the rows over positions, give a A over positions.
TEST(Pooled, WeightsAreToldInPlacesOfTheSentence) {
  ModelConfig config;
  read_config_text(
      "{embedding: {width: 6}, encoder: {type: rnn, width: 8}, "
      "join: {type: self_attentive, pool: {type: rows, rows: 2, hidden: 3}}, decoder: {type: rnn, "
      "width: 8}}",
      "test", config);
  Seq2Seq model(config, {{{"source", 12}}, 12}, 1);
  const SourceBatch batch = source_batch({{5, 6, 7, 8}, {9}}, torch::kCPU);
  Pass pass;
  pass.keep_weights = true;
  EncoderOutput encoded;
  State state = model.start(SourceBatches({{"source", batch}}), pass, encoded);
  const Step step = model.advance(torch::full({2, 3}, kBegin, torch::kLong), state);
  const Tensor weights = step.attended.at(0).weights;
  EXPECT_EQ(weights.sizes(), (c10::IntArrayRef{2, 1, 3, 5}));
  EXPECT_TRUE(torch::allclose(weights.sum(-1), torch::ones({2, 1, 3}), 1e-5, 1e-6));
  EXPECT_TRUE(weights[1].narrow(2, 2, 3).eq(0).all().item<bool>()) << "behind the end";
  state.gather(torch::tensor({0, 0, 1, 1}), 2);
  const Tensor of_hypotheses =
      model.advance(torch::full({4, 1}, 5, torch::kLong), state).attended.at(0).weights;
  EXPECT_TRUE(of_hypotheses.index_select(0, torch::tensor({0, 2}))
                  .allclose(of_hypotheses.index_select(0, torch::tensor({1, 3}))));
  EXPECT_TRUE(of_hypotheses[3].narrow(2, 2, 3).eq(0).all().item<bool>());
  ASSERT_EQ(encoded.attended.size(), 1U);
  EXPECT_EQ(encoded.attended[0].site.place, Place::kPooling);
  const Tensor rows = encoded.attended[0].weights;  // [R,1,r,S]
  EXPECT_EQ(rows.sizes(), (c10::IntArrayRef{2, 1, 2, 5}));
  // Whatever is read of two rows lies between them.
  const Tensor least = std::get<0>(rows.min(2)), most = std::get<0>(rows.max(2));  // [R,1,S]
  EXPECT_TRUE((weights >= least.unsqueeze(2) - 1e-6).all().item<bool>());
  EXPECT_TRUE((weights <= most.unsqueeze(2) + 1e-6).all().item<bool>());
}

TEST(Pooled, RowsHaveNoOrderToGoBy) {
  for (const char* attention :
       {"{terms: [gaussian]}", "{terms: [window]}", "{normalizer: monotonic}",
        "{normalizer: structured}", "{score: location}", "{type: linear, features: linformer}",
        "{type: hops, attention: {terms: [gaussian]}}"}) {
    ModelConfig config;
    const auto problems = find_problems(
        fmt::format("{{join: self_attentive, decoder: {{type: rnn, attention: {}}}}}", attention),
        "test", config);
    ASSERT_EQ(problems.size(), 1U) << attention;
    EXPECT_NE(problems[0].message.find("model.join"), std::string::npos) << problems[0].text();
  }
}

}  // namespace
}  // namespace heed
