// The passes of dynamic memory networks, and memories of keys and values, equal their definitions.
#include <gtest/gtest.h>

#include "nn/compared_attention.h"
#include "reference/memory.h"

namespace heed {
namespace {

using reference::Matrix;
using reference::Vector;

// Parameters of the attention by their names.
class ComparedMemories : public ComparedAttentions {
 protected:
  bool has(const std::string& name) const { return parameters_of(*attention_).contains(name); }
  Matrix matrix(const std::string& name) const {
    return matrix_of(parameters_of(*attention_).at(name));
  }
  Vector vector(const std::string& name) const {
    return vector_of(parameters_of(*attention_).at(name));
  }
  static bool has_text(const std::string& words) {
    return GetParam().text().find(words) != std::string::npos;
  }
  // The first rows of x.
  static Matrix first_rows(const Matrix& x, size_t count) {
    Matrix rows(count, x.columns);
    for (size_t i = 0; i < count; ++i) rows.set_row(i, x.row(i));
    return rows;
  }
  static std::vector<Case> cases_of(const std::string& type) {
    std::vector<Case> cases;
    for (const Case& c : cases_beside_stages()) {
      if (c.config()->type == type) cases.push_back(c);
    }
    return cases;
  }
};

class Episodes : public ComparedMemories {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    for (int64_t r = 0; r < 3; ++r) {
      const Sentence own = sentence(r);
      for (size_t t = 0; t < own.query.rows; ++t) expect_equal(actual, tolerance, own, r, t);
    }
  }

 public:
  static std::vector<Case> cases() { return cases_of("episodic"); }

 private:
  void expect_equal(const Attended& actual, double tolerance, const Sentence& own, int64_t r,
                    size_t t) const {
    const auto time = static_cast<int64_t>(t);
    const size_t count = own.lengths[t];
    const Matrix keys = first_rows(own.keys, count), values = first_rows(own.values, count);
    const Vector q = own.query.row(t);
    Vector m = q;
    for (size_t pass = 0; pass < actual.parts.size(); ++pass) {
      const Vector gates = reference::fact_gates(episode(), keys, q, m);
      const Tensor row = actual.parts[pass].weights[r][0][time];
      expect_close(row.narrow(0, 0, static_cast<int64_t>(count)), tensor_of(gates), tolerance,
                   "gates");
      const Vector c = has("episode.weight") ? reference::episode_state(cell(), values, gates)
                                             : reference::weighted_rows(gates, values);
      m = updated(pass, m, c, q);
    }
    expect_close(actual.context[r][time], tensor_of(m), tolerance, "memory");
  }
  reference::Episode episode() const {
    return {.inner = matrix("gate.inner.weight"),
            .outer = matrix("gate.outer.weight"),
            .bilinear = has("gate.bilinear.weight") ? matrix("gate.bilinear.weight") : Matrix(),
            .inner_bias = vector("gate.inner.bias"),
            .outer_bias = has("gate.outer.bias") ? vector("gate.outer.bias") : Vector(),
            .gates_by_sigmoid = has_text("sigmoid")};
  }
  reference::FactCell cell() const {
    const auto of = parameters_of(*attention_);
    reference::FactCell cell;
    const Tensor bias = of.at("episode.bias");
    const int64_t gates = of.at("episode.weight").size(0);
    for (int64_t gate = 0; gate < gates; ++gate) {
      cell.input.push_back(matrix_of(of.at("episode.weight")[gate]));
      cell.recurrent.push_back(matrix_of(of.at("episode.recurrent")[gate]));
      cell.bias.push_back(vector_of(bias.chunk(gates)[static_cast<size_t>(gate)]));
    }
    return cell;
  }
  Vector updated(size_t pass, const Vector& m, const Vector& c, const Vector& q) const {
    const std::string name = "memory_" + std::to_string(has_text("shared: true") ? 0 : pass);
    if (has(name + ".weight"))
      return reference::relu_memory(matrix(name + ".weight"), vector(name + ".bias"), m, c, q);
    const reference::Cell gru{.kind = "gru",
                              .input = matrix(name + ".weight_input"),
                              .hidden = matrix(name + ".weight_hidden"),
                              .input_bias = vector(name + ".bias_input"),
                              .hidden_bias = vector(name + ".bias_hidden")};
    return reference::step(gru, c, {m, {}}).h;
  }
};

TEST_P(Episodes, EqualTheEquations) { compare(); }
INSTANTIATE_TEST_SUITE_P(All, Episodes, testing::ValuesIn(Episodes::cases()),
                         [](const auto& variant) { return variant.param.name(); });

// Kumar's sigmoid opens as many gates as it likes; Xiong's softmax is a distribution.
TEST(EpisodicMemory, HasADistributionOnlyWithSoftmax) {
  for (const bool softmax : {true, false}) {
    const auto attention =
        build(*attention_of(fmt::format("{{type: episodic, passes: 1, gate: {}}}",
                                        softmax ? "softmax" : "sigmoid")),
              Case().dims());
    fill(*attention);
    Pass pass;
    pass.keep_weights = true;
    State state(attention->layout(), 1, pass, torch::kCPU);
    attention->start({{"source", make_source(uniform({1, kKeys, kKey}, "keys"),
                                             torch::tensor({4}, torch::kLong))}},
                     state.view());
    const double sum =
        attention->attend(uniform({1, 1, kKey}, "query"), positions_from(0, 1, 1), state.view())
            .weights.sum()
            .item<double>();
    EXPECT_EQ(std::abs(sum - 1) < 1e-12, softmax) << sum;
  }
}

TEST(EpisodicMemory, RefusesWhatItCannotMultiply) {
  AttentionDims dims{.query = 6, .source = {.key = 4, .value = 4}};
  const auto refusal = [&dims](const std::string& text) {
    const auto list = refusals_of(*attention_of(text), dims);
    return list.empty() ? "" : list.front();
  };
  EXPECT_NE(refusal("episodic").find("of width 4, with those of the query, of width 6"),
            std::string::npos);
  dims.query = 4;
  EXPECT_EQ(refusal("episodic"), "");
  dims.source.ordered = false;
  EXPECT_NE(refusal("episodic").find("use soft_sum"), std::string::npos);
  EXPECT_EQ(refusal("{type: episodic, episode: soft_sum}"), "");
}

// The fixture has the cosines of the first source as the second one.
class KeyValueMemories : public ComparedMemories {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    EXPECT_EQ(actual.source, "first");
    for (int64_t r = 0; r < 3; ++r) {
      const Sentence own = sentence(r);
      const size_t count = own.lengths[0];
      const Matrix keys = first_rows(own.keys, count);
      Matrix values = first_rows(own.values, count);
      for (double& v : values.numbers) v = std::cos(v);
      for (size_t t = 0; t < own.query.rows; ++t) {
        Vector q = own.query.row(t);
        for (size_t hop = 0; hop < actual.parts.size(); ++hop)
          q = reference::key_value_hop(q, keys, values, matrix(fmt::format("map_{}.weight", hop)));
        expect_close(actual.context[r][static_cast<int64_t>(t)], tensor_of(q), tolerance, "q");
      }
    }
  }

 public:
  static std::vector<Case> cases() { return cases_of("key_value_memory"); }
};

TEST_P(KeyValueMemories, EqualTheEquations) {
  EXPECT_EQ(read().parts.size(), 2U) << "hops";
  compare();
}
INSTANTIATE_TEST_SUITE_P(All, KeyValueMemories, testing::ValuesIn(KeyValueMemories::cases()),
                         [](const auto& variant) { return variant.param.name(); });

TEST(KeyValueMemory, RefusesSourcesThatDoNotFit) {
  AttentionDims dims{.query = 4,
                     .source = {.key = 4, .value = 4},
                     .sources = {{"a", {4, 4}}, {"b", {4, 4}}, {"c", {6, 6}}}};
  const auto refusal = [&dims](const std::string& keys, const std::string& values) {
    const auto list =
        refusals_of(*attention_of(fmt::format("{{type: key_value_memory, keys: {}, values: {}}}",
                                              keys, values)),
                    dims);
    return list.empty() ? "" : list.front();
  };
  EXPECT_EQ(refusal("a", "b"), "");
  EXPECT_EQ(refusal("a", "d"), "values: 'd' is not one of a, b, c; did you mean 'a'?");
  EXPECT_NE(refusal("a", "a").find("is the source with the keys"), std::string::npos);
  EXPECT_NE(refusal("a", "c").find("it has width 4, a has 4 and c has 6: make them equal"),
            std::string::npos);
}

}  // namespace
}  // namespace heed
