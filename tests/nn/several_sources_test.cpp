// Attention over several sources equals the definitions in multi_source.h, computed in plain loops
// over numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "attention_variants.h"
#include "holds.h"
#include "nn/attention/builders.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "reference/layers.h"

namespace heed {
namespace {

using reference::dot;
using reference::Matrix;
using reference::product;
using reference::sum;
using reference::Vector;
using Rows = std::vector<Vector>;

Vector softmax(Vector scores) {
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score);
  for (double& score : scores) score /= sum;
  return scores;
}

// Context of a query by dot products; zero without keys.
Vector read(const Vector& query, const Rows& keys, const Rows& values, size_t width) {
  Vector context(width, 0.0), scores;
  for (const Vector& key : keys) scores.push_back(dot(query, key));
  const Vector weights = softmax(scores);
  for (size_t s = 0; s < keys.size(); ++s) {
    for (size_t i = 0; i < width; ++i) context[i] += weights[s] * values[s][i];
  }
  return context;
}

constexpr int64_t kWidth = 4;

// Two sentences, the second of which lacks the second source; queries have the width of the keys.
class SeveralSources : public testing::Test {
 protected:
  void build(const std::string& text) {
    const AttentionDims dims{.place = Place::kCross,
                             .query = kWidth,
                             .source = {.key = kWidth, .value = kWidth},
                             .sources = {{"a", {kWidth, kWidth}}, {"b", {kWidth, kWidth}}}};
    const auto config = attention_of(text);
    ASSERT_EQ(refusals_of(*config, dims), std::vector<std::string>());
    attention_ = heed::build(*config, dims);
    fill(*attention_);
    parameters_ = parameters_of(*attention_);
    Pass pass;
    pass.keep_weights = true;
    State state(attention_->layout(), 2, pass, torch::kCPU);
    attention_->start(sources_, state.view());
    attended_ = attention_->attend(query_, positions_of(torch::tensor({2, 2}, torch::kLong), 2),
                                   state.view());
    EXPECT_EQ(attended_.context.size(2), config->context_width(dims));
  }

  static Source source(const char* name, std::vector<int64_t> lengths) {
    Source source =
        make_source(uniform({2, 3, kWidth}, name), torch::tensor(lengths, torch::kLong));
    source.values = uniform({2, 3, kWidth}, std::string(name) + " values");
    return source;
  }

  // Rows of x [R,S,W] that belong to sentence r.
  static Rows rows_of(const Tensor& x, const Source& source, int64_t r) {
    Rows rows;
    for (int64_t s = 0; s < source.lengths[r].item<int64_t>(); ++s)
      rows.push_back(vector_of(x[r][s]));
    return rows;
  }
  Rows keys(const std::string& name, int64_t r) const {
    return rows_of(sources_.at(name).keys, sources_.at(name), r);
  }
  Rows values(const std::string& name, int64_t r) const {
    return rows_of(sources_.at(name).values, sources_.at(name), r);
  }
  Vector own_context(const std::string& name, int64_t r, const Vector& query) const {
    return read(query, keys(name, r), values(name, r), kWidth);
  }
  Matrix matrix(const std::string& name) const { return matrix_of(parameters_.at(name)); }
  Vector vector(const std::string& name) const { return vector_of(parameters_.at(name)); }

  template <class Expected>
  void expect_contexts(const Expected& expected) const {
    for (int64_t r = 0; r < 2; ++r) {
      for (int64_t t = 0; t < 2; ++t) {
        const Vector found = vector_of(attended_.context[r][t]),
                     wanted = expected(r, vector_of(query_[r][t]));
        ASSERT_EQ(found.size(), wanted.size());
        for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-10);
      }
    }
  }

  const Sources sources_ = {{"a", source("a", {3, 2})}, {"b", source("b", {2, 0})}};
  const Tensor query_ = uniform({2, 2, kWidth}, "query");
  std::shared_ptr<Attention> attention_;
  std::map<std::string, Tensor> parameters_;
  Attended attended_;
};

std::string combined(const char* combine) {
  return fmt::format("{{type: multi_source, combine: {}, attention: {{score: dot}}}}", combine);
}

TEST_F(SeveralSources, SideBySide) {
  holds("reference", {"attention: multi_source", "combine: concat"});
  build(combined("concat"));
  expect_contexts([&](int64_t r, const Vector& query) {
    Vector context = own_context("a", r, query);
    const Vector second = own_context("b", r, query);
    context.insert(context.end(), second.begin(), second.end());
    return context;
  });
  ASSERT_EQ(attended_.parts.size(), 2U);
  EXPECT_EQ(attended_.parts[1].part, Part::kSource);
  EXPECT_EQ(attended_.parts[1].source, "b");
  EXPECT_TRUE(attended_.parts[1].weights[1].eq(0).all().item<bool>()) << "a source that is lacking";
}

TEST_F(SeveralSources, Summed) {
  holds("reference", {"attention: multi_source", "combine: parallel"});
  build(combined("parallel"));
  expect_contexts([&](int64_t r, const Vector& query) {
    return sum(own_context("a", r, query), own_context("b", r, query));
  });
}

TEST_F(SeveralSources, OneAfterTheOther) {
  holds("reference", {"attention: multi_source", "combine: serial"});
  build(combined("serial"));
  expect_contexts([&](int64_t r, const Vector& query) {
    const Vector first = product(matrix("to_query_a.weight"), own_context("a", r, query));
    const Vector next =
        reference::layer_norm(sum(query, first), vector("norm_b.weight"), vector("norm_b.bias"));
    return sum(first, product(matrix("to_query_b.weight"), own_context("b", r, next)));
  });
}

// Libovický et al. 2018: each source is a sublayer with a residual connection and a norm. The norm
// before the first sublayer, or after the last, is that of the block.
class Sublayers : public SeveralSources {
 protected:
  AttentionDims dims() const {
    return {.place = Place::kCross,
            .query = kWidth,
            .source = {.key = kWidth, .value = kWidth},
            .block = kWidth,
            .sources = {{"a", {kWidth, kWidth}}, {"b", {kWidth, kWidth}}}};
  }
  static std::string serial(const std::string& more) {
    return fmt::format(
        "{{type: multi_source, combine: {{type: serial, order: [b, a]{}}}, attention: {{score: "
        "{{type: dot, project: false}}, read: {{type: weighted_sum, project: false}}}}}}",
        more);
  }
  // Sum that the block adds to x, for queries `query`.
  Tensor added(const std::string& text, const Tensor& x, const Tensor& query) {
    const auto config = attention_of(text);
    EXPECT_EQ(refusals_of(*config, dims()), std::vector<std::string>());
    attention_ = heed::build(*config, dims());
    fill(*attention_);
    parameters_ = parameters_of(*attention_);
    State state(attention_->layout(), 2, dropout_ > 0 ? Pass::for_training(1, 1) : Pass(),
                torch::kCPU);
    attention_->start(sources_, state.view());
    attended_ = attention_->attend_to(
        x, query, positions_of(torch::tensor({2, 2}, torch::kLong), 2), dropout_, state.view());
    return attended_.context;
  }
  Vector norm(const Vector& x) const {
    return reference::layer_norm(x, vector("norm_a.weight"), vector("norm_a.bias"));
  }
  double dropout_ = 0;
  template <class Expected>
  void expect_added(const Tensor& found, const Expected& expected) const {
    for (int64_t r = 0; r < 2; ++r) {
      for (int64_t t = 0; t < 2; ++t)
        expect_close(found[r][t], tensor_of(expected(r, t)), 1e-10, "context");
    }
  }
};

TEST_F(Sublayers, NormaliseBefore) {
  const Tensor x = uniform({2, 2, kWidth}, "x");
  const Tensor found = added(serial(""), x, query_);
  expect_added(found, [&](int64_t r, int64_t t) {
    const Vector first = own_context("b", r, vector_of(query_[r][t]));
    const Vector stream = sum(vector_of(x[r][t]), first);
    return sum(first, own_context("a", r, norm(stream)));
  });
  ASSERT_EQ(attended_.parts.size(), 2U);
  EXPECT_EQ(attended_.parts[0].source, "a") << "parts stand by name, whatever the order";
}

TEST_F(Sublayers, NormaliseBehind) {
  const Tensor found = added(serial(""), query_, query_);
  expect_added(found, [&](int64_t r, int64_t t) {
    const Vector x = vector_of(query_[r][t]), first = norm(sum(x, own_context("b", r, x)));
    Vector result = sum(first, own_context("a", r, first));
    for (size_t i = 0; i < x.size(); ++i) result[i] -= x[i];
    return result;
  });
}

// Each sublayer has its own dropout: if it drops everything, the norm between the sublayers is
// left.
TEST_F(Sublayers, HaveTheirOwnDropout) {
  dropout_ = 1 - 1e-12;
  const Tensor found = added(serial(""), query_, query_);
  expect_added(found, [&](int64_t r, int64_t t) {
    const Vector x = vector_of(query_[r][t]);
    Vector result = norm(x);
    for (size_t i = 0; i < x.size(); ++i) result[i] -= x[i];
    return result;
  });
}

// Models that were saved before there were sublayers compute this.
TEST_F(Sublayers, MayBeTheSumOfNormedQueryAndContext) {
  const Tensor x = uniform({2, 2, kWidth}, "x");
  const Tensor found = added(serial(", sublayers: false"), x, query_);
  expect_added(found, [&](int64_t r, int64_t t) {
    const Vector query = vector_of(query_[r][t]), first = own_context("b", r, query);
    return sum(first, own_context("a", r, norm(sum(query, first))));
  });
}

TEST_F(Sublayers, AreOfAllSourcesInTheirOrder) {
  for (const char* order : {"[a]", "[a, a]", "[a, c]", "[a, b, a]"}) {
    const auto refused =
        refusals_of(*attention_of(fmt::format(
                        "{{type: multi_source, combine: {{type: serial, order: {}}}}}", order)),
                    dims());
    ASSERT_EQ(refused.size(), 1U) << order;
    EXPECT_NE(refused[0].find("expected each of a, b once"), std::string::npos) << refused[0];
  }
}

TEST_F(SeveralSources, OneDistributionOverAll) {
  holds("reference", {"attention: multi_source", "combine: flat"});
  build(combined("flat"));
  expect_contexts([&](int64_t r, const Vector& query) {
    Rows all_keys, all_values;
    for (const char* name : {"a", "b"}) {
      const std::string of = std::string("_") + name + ".weight";
      for (const Vector& key : keys(name, r)) all_keys.push_back(product(matrix("keys" + of), key));
      for (const Vector& value : values(name, r))
        all_values.push_back(product(matrix("values" + of), value));
    }
    return read(query, all_keys, all_values, kWidth);
  });
  ASSERT_EQ(attended_.parts.size(), 2U);
  const Tensor sums = attended_.parts[0].weights.sum(-1) + attended_.parts[1].weights.sum(-1);
  EXPECT_TRUE(torch::allclose(sums, torch::ones_like(sums)));
}

TEST_F(SeveralSources, AttentionOverWhatEachGives) {
  holds("reference", {"attention: multi_source", "combine: hierarchical"});
  build(combined("hierarchical"));
  expect_contexts([&](int64_t r, const Vector& query) {
    const Vector asked = sum(product(matrix("query.weight"), query), vector("query.bias"));
    Vector energies;
    Rows projected;
    for (const char* name : {"a", "b"}) {
      if (keys(name, r).empty()) continue;
      const std::string of = std::string("_") + name + ".weight";
      const Vector context = own_context(name, r, query);
      Vector hidden = sum(asked, product(matrix("keys" + of), context));
      for (double& value : hidden) value = std::tanh(value);
      energies.push_back(product(matrix("energy.weight"), hidden)[0]);
      projected.push_back(product(matrix("values" + of), context));
    }
    const Vector weights = softmax(energies);
    Vector context(kWidth, 0.0);
    for (size_t k = 0; k < weights.size(); ++k) {
      for (size_t i = 0; i < context.size(); ++i) context[i] += weights[k] * projected[k][i];
    }
    return context;
  });
  EXPECT_EQ(attended_.parts.back().part, Part::kOverSources);
  EXPECT_EQ(attended_.parts.back().weights[1].select(-1, 1).abs().max().item<double>(), 0);
}

TEST_F(SeveralSources, OneOfThem) {
  holds("reference", {"attention: one_source"});
  build("{type: one_source, source: b, attention: {score: dot}}");
  expect_contexts([&](int64_t r, const Vector& query) { return own_context("b", r, query); });
  EXPECT_EQ(attended_.source, "b");
}

// Cui et al. 2017, equations 2 to 6, for the first sentence, which has both sources.
TEST(AttentionOverAttention, EqualsTheEquations) {
  holds("reference", {"attention: attention_over_attention"});
  const AttentionDims dims{.place = Place::kCross,
                           .query = kWidth,
                           .source = {.key = kWidth, .value = kWidth},
                           .sources = {{"d", {kWidth, kWidth}}, {"q", {kWidth, kWidth}}}};
  const auto attention =
      build(*attention_of("{type: attention_over_attention, document: d, query: q}"), dims);
  Source document = make_source(uniform({1, 4, kWidth}, "d"), torch::tensor({4}, torch::kLong));
  document.values = uniform({1, 4, kWidth}, "values");
  const Source query = make_source(uniform({1, 3, kWidth}, "q"), torch::tensor({3}, torch::kLong));
  Pass pass;
  pass.keep_weights = true;
  State state(attention->layout(), 1, pass, torch::kCPU);
  attention->start({{"d", document}, {"q", query}}, state.view());
  const Attended attended = attention->attend(uniform({1, 2, kWidth}, "asked"),
                                              torch::zeros({1, 2}, torch::kLong), state.view());

  const auto product_of = [&](int64_t i, int64_t j) {
    return dot(vector_of(document.keys[0][i]), vector_of(query.keys[0][j]));
  };
  Vector beta(3, 0.0), s(4, 0.0), context(kWidth, 0.0);
  for (int64_t i = 0; i < 4; ++i) {
    Vector row;
    for (int64_t j = 0; j < 3; ++j) row.push_back(product_of(i, j));
    row = softmax(row);
    for (size_t j = 0; j < 3; ++j) beta[j] += row[j] / 4;
  }
  for (int64_t j = 0; j < 3; ++j) {
    Vector column;
    for (int64_t i = 0; i < 4; ++i) column.push_back(product_of(i, j));
    column = softmax(column);
    for (size_t i = 0; i < 4; ++i) s[i] += beta[static_cast<size_t>(j)] * column[i];
  }
  for (size_t i = 0; i < 4; ++i) {
    const Vector value = vector_of(document.values[0][static_cast<int64_t>(i)]);
    for (size_t k = 0; k < context.size(); ++k) context[k] += s[i] * value[k];
  }
  for (int64_t t = 0; t < 2; ++t) {
    expect_close(attended.weights[0][0][t], tensor_of(s), 1e-12, "s");
    expect_close(attended.context[0][t], tensor_of(context), 1e-12, "context");
  }
  EXPECT_EQ(attended.source, "d");
}

TEST(MultiSource, RefusesWhatCannotBeCombined) {
  AttentionDims dims{.place = Place::kCross,
                     .query = kWidth,
                     .source = {.key = kWidth, .value = kWidth},
                     .sources = {{"a", {4, 4}}, {"b", {4, 6}}}};
  const auto refusal = [&dims](const std::string& text) {
    const auto list = refusals_of(*attention_of(text), dims);
    return list.empty() ? "" : list.front();
  };
  EXPECT_EQ(refusal(combined("parallel")),
            "combine: parallel adds context vectors, but a has width 4 and b has 6: make the "
            "encoders equally wide, or use concat");
  EXPECT_EQ(refusal("{type: multi_source, combine: flat, attention: hops}").substr(0, 10),
            "attention:");
  EXPECT_EQ(refusal("{type: one_source, source: c}"),
            "source: 'c' is not one of a, b; did you mean 'a'?");
  dims.sources.clear();
  EXPECT_NE(refusal("multi_source"), "");
  EXPECT_NE(refusal("one_source"), "");
}

}  // namespace
}  // namespace heed
