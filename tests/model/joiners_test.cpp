// Joiners of several sources against their definitions, in plain loops over numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "holds.h"
#include "model/builders.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "read_kind.h"
#include "reference/sentence_pairs.h"

namespace heed {
namespace {

using reference::dot;
using reference::Matrix;
using reference::product;
using reference::sigmoid;
using reference::sum;
using reference::Vector;

constexpr int64_t kJoinerWidth = 4;

Vector side_by_side(Vector a, const Vector& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Vector each(Vector x, double (*change)(double)) {
  for (double& value : x) value = change(value);
  return x;
}
double rectified(double x) { return std::max(x, 0.0); }

// Two sentences of two sources; the second sentence lacks the second source.
class JoinedSources : public testing::Test {
 protected:
  JoinedSources() {
    for (const auto& [name, lengths] :
         {std::pair{"a", std::vector<int64_t>{3, 2}}, {"b", std::vector<int64_t>{2, 0}}}) {
      EncodedSource& encoded = encoded_.sources[name];
      encoded.source = make_source(uniform({2, 3, kJoinerWidth}, name), torch::tensor(lengths));
      for (int layer = 0; layer < 2; ++layer) {
        const std::string of = name + std::to_string(layer);
        encoded.final_state.hidden.push_back(uniform({2, kJoinerWidth}, of + "h"));
        encoded.final_state.cell.push_back(uniform({2, kJoinerWidth}, of + "c"));
      }
      dims_[name] = {.source = {.key = kJoinerWidth, .value = kJoinerWidth},
                     .cell = "lstm",
                     .layers = 2,
                     .final_width = kJoinerWidth};
    }
  }

  EncoderOutput join(const std::string& text) {
    const auto config = read_kind(joiners(), text);
    const auto joiner = build(*config, dims_);
    fill(*joiner);
    parameters_ = parameters_of(*joiner);
    Pass pass;
    pass.keep_weights = true;
    return joiner->join(encoded_, pass);
  }

  Matrix weight(const std::string& name) const {
    return matrix_of(parameters_.at(name + ".weight"));
  }
  Vector bias(const std::string& name) const { return vector_of(parameters_.at(name + ".bias")); }
  // Σ_k W^k h_k + b, with the W^k side by side.
  Vector of_both(const std::string& name, const Vector& a, const Vector& b) const {
    return sum(product(weight(name), side_by_side(a, b)), bias(name));
  }
  Vector hidden(const char* source, int64_t layer, int64_t r) const {
    return vector_of(encoded_.sources.at(source).final_state.hidden[layer][r]);
  }
  Vector cell(const char* source, int64_t layer, int64_t r) const {
    return vector_of(encoded_.sources.at(source).final_state.cell[layer][r]);
  }
  std::vector<Vector> states(const char* source, int64_t r) const {
    const Source& own = encoded_.sources.at(source).source;
    std::vector<Vector> rows;
    for (int64_t s = 0; s < own.lengths[r].item<int64_t>(); ++s)
      rows.push_back(vector_of(own.keys[r][s]));
    return rows;
  }

  static void expect_vector(const Tensor& found, const Vector& wanted, const char* what) {
    expect_close(found, tensor_of(wanted), 1e-10, what);
  }

  EncoderOutput encoded_;
  AllSourceDims dims_;
  std::map<std::string, Tensor> parameters_;
};

// Zoph and Knight 2016, the basic combination.
TEST_F(JoinedSources, BasicProjectsAndAdds) {
  holds("reference", {"join: basic"});
  const EncoderOutput joined = join("basic");
  for (const auto& [name, source] : joined.sources) {
    for (int64_t layer = 0; layer < 2; ++layer) {
      for (int64_t r = 0; r < 2; ++r) {
        const Vector both = of_both("hidden_" + std::to_string(layer), hidden("a", layer, r),
                                    hidden("b", layer, r));
        expect_vector(source.final_state.hidden[layer][r], each(both, std::tanh), "hidden");
        expect_vector(source.final_state.cell[layer][r],
                      sum(cell("a", layer, r), cell("b", layer, r)), "cell");
      }
    }
    EXPECT_TRUE(source.source.keys.is_same(encoded_.sources.at(name).source.keys));
  }
}

// Zoph and Knight 2016, child-sum: the cell of a Tree-LSTM whose children are the sources.
TEST_F(JoinedSources, ChildSumForgetsEach) {
  holds("reference", {"join: child_sum"});
  const EncoderOutput joined = join("child_sum");
  for (int64_t layer = 0; layer < 2; ++layer) {
    const std::string of = std::to_string(layer);
    for (int64_t r = 0; r < 2; ++r) {
      const Vector gates = of_both("gates_" + of, hidden("a", layer, r), hidden("b", layer, r));
      Vector c, h;
      for (size_t i = 0; i < kJoinerWidth; ++i) {
        double value = sigmoid(gates[i]) * std::tanh(gates[2 * kJoinerWidth + i]);
        int64_t k = 0;
        for (const char* source : {"a", "b"}) {
          const std::string forget = "forget_" + of + "_" + std::to_string(k++);
          const Vector f = sum(product(weight(forget), hidden(source, layer, r)), bias(forget));
          value += sigmoid(f[i]) * cell(source, layer, r)[i];
        }
        c.push_back(value);
        h.push_back(sigmoid(gates[kJoinerWidth + i]) * std::tanh(value));
      }
      expect_vector(joined.sources.at("b").final_state.cell[layer][r], c, "cell");
      expect_vector(joined.sources.at("b").final_state.hidden[layer][r], h, "hidden");
    }
  }
}

// Context vector of x over the positions of another source by the products of F; 0 if it is empty.
class Readers : public JoinedSources {
 protected:
  // F and G: two layers, each with rectifiers.
  Vector layers(const std::string& name, Vector x) const {
    for (const std::string& layer : {name, name + "_1"})
      x = each(sum(product(weight(layer), x), bias(layer)), rectified);
    return x;
  }
  Vector prepared(const Vector& x) const { return layers("attend", x); }
  Vector found(const Vector& x, const std::vector<Vector>& others) const {
    Vector context(kJoinerWidth, 0.0), weights;
    double all = 0;
    for (const Vector& other : others) {
      weights.push_back(std::exp(dot(prepared(x), prepared(other))));
      all += weights.back();
    }
    for (size_t j = 0; j < others.size(); ++j) {
      for (size_t i = 0; i < kJoinerWidth; ++i) context[i] += weights[j] / all * others[j][i];
    }
    return context;
  }
  Vector compared(const Vector& own, const Vector& other) const {
    return layers("compare", side_by_side(own, other));
  }
  std::vector<Vector> all_compared(const std::vector<Vector>& own,
                                   const std::vector<Vector>& others) const {
    std::vector<Vector> result;
    for (const Vector& x : own) result.push_back(compared(x, found(x, others)));
    return result;
  }
  static Vector mean(const std::vector<Vector>& rows) {
    Vector result(kJoinerWidth, 0.0);
    for (const Vector& row : rows) {
      for (size_t i = 0; i < kJoinerWidth; ++i)
        result[i] += row[i] / static_cast<double>(rows.size());
    }
    return result;
  }
  static Vector total(const std::vector<Vector>& rows) {
    Vector result(kJoinerWidth, 0.0);
    for (const Vector& row : rows) result = sum(result, row);
    return result;
  }
  // The single position of a sentence, if it has any.
  static std::vector<Vector> one(const std::vector<Vector>& rows) {
    return rows.empty() ? rows : std::vector<Vector>{mean(rows)};
  }
  void expect_joined(const EncoderOutput& joined, int64_t r, const std::vector<Vector>& a,
                     const std::vector<Vector>& b) const {
    for (size_t i = 0; i < a.size(); ++i)
      expect_vector(joined.sources.at("a").source.keys[r][static_cast<int64_t>(i)], a[i], "a");
    for (size_t i = 0; i < b.size(); ++i)
      expect_vector(joined.sources.at("b").source.keys[r][static_cast<int64_t>(i)], b[i], "b");
    expect_vector(joined.sources.at("a").final_state.hidden[0][r], side_by_side(total(a), total(b)),
                  "the sums");
  }
};

// Parikh et al. 2016, equations 1 to 4.
TEST_F(Readers, FineAndParallel) {
  holds("reference", {"join: co_attention"});
  const EncoderOutput joined = join("{type: co_attention, hidden: 3}");
  for (int64_t r = 0; r < 2; ++r) {
    const auto a = states("a", r), b = states("b", r);
    expect_joined(joined, r, all_compared(a, b), all_compared(b, a));
  }
}

TEST_F(Readers, MeansInThePlaceOfSums) {
  const EncoderOutput joined = join("{type: co_attention, hidden: 3, aggregate: mean}");
  const auto a = all_compared(states("a", 0), states("b", 0)),
             b = all_compared(states("b", 0), states("a", 0));
  expect_vector(joined.sources.at("b").final_state.hidden[0][0], side_by_side(mean(a), mean(b)),
                "the means");
}

TEST_F(Readers, FineAndInTurn) {
  holds("reference", {"join: co_attention"});
  const EncoderOutput joined = join("{type: co_attention, hidden: 3, order: in_turn}");
  for (int64_t r = 0; r < 2; ++r) {
    const auto a = states("a", r), b = all_compared(states("b", r), a);
    expect_joined(joined, r, all_compared(a, b), b);
  }
}

TEST_F(Readers, Coarse) {
  holds("reference", {"join: co_attention"});
  for (const bool in_turn : {false, true}) {
    const EncoderOutput joined =
        join(std::string("{type: co_attention, hidden: 3, grain: coarse, order: ") +
             (in_turn ? "in_turn}" : "parallel}"));
    for (int64_t r = 0; r < 2; ++r) {
      const auto a = states("a", r), b = states("b", r);
      const auto new_b = all_compared(one(b), a);
      expect_joined(joined, r, all_compared(one(a), in_turn ? new_b : b), new_b);
    }
  }
}

// Lu et al. 2016, section 3.3, in columns of numbers: what is read of a source, and how.
class Summaries : public JoinedSources {
 protected:
  // Σ_i a_i x_i of a = softmax(scores); nothing of nothing.
  static Vector weighted(const Vector& scores, const std::vector<Vector>& rows) {
    Vector result(kJoinerWidth, 0.0);
    double all = 0;
    for (const double score : scores) all += std::exp(score);
    for (size_t s = 0; s < rows.size(); ++s) {
      for (size_t i = 0; i < kJoinerWidth; ++i) result[i] += std::exp(scores[s]) / all * rows[s][i];
    }
    return result;
  }
  // A(X; g), equation 6, of the first, second or third reading; none guides the first.
  Vector read(size_t number, const std::vector<Vector>& x, const Vector& guide) const {
    const std::string of = "_" + std::to_string(number);
    Vector scores;
    for (const Vector& row : x) {
      Vector h = product(weight("own" + of), row);
      if (number > 0) h = sum(h, product(weight("guide" + of), guide));
      scores.push_back(product(weight("weigh" + of), each(h, std::tanh))[0]);
    }
    return weighted(scores, x);
  }
  // Equations 3 to 5 of one of the two: what is added to W x of position i is Σ_j C_ij W' y_j.
  Vector by_affinity(const std::string& own, const std::string& other, const std::vector<Vector>& x,
                     const std::vector<Vector>& y, const std::vector<Vector>& c) const {
    Vector scores;
    for (size_t i = 0; i < x.size(); ++i) {
      Vector h = product(weight(own), x[i]);
      for (size_t j = 0; j < y.size(); ++j) {
        Vector more = product(weight(other), y[j]);
        for (double& value : more) value *= c[i][j];
        h = sum(h, more);
      }
      scores.push_back(product(weight("weigh_" + own), each(h, std::tanh))[0]);
    }
    return weighted(scores, x);
  }
  void expect_summaries(const EncoderOutput& joined, int64_t r, const Vector& q,
                        const Vector& v) const {
    expect_vector(joined.sources.at("a").source.keys[r][0], q, "q");
    expect_vector(joined.sources.at("b").source.keys[r][0], v, "v");
    for (const char* name : {"a", "b"}) {
      EXPECT_EQ(joined.sources.at(name).source.keys.size(1), 1);
      EXPECT_EQ(joined.sources.at(name).source.lengths[r].item<int64_t>(),
                states(name, r).empty() ? 0 : 1);
      expect_vector(joined.sources.at(name).final_state.hidden[0][r], side_by_side(q, v), "[q; v]");
    }
  }
};

TEST_F(Summaries, Alternating) {
  holds("reference", {"join: alternating_co_attention"});
  const EncoderOutput joined = join("{type: alternating_co_attention, hidden: 3}");
  for (int64_t r = 0; r < 2; ++r) {
    const auto a = states("a", r), b = states("b", r);
    const Vector v = read(1, b, read(0, a, {}));
    expect_summaries(joined, r, read(2, a, v), v);
  }
}

TEST_F(Summaries, AlternatingFromTheSecondSource) {
  const EncoderOutput joined = join("{type: alternating_co_attention, hidden: 3, first: b}");
  const auto a = states("a", 0), b = states("b", 0);
  const Vector v = read(1, a, read(0, b, {}));
  expect_vector(joined.sources.at("b").source.keys[0][0], read(2, b, v), "q");
  expect_vector(joined.sources.at("a").final_state.hidden[0][0], side_by_side(read(2, b, v), v),
                "[q; v]");
}

TEST_F(Summaries, Parallel) {
  holds("reference", {"join: parallel_co_attention"});
  const EncoderOutput joined = join("{type: parallel_co_attention, hidden: 3}");
  const Matrix affinity = matrix_of(parameters_.at("affinity"));
  for (int64_t r = 0; r < 2; ++r) {
    const auto q = states("a", r), v = states("b", r);
    std::vector<Vector> c(q.size()), turned(v.size());
    for (size_t i = 0; i < q.size(); ++i) {
      for (size_t j = 0; j < v.size(); ++j) {
        c[i].push_back(std::tanh(dot(q[i], product(affinity, v[j]))));
        turned[j].push_back(c[i][j]);
      }
    }
    expect_summaries(joined, r, by_affinity("q", "v", q, v, c),
                     by_affinity("v", "q", v, q, turned));
  }
}

// The states and the weights that a joiner gives, as lists.
class Pairs : public JoinedSources {
 protected:
  static reference::States of(const EncoderOutput& joined, const char* source, int64_t r) {
    const Source& own = joined.sources.at(source).source;
    reference::States rows;
    for (int64_t s = 0; s < own.lengths[r].item<int64_t>(); ++s)
      rows.push_back(vector_of(own.keys[r][s]));
    return rows;
  }
  static void expect_states(const reference::States& found, const reference::States& wanted,
                            const char* what) {
    ASSERT_EQ(found.size(), wanted.size()) << what;
    for (size_t i = 0; i < found.size(); ++i) expect_vector(tensor_of(found[i]), wanted[i], what);
  }
  // The first weights [S] are these, those of padding are 0.
  static void expect_weights(const Tensor& found, const Vector& wanted, const char* what) {
    const auto length = static_cast<int64_t>(wanted.size());
    expect_vector(found.narrow(0, 0, length), wanted, what);
    EXPECT_TRUE(found.narrow(0, length, found.size(0) - length).eq(0).all().item<bool>()) << what;
  }
  std::vector<reference::Rectified> layers(const std::string& name, int64_t count) const {
    std::vector<reference::Rectified> list;
    for (int64_t i = 0; i < count; ++i) {
      const std::string layer = i == 0 ? name : name + "_" + std::to_string(i);
      list.push_back({weight(layer), bias(layer)});
    }
    return list;
  }
};

// dos Santos et al. 2016, section 4.
TEST_F(Pairs, AttentivePooling) {
  holds("reference", {"join: attentive_pooling"});
  const EncoderOutput joined = join("attentive_pooling");
  ASSERT_EQ(joined.attended.size(), 2U);
  for (int64_t r = 0; r < 2; ++r) {
    const auto wanted = reference::attentive_pooling(states("a", r), states("b", r),
                                                     matrix_of(parameters_.at("affinity")));
    expect_vector(joined.sources.at("a").source.keys[r][0], wanted.q, "q");
    expect_vector(joined.sources.at("b").source.keys[r][0], wanted.a, "a");
    expect_weights(joined.attended[0].weights[r][0][0], wanted.q_weights, "weights of q");
    expect_weights(joined.attended[1].weights[r][0][0], wanted.a_weights, "weights of a");
    for (const char* name : {"a", "b"})
      expect_vector(joined.sources.at(name).final_state.hidden[0][r],
                    side_by_side(wanted.q, wanted.a), "[q; a]");
  }
}

// Seo et al. 2017, section 2, layer 4.
TEST_F(Pairs, AttentionFlow) {
  holds("reference", {"join: attention_flow"});
  for (const bool turned : {false, true}) {
    const EncoderOutput joined =
        join(turned ? "{type: attention_flow, context: b}" : "attention_flow");
    const char *context = turned ? "b" : "a", *query = turned ? "a" : "b";
    for (int64_t r = 0; r < 2; ++r) {
      const auto wanted = reference::attention_flow(
          states(context, r), states(query, r), weight("of_context").row(0),
          weight("of_query").row(0), vector_of(parameters_.at("of_both")));
      expect_states(of(joined, context, r), wanted.g, "G");
      expect_states(of(joined, query, r), states(query, r), "the query");
      ASSERT_EQ(joined.attended.size(), 2U);
      for (size_t t = 0; t < wanted.g.size(); ++t)
        expect_weights(joined.attended[0].weights[r][0][static_cast<int64_t>(t)],
                       wanted.to_query[t], "context-to-query weights");
      expect_weights(joined.attended[1].weights[r][0][0], wanted.to_context,
                     "query-to-context weights");
      if (wanted.g.empty()) continue;
      const Vector equal(wanted.g.size(), 1.0 / static_cast<double>(wanted.g.size()));
      expect_vector(joined.sources.at(context).final_state.hidden[0][r],
                    reference::weighted(equal, wanted.g, 4 * kJoinerWidth), "the mean of G");
    }
    EXPECT_TRUE(joined.sources.at(query).final_state.hidden[0].equal(
        encoded_.sources.at(query).final_state.hidden[0]));
  }
}

// The modeling layer is an encoder over G; equation 3 reads [G; M].
TEST_F(Pairs, AttentionFlowWithAModelingLayer) {
  const std::string layer = "{type: rnn, cell: gru, width: 6, bidirectional: true}";
  const EncoderOutput joined = join("{type: attention_flow, modeling: " + layer + "}");
  const auto modeling = build(*read_kind(encoders(), layer), 4 * kJoinerWidth, 0);
  modeling->to(torch::kDouble);
  {
    const torch::NoGradGuard no_grad;
    for (auto& item : modeling->named_parameters())
      item.value().copy_(parameters_.at("modeling." + item.key()));
  }
  for (int64_t r = 0; r < 2; ++r) {
    const auto g =
        reference::attention_flow(states("a", r), states("b", r), weight("of_context").row(0),
                                  weight("of_query").row(0), vector_of(parameters_.at("of_both")))
            .g;
    Tensor rows =
        torch::empty({1, static_cast<int64_t>(g.size()), 4 * kJoinerWidth}, torch::kDouble);
    for (size_t t = 0; t < g.size(); ++t) rows[0][static_cast<int64_t>(t)] = tensor_of(g[t]);
    SourceBatch batch;
    batch.lengths = torch::tensor({rows.size(1)});
    batch.mask = length_mask(batch.lengths, rows.size(1));
    EncoderOutput output;
    const EncodedSource m = modeling->encode(rows, batch, Pass(), output);
    const EncodedSource& found = joined.sources.at("a");
    expect_close(found.source.keys[r].narrow(0, 0, rows.size(1)),
                 torch::cat({rows[0], m.source.keys[0]}, 1), kExact, "[G; M]");
    expect_close(found.final_state.hidden[0][r], m.final_state.hidden[0][0], kExact, "last state");
  }
  const auto dims =
      read_kind(joiners(), "{type: attention_flow, modeling: " + layer + "}")->dims(dims_);
  EXPECT_EQ(dims.at("a").source.key, 4 * kJoinerWidth + 6);
  EXPECT_EQ(dims.at("a").final_width, 6);
  EXPECT_EQ(dims.at("a").cell, "gru");
  EXPECT_EQ(dims.at("b").source.key, kJoinerWidth);
}

// Parikh et al. 2016, equations 1 to 5, with layers of other widths than the states.
TEST_F(Pairs, DecomposableAttention) {
  const EncoderOutput joined =
      join("{type: co_attention, hidden: 3, compared: 5, summary_layers: 2}");
  const reference::Decomposable w{
      .f = layers("attend", 2), .g = layers("compare", 2), .h = layers("summarize", 2)};
  for (int64_t r = 0; r < 2; ++r) {
    const auto a = states("a", r), b = states("b", r);
    expect_states(of(joined, "a", r), reference::compared(a, b, w), "v");
    expect_states(of(joined, "b", r), reference::compared(b, a, w), "u");
    expect_vector(joined.sources.at("a").final_state.hidden[0][r],
                  reference::decomposable(a, b, w, 5), "H");
  }
}

// Scores of ±1e4 saturate; the gradient of a maximum is that of one position.
TEST_F(Pairs, OfExtremeStatesAreFinite) {
  for (const char* type : {"attentive_pooling", "attention_flow"}) {
    for (auto& [name, source] : encoded_.sources)
      source.source = make_source(uniform({2, 3, kJoinerWidth}, name, 1e4).requires_grad_(),
                                  source.source.lengths);
    const EncoderOutput joined = join(type);
    Tensor sum = torch::zeros({}, torch::kDouble);
    for (const auto& [name, source] : joined.sources) {
      EXPECT_TRUE(source.source.keys.isfinite().all().item<bool>()) << type;
      sum = sum + source.source.keys.sum();
    }
    sum.backward();
    for (const auto& [name, parameter] : parameters_)
      EXPECT_TRUE(parameter.grad().isfinite().all().item<bool>()) << type << " " << name;
  }
}

TEST_F(JoinedSources, RefuseWhatDoesNotFit) {
  struct Reasons final : Problems {
    std::vector<std::string> list;
    void add(const std::string&, const std::string& message) override { list.push_back(message); }
    bool is_set(const std::string&) const override { return false; }
  };
  const auto refused = [](const std::string& type, const AllSourceDims& dims) {
    Reasons reasons;
    const auto config = read_kind(joiners(), type);
    config->check(dims, reasons);
    return reasons.list.size();
  };
  AllSourceDims odd = dims_, one = {{"a", dims_["a"]}}, gru = dims_;
  odd["b"].source = {.key = 6, .value = 6};
  odd["b"].final_width = 6;
  gru["a"].cell = gru["b"].cell = "gru";
  for (const char* type : {"basic", "child_sum", "co_attention", "attention_flow",
                           "{type: self_attentive, start: matched}"}) {
    EXPECT_EQ(refused(type, dims_), 0U) << type;
    EXPECT_GE(refused(type, odd), 1U) << type;
    EXPECT_GE(refused(type, one), 1U) << type;
  }
  EXPECT_EQ(refused("{type: co_attention, attention: task_specific}", dims_), 1U);
  for (const char* type : {"alternating_co_attention", "parallel_co_attention"}) {
    EXPECT_EQ(refused(type, odd), 0U) << type;
    EXPECT_EQ(refused(type, one), 1U) << type;
    EXPECT_EQ(refused(fmt::format("{{type: {}, first: c}}", type), dims_), 1U) << type;
  }
  EXPECT_EQ(refused("attentive_pooling", odd), 0U);
  EXPECT_EQ(refused("attentive_pooling", one), 1U);
  EXPECT_EQ(refused("{type: attention_flow, context: c}", dims_), 1U);
  EXPECT_EQ(refused("{type: attention_flow, modeling: none}", dims_), 1U);
  EXPECT_EQ(refused("{type: attention_flow, modeling: {type: shared, with: a}}", dims_), 1U);
  EXPECT_EQ(refused("{type: attention_flow, modeling: {type: transformer, width: 8, "
                    "self_attention: {score: scaled_dot, heads: 3}}}",
                    dims_),
            1U);
  EXPECT_EQ(refused("{type: attention_flow, modeling: {type: transformer, width: 8, "
                    "self_attention: task_specific}}",
                    dims_),
            1U);
  EXPECT_EQ(refused("{type: co_attention, compared: 5}", dims_), 0U);
  EXPECT_EQ(refused("{type: co_attention, compared: 5, order: in_turn}", dims_), 1U);
  EXPECT_EQ(refused("{type: co_attention, compared: 4, order: in_turn}", dims_), 0U);
  AllSourceDims tape = dims_;  // of an encoder with a memory tape
  tape["b"].source.value = 2 * tape["b"].source.key;
  EXPECT_EQ(refused("self_attentive", dims_), 0U);
  EXPECT_EQ(refused("self_attentive", tape), 1U);
  EXPECT_EQ(refused("basic", gru), 0U);
  EXPECT_EQ(refused("child_sum", gru), 1U);
}

}  // namespace
}  // namespace heed
