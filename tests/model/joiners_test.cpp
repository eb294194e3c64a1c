// Joiners of several sources against their definitions, in plain loops over numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "holds.h"
#include "model/builders.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "read_kind.h"

namespace heed {
namespace {

using reference::dot;
using reference::Matrix;
using reference::product;
using reference::sigmoid;
using reference::sum;
using reference::Vector;

constexpr int64_t kWidth = 4;

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
      encoded.source = make_source(uniform({2, 3, kWidth}, name), torch::tensor(lengths));
      for (int layer = 0; layer < 2; ++layer) {
        const std::string of = name + std::to_string(layer);
        encoded.final_state.hidden.push_back(uniform({2, kWidth}, of + "h"));
        encoded.final_state.cell.push_back(uniform({2, kWidth}, of + "c"));
      }
      dims_[name] = {.source = {.key = kWidth, .value = kWidth},
                     .cell = "lstm",
                     .layers = 2,
                     .final_width = kWidth};
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
      for (size_t i = 0; i < kWidth; ++i) {
        double value = sigmoid(gates[i]) * std::tanh(gates[2 * kWidth + i]);
        int64_t k = 0;
        for (const char* source : {"a", "b"}) {
          const std::string forget = "forget_" + of + "_" + std::to_string(k++);
          const Vector f = sum(product(weight(forget), hidden(source, layer, r)), bias(forget));
          value += sigmoid(f[i]) * cell(source, layer, r)[i];
        }
        c.push_back(value);
        h.push_back(sigmoid(gates[kWidth + i]) * std::tanh(value));
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
    Vector context(kWidth, 0.0), weights;
    double all = 0;
    for (const Vector& other : others) {
      weights.push_back(std::exp(dot(prepared(x), prepared(other))));
      all += weights.back();
    }
    for (size_t j = 0; j < others.size(); ++j) {
      for (size_t i = 0; i < kWidth; ++i) context[i] += weights[j] / all * others[j][i];
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
    Vector result(kWidth, 0.0);
    for (const Vector& row : rows) {
      for (size_t i = 0; i < kWidth; ++i) result[i] += row[i] / static_cast<double>(rows.size());
    }
    return result;
  }
  static Vector total(const std::vector<Vector>& rows) {
    Vector result(kWidth, 0.0);
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
    Vector result(kWidth, 0.0);
    double all = 0;
    for (const double score : scores) all += std::exp(score);
    for (size_t s = 0; s < rows.size(); ++s) {
      for (size_t i = 0; i < kWidth; ++i) result[i] += std::exp(scores[s]) / all * rows[s][i];
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
  for (const char* type : {"basic", "child_sum", "co_attention"}) {
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
  EXPECT_EQ(refused("basic", gru), 0U);
  EXPECT_EQ(refused("child_sum", gru), 1U);
}

}  // namespace
}  // namespace heed
