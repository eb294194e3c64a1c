// The contract of attention, over everything that is registered: values against the references,
// gradients, masks, steps, state, neighbours, extremes.
#include <gtest/gtest.h>

#include <set>

#include "attention_mechanisms.h"
#include "nn/attention/scores/additive.h"
#include "nn/attention/staged.h"
#include "nn/compare.h"
#include "nn/torch.h"
#include "reference/attention.h"

namespace heed {
namespace {

const Registry<TermConfig>& terms_with_those_of_tests() {
  register_test_mechanisms();
  return terms();
}

constexpr int64_t kKey = 8, kKeys = 5, kQueries = 4;

struct Case {
  std::string score{}, normalizer = "softmax", read = "weighted_sum", term{};
  int64_t heads = 1, query = kKey, block = 0;
  bool own_past = false;

  std::string name() const {
    return score + "_" + normalizer + "_" + read + (term.empty() ? "" : "_" + term) + "_heads" +
           std::to_string(heads) + "_query" + std::to_string(query) + (block > 0 ? "_block" : "") +
           (own_past ? "_own_past" : "");
  }
  AttentionDims dims() const {
    return {.place = own_past ? Place::kDecoderSelf : Place::kCross,
            .query = query,
            .key = own_past ? query : kKey,
            .value = own_past ? query : kKey,
            .block = block,
            .name = "here"};
  }
  std::shared_ptr<StagedConfig> config() const {
    auto config = StagedConfig::with(score.c_str(), heads);
    kind_field(config->normalizer, normalizers()).select(normalizer);
    kind_field(config->read, readouts()).select(read);
    if (const auto wide = std::dynamic_pointer_cast<AdditiveConfig>(config->score)) {
      wide->hidden = 6;
    }
    if (!term.empty()) config->terms.push_back(fresh_kind(terms_with_those_of_tests(), term));
    return config;
  }
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name(); }

struct Refusals final : Problems {
  int64_t count = 0;
  void add(const std::string&, const std::string&) override { ++count; }
  bool is_set(const std::string&) const override { return false; }
};

void add_if_allowed(const Case& c, std::vector<Case>& cases) {
  Refusals refusals;
  c.config()->check(c.dims(), refusals);
  if (refusals.count == 0) cases.push_back(c);
}

// Every score, normalizer and read-out with every other, over another sequence and over the own
// past; every term on two scores.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add_places = [&cases](const Case& base) {
    for (const int64_t heads : {1, 2}) {
      for (const auto& [query, block] : {std::pair{8, 0}, std::pair{8, 8}, std::pair{6, 0}}) {
        Case c = base;
        c.heads = heads;
        c.query = query;
        c.block = block;
        add_if_allowed(c, cases);
        c.own_past = true;
        if (query == 8) add_if_allowed(c, cases);
      }
    }
  };
  for (const auto& score : scorers()) {
    for (const auto& normalizer : normalizers()) {
      for (const auto& read : readouts()) {
        add_places({.score = score.name, .normalizer = normalizer.name, .read = read.name});
      }
    }
  }
  for (const auto& term : terms_with_those_of_tests()) {
    for (const char* score : {"scaled_dot", "additive"}) {
      add_places({.score = score, .term = term.name});
    }
  }
  return cases;
}

// [R,T] positions begin, begin+1, …
Tensor positions_from(int64_t begin, int64_t rows, int64_t count) {
  return torch::arange(begin, begin + count, torch::kLong).expand({rows, count});
}

class Attentions : public testing::TestWithParam<Case> {
 protected:
  Attentions() : attention_(GetParam().config()->build(GetParam().dims())) {
    fill(*attention_);
    query_ = uniform({3, kQueries, GetParam().query}, "query", 1.5);
    keys_ = uniform({3, kKeys, kKey}, "keys", 1.5);
    values_ = uniform({3, kKeys, kKey}, "values");
    lengths_ = torch::tensor({5, 3, 2}, torch::kLong);
  }

  static State new_state(int64_t rows) {
    Pass pass;
    pass.keep_weights = true;
    return {rows, pass, torch::kCPU};
  }
  void start(State& state, const Tensor& keys, const Tensor& values, const Tensor& lengths) const {
    if (GetParam().own_past) return;
    Source source = make_source(keys, lengths);
    source.values = values;
    attention_->start({{"source", source}}, state.view("a"));
  }
  // Queries at positions begin, begin+1, …; over the own past they are read as well.
  Attended more(State& state, const Tensor& query, int64_t begin) const {
    const Tensor positions = positions_from(begin, query.size(0), query.size(1));
    if (GetParam().own_past) attention_->extend(query, positions, state.view("a"));
    return attention_->attend(query, positions, state.view("a"));
  }
  Attended read(const Tensor& query, const Tensor& keys, const Tensor& values,
                const Tensor& lengths) const {
    State state = new_state(query.size(0));
    start(state, keys, values, lengths);
    return more(state, query, 0);
  }
  Attended read() const { return read(query_, keys_, values_, lengths_); }
  Tensor loss_of(const Attended& attended) const {
    Tensor loss = probed(attended.context);
    for (const SideLoss& side : attended.losses) loss = loss + probed(side.value, side.name);
    return loss;
  }
  Leaves leaves() const {
    Leaves found = with_leaves(*attention_, {{"query", query_}});
    if (!GetParam().own_past) found.insert({{"keys", keys_}, {"values", values_}});
    return found;
  }

  std::shared_ptr<Attention> attention_;
  Tensor query_, keys_, values_, lengths_;
};

TEST_P(Attentions, ShapesAreAsDocumented) {
  const Attended attended = read();
  const int64_t width = GetParam().config()->context_width(GetParam().dims());
  EXPECT_EQ(attended.context.sizes(), (c10::IntArrayRef{3, kQueries, width}));
  const int64_t keys = GetParam().own_past ? kQueries : kKeys;
  EXPECT_EQ(attended.weights.sizes(), (c10::IntArrayRef{3, GetParam().heads, kQueries, keys}));
  EXPECT_EQ(attended.place, "here");
  for (const SideLoss& side : attended.losses) {
    EXPECT_EQ(side.value.sizes(), (c10::IntArrayRef{3, kQueries})) << side.name;
  }
  State state(3, Pass(), torch::kCPU);
  start(state, keys_, values_, lengths_);
  EXPECT_FALSE(more(state, query_, 0).weights.defined()) << "a pass that does not keep weights";
}

TEST_P(Attentions, GradientsAreFiniteDifferences) {
  expect_gradients(
      leaves(), [this] { return loss_of(read()); }, 6);
}

TEST_P(Attentions, EveryParameterGetsAGradient) {
  query_.requires_grad_(true);  // so that there is a gradient where there is no parameter
  loss_of(read()).backward();
  for (const auto& [name, value] : parameters_of(*attention_)) {
    ASSERT_TRUE(value.grad().defined()) << name;
    // A number that is added to every score of a query changes no weight.
    if (name == "score.key.bias") continue;
    EXPECT_GT(value.grad().abs().max().item<double>(), 1e-6) << name;
  }
}

TEST_P(Attentions, WeightsAreZeroWhereNothingMayBeRead) {
  const Tensor weights = read().weights;
  if (GetParam().own_past) {
    EXPECT_TRUE(weights.triu(1).eq(0).all().item<bool>());
    return;
  }
  for (int64_t r = 0; r < 3; ++r) {
    const int64_t length = lengths_[r].item<int64_t>();
    EXPECT_TRUE(weights[r].narrow(2, length, kKeys - length).eq(0).all().item<bool>());
  }
}

TEST_P(Attentions, PaddingChangesNothing) {
  if (GetParam().own_past) GTEST_SKIP() << "the own past has no padding";
  const Attended all = read();
  const auto padded = [this](const Tensor& x, double value) {
    Tensor wide = torch::full({3, kKeys + 2, x.size(2)}, value, torch::kDouble);
    for (int64_t r = 0; r < 3; ++r) {
      const int64_t length = lengths_[r].item<int64_t>();
      wide[r].narrow(0, 0, length).copy_(x[r].narrow(0, 0, length));
    }
    return wide;
  };
  const Attended more_padding = read(query_, padded(keys_, 1e3), padded(values_, -1e3), lengths_);
  expect_close(more_padding.context, all.context, 1e-13, "context");
  expect_close(more_padding.weights.narrow(3, 0, kKeys), all.weights, 1e-13, "weights");
}

TEST_P(Attentions, ARowWithNothingToReadIsZero) {
  if (GetParam().own_past) GTEST_SKIP() << "a query reads at least itself";
  for (const auto& [name, value] : leaves()) value.requires_grad_(true);
  const Attended attended = read(query_, keys_, values_, torch::tensor({5, 0, 2}, torch::kLong));
  EXPECT_TRUE(attended.weights[1].eq(0).all().item<bool>());
  EXPECT_TRUE(attended.context[1].eq(0).all().item<bool>()) << attended.context[1];
  loss_of(attended).backward();
  for (const auto& [name, value] : leaves()) {
    EXPECT_TRUE(value.grad().isfinite().all().item<bool>()) << name;
  }
  expect_close(attended.context[0], read().context[0], 1e-13, "its neighbour");
}

TEST_P(Attentions, ManyQueriesAtOnceEqualOneByOne) {
  const Attended all = read();
  State state = new_state(3);
  start(state, keys_, values_, lengths_);
  for (int64_t t = 0; t < kQueries; ++t) {
    const Attended one = more(state, query_.narrow(1, t, 1), t);
    expect_close(one.context.select(1, 0), all.context.select(1, t), 1e-12, "context");
    const int64_t keys = one.weights.size(3);
    expect_close(one.weights.select(2, 0), all.weights.select(2, t).narrow(2, 0, keys), 1e-12,
                 "weights");
    ASSERT_EQ(one.losses.size(), all.losses.size());
    for (size_t i = 0; i < all.losses.size(); ++i) {
      expect_close(one.losses[i].value.select(1, 0), all.losses[i].value.select(1, t), 1e-12,
                   all.losses[i].name);
    }
  }
}

TEST_P(Attentions, ASentenceAloneIsAsInABatch) {
  const Attended all = read();
  for (int64_t r = 0; r < 3; ++r) {
    const int64_t length = lengths_[r].item<int64_t>();
    const auto row = [r](const Tensor& x, int64_t count) {
      return x.narrow(0, r, 1).narrow(1, 0, count);
    };
    const Attended alone = read(row(query_, kQueries), row(keys_, length), row(values_, length),
                                lengths_.narrow(0, r, 1));
    expect_close(alone.context[0], all.context[r], 1e-12, "row " + std::to_string(r));
  }
}

// Two hypotheses of each of two sentences change places, then some leave: the same as if the rows
// had been so from the start.
TEST_P(Attentions, StateGoesWithItsRows) {
  const auto rows = [](std::vector<int64_t> list) { return torch::tensor(list, torch::kLong); };
  const Tensor lengths = rows({5, 3});
  const Tensor q1 = uniform({4, 2, GetParam().query}, "q1"),
               q2 = uniform({4, 1, GetParam().query}, "q2"),
               q3 = uniform({3, 1, GetParam().query}, "q3");
  State moved = new_state(2);
  start(moved, keys_.narrow(0, 0, 2), values_.narrow(0, 0, 2), lengths);
  moved.expand(2);
  ASSERT_EQ(moved.rows(), 4);
  more(moved, q1, 0);
  moved.reorder(rows({1, 1, 3, 2}));
  const Attended second = more(moved, q2, 2);
  moved.keep(rows({3, 0, 1}));
  const Attended third = more(moved, q3, 3);

  const auto plain = [&](const Tensor& taken, const Tensor& sentences) {
    State state = new_state(taken.size(0));
    start(state, keys_.index_select(0, sentences), values_.index_select(0, sentences),
          lengths.index_select(0, sentences));
    more(state, q1.index_select(0, taken), 0);
    return state;
  };
  State whole = plain(rows({1, 1, 3, 2}), rows({0, 0, 1, 1}));
  expect_close(second.context, more(whole, q2, 2).context, 1e-12, "after reorder");
  State fewer = plain(rows({2, 1, 1}), rows({1, 0, 0}));
  more(fewer, q2.index_select(0, rows({3, 0, 1})), 2);
  expect_close(third.context, more(fewer, q3, 3).context, 1e-12, "after keep");
}

TEST_P(Attentions, ExtremesStayFinite) {
  const auto run = [this](torch::ScalarType type) {
    const auto large = [type](const Tensor& x) {
      return (x.sign() * 1e4).to(type).detach().requires_grad_(true);
    };
    const Tensor query = large(query_), keys = large(keys_), values = large(values_);
    const Attended attended = read(query, keys, values, lengths_);
    EXPECT_TRUE(attended.context.isfinite().all().item<bool>());
    EXPECT_TRUE(attended.weights.isfinite().all().item<bool>());
    loss_of(attended).backward();
    EXPECT_TRUE(query.grad().isfinite().all().item<bool>());
    for (const auto& [name, value] : parameters_of(*attention_)) {
      EXPECT_TRUE(value.grad().isfinite().all().item<bool>()) << name;
    }
  };
  run(torch::kDouble);
  attention_->zero_grad();
  const InFloat in_float(*attention_);
  run(torch::kFloat);
}

INSTANTIATE_TEST_SUITE_P(All, Attentions, testing::ValuesIn(all_cases()),
                         [](const auto& variant) { return variant.param.name(); });

TEST(AttentionRegistries, EverythingIsUnderTheContract) {
  std::set<std::string> covered;
  for (const Case& c : all_cases()) covered.insert({c.score, c.normalizer, c.read, c.term});
  for (const auto& kind : scorers()) EXPECT_TRUE(covered.contains(kind.name)) << kind.name;
  for (const auto& kind : normalizers()) EXPECT_TRUE(covered.contains(kind.name)) << kind.name;
  for (const auto& kind : readouts()) EXPECT_TRUE(covered.contains(kind.name)) << kind.name;
  for (const auto& kind : terms()) EXPECT_TRUE(covered.contains(kind.name)) << kind.name;
}

// Rows [head·D, (head+1)·D) of a matrix: what belongs to a head.
reference::Matrix rows_of(const reference::Matrix& x, size_t head, size_t heads) {
  const size_t count = x.rows / heads;
  reference::Matrix y(count, x.columns);
  for (size_t i = 0; i < count; ++i) y.set_row(i, x.row(head * count + i));
  return y;
}
reference::Vector part_of(const reference::Vector& x, size_t head, size_t heads) {
  return rows_of({x.size(), 1, x}, head, heads).numbers;
}

struct Expected {
  reference::Matrix context;
  std::vector<reference::Matrix> weights;  // a head
};

// The four stages by the equations, for the scores whose definition tests/reference holds.
class Definition {
 public:
  Definition(const Case& c, const Attention& attention)
      : case_(c), heads_(static_cast<size_t>(c.heads)), parameters_(parameters_of(attention)) {}

  Expected read(const Tensor& query, const Tensor& keys, const Tensor& values,
                const reference::Mask& mask) const {
    const auto q = projected("score.query", matrix_of(query), is_dot());
    const auto k = projected("score.key", matrix_of(keys), is_dot());
    const auto v = projected("read.value", matrix_of(values), true);
    auto result = reference::multi_head(
        heads_, [&](size_t h) { return scores(q, k, h); }, v, mask);
    return {projected("read.output", result.joined, true), result.weights};
  }

 private:
  bool is_dot() const { return case_.score == "dot" || case_.score == "scaled_dot"; }
  reference::Matrix weight(const std::string& name) const {
    return matrix_of(parameters_.at(name + ".weight"));
  }
  reference::Vector bias(const std::string& name) const {
    const auto found = parameters_.find(name + ".bias");
    return found == parameters_.end() ? reference::Vector() : vector_of(found->second);
  }
  reference::Matrix projected(const std::string& name, const reference::Matrix& x,
                              bool may_project) const {
    if (!may_project || !parameters_.contains(name + ".weight")) return x;
    return reference::affine(weight(name), bias(name), x);
  }
  reference::Matrix scores(const reference::Matrix& q, const reference::Matrix& k, size_t h) const {
    using reference::Vector;
    const auto q_head = reference::head_of(q, h, heads_), k_head = reference::head_of(k, h, heads_);
    if (case_.score == "dot") return reference::scores(q_head, k_head, reference::dot_score);
    if (case_.score == "scaled_dot") {
      return reference::scores(q_head, k_head, reference::scaled_dot_score);
    }
    const auto u = rows_of(weight("score.key"), h, heads_);
    if (case_.score == "general") {
      return reference::scores(q_head, k, [&](const Vector& a, const Vector& b) {
        return reference::general_score(a, b, u);
      });
    }
    const auto w = rows_of(weight("score.query"), h, heads_);
    const auto v = part_of(vector_of(parameters_.at("score.v")), h, heads_);
    if (case_.score == "concat") {
      reference::Matrix both(w.rows, w.columns + u.columns);
      for (size_t i = 0; i < w.rows; ++i) {
        Vector row = w.row(i);
        const Vector behind = u.row(i);
        row.insert(row.end(), behind.begin(), behind.end());
        both.set_row(i, row);
      }
      return reference::scores(q, k, [&](const Vector& a, const Vector& b) {
        return reference::concat_score(a, b, both, v);
      });
    }
    const auto b = part_of(bias("score.query"), h, heads_);
    return reference::scores(q, k, [&](const Vector& a, const Vector& key) {
      return reference::additive_score(a, key, w, u, b, v);
    });
  }

  Case case_;
  size_t heads_;
  std::map<std::string, Tensor> parameters_;
};

class AttentionDefinitions : public Attentions {
 protected:
  // Query t of the own past sees keys 0 … t, a query of another sequence what the length leaves.
  reference::Mask mask(int64_t r) const {
    const auto keys = static_cast<size_t>(GetParam().own_past ? kQueries : kKeys);
    reference::Mask mask(kQueries, std::vector<bool>(keys));
    for (size_t t = 0; t < mask.size(); ++t) {
      const size_t end =
          GetParam().own_past ? t + 1 : static_cast<size_t>(lengths_[r].item<int64_t>());
      for (size_t s = 0; s < end; ++s) mask[t][s] = true;
    }
    return mask;
  }
  std::vector<Expected> expected() const {
    const Definition definition(GetParam(), *attention_);
    std::vector<Expected> rows;
    for (int64_t r = 0; r < 3; ++r) {
      rows.push_back(GetParam().own_past
                         ? definition.read(query_[r], query_[r], query_[r], mask(r))
                         : definition.read(query_[r], keys_[r], values_[r], mask(r)));
    }
    return rows;
  }
  static void expect_equal(const Attended& actual, const std::vector<Expected>& expected,
                           double tolerance) {
    for (int64_t r = 0; r < 3; ++r) {
      const auto& row = expected[static_cast<size_t>(r)];
      expect_close(actual.context[r], tensor_of(row.context), tolerance, "context");
      for (size_t h = 0; h < row.weights.size(); ++h) {
        expect_close(actual.weights[r][static_cast<int64_t>(h)], tensor_of(row.weights[h]),
                     tolerance, "weights of head " + std::to_string(h));
      }
    }
  }
};

TEST_P(AttentionDefinitions, EqualTheEquations) {
  const auto rows = expected();
  expect_equal(read(), rows, kExact);
  const InFloat in_float(*attention_);
  const auto single = [](const Tensor& x) { return x.to(torch::kFloat); };
  expect_equal(read(single(query_), single(keys_), single(values_), lengths_), rows, kSingle);
}

std::vector<Case> defined_cases() {
  std::vector<Case> cases;
  const std::set<std::string> scores = {"dot", "scaled_dot", "general", "concat", "additive"};
  for (const Case& c : all_cases()) {
    if (scores.contains(c.score) && c.normalizer == "softmax" && c.read == "weighted_sum" &&
        c.term.empty()) {
      cases.push_back(c);
    }
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, AttentionDefinitions, testing::ValuesIn(defined_cases()),
                         [](const auto& variant) { return variant.param.name(); });

// What each term of the tests does, by loops over scores that the module without it shows.
class Mechanisms : public testing::Test {
 protected:
  static constexpr int64_t kHeads = 2;
  static Case with(const std::string& term) {
    return {.score = "dot", .term = term, .heads = kHeads};
  }
  // The read of one sentence of five keys by four queries, all of whose projections are those of
  // `fill`.
  Attended read(const std::string& term) const {
    const Case c = with(term);
    const auto attention = c.config()->build(c.dims());
    fill(*attention);
    Pass pass;
    pass.keep_weights = true;
    State state(1, pass, torch::kCPU);
    attention->start({{"source", make_source(keys_, torch::tensor({kKeys}, torch::kLong))}},
                     state.view("a"));
    return attention->attend(query_, positions_from(0, 1, kQueries), state.view("a"));
  }
  // Scores of head h up to a number a query, which no softmax sees: log of the plain weights.
  reference::Matrix scores(int64_t h) const { return matrix_of(read("").weights[0][h].log()); }
  static reference::Mask open() {
    return reference::Mask(kQueries, std::vector<bool>(static_cast<size_t>(kKeys), true));
  }

  Tensor query_ = uniform({1, kQueries, kKey}, "query"), keys_ = uniform({1, kKeys, kKey}, "keys");
};

TEST_F(Mechanisms, HistoryIsWhatWasReadBefore) {
  const Attended attended = read("test_fading");
  for (int64_t h = 0; h < kHeads; ++h) {
    auto e = scores(h);
    reference::Vector total(kKeys, 0.0), previous(kKeys, 0.0);
    for (size_t t = 0; t < e.rows; ++t) {
      for (size_t s = 0; s < e.columns; ++s) e(t, s) -= 2 * total[s] + previous[s];
      previous = reference::softmax(e, open()).row(t);
      total = reference::sum(total, previous);
      expect_close(attended.weights[0][h][static_cast<int64_t>(t)], tensor_of(previous), kExact,
                   "query " + std::to_string(t));
    }
  }
}

TEST_F(Mechanisms, RestrictNarrowsTheMask) {
  const Attended attended = read("test_near");
  auto mask = open();
  for (size_t t = 0; t < mask.size(); ++t) {
    for (size_t s = 0; s < mask[t].size(); ++s) mask[t][s] = s + 1 >= t && s <= t + 1;
  }
  for (int64_t h = 0; h < kHeads; ++h) {
    expect_close(attended.weights[0][h], tensor_of(reference::softmax(scores(h), mask)), kExact,
                 "weights");
  }
}

TEST_F(Mechanisms, ReweighChangesWeightsAndWhatIsRead) {
  const Attended plain = read(""), squared = read("test_squaring");
  expect_close(squared.weights, plain.weights.square(), kExact, "weights");
  expect_close(read("test_costly").context, plain.context, 0, "a side loss changes no context");
  EXPECT_GT((squared.context - plain.context).abs().max().item<double>(), 1e-3);
}

TEST_F(Mechanisms, SideLossComesOut) {
  const Attended attended = read("test_costly");
  ASSERT_EQ(attended.losses.size(), 1U);
  EXPECT_EQ(attended.losses[0].name, "cost");
  expect_close(attended.losses[0].value, attended.weights.square().sum(-1).mean(1), kExact, "loss");
  EXPECT_TRUE(read("").losses.empty());
}

TEST(AttentionDropout, DropsWeightsInTrainingOnly) {
  const Case c{.score = "dot"};
  const auto config = c.config();
  config->dropout = 0.5;
  const auto attention = config->build(c.dims());
  const Tensor keys = uniform({2, kKeys, kKey}, "keys"),
               query = uniform({2, kQueries, kKey}, "query"),
               lengths = torch::tensor({5, 5}, torch::kLong);
  const auto read = [&](Pass pass) {
    pass.keep_weights = true;
    State state(2, pass, torch::kCPU);
    attention->start({{"source", make_source(keys, lengths)}}, state.view("a"));
    return attention->attend(query, positions_from(0, 2, kQueries), state.view("a"));
  };
  const Attended plain = read(Pass()), dropped = read(Pass::for_training(1, 2));
  expect_close(plain.context, torch::matmul(plain.weights.squeeze(1), keys), kExact, "inference");
  const Tensor mask =
      dropout_mask({2, 1, kQueries, kKeys}, 0.5, keys, Pass::for_training(1, 2)).squeeze(1);
  expect_close(dropped.context, torch::matmul(plain.weights.squeeze(1) * mask, keys), kExact,
               "training");
  expect_close(dropped.weights, plain.weights, kExact, "what is shown is whole");
}

TEST(NoAttention, GivesZerosOfTheBlock) {
  const auto config = fresh_kind(attentions(), "none");
  for (const int64_t block : {0, 6}) {
    const AttentionDims dims{.query = 6, .key = 4, .value = 4, .block = block, .name = "here"};
    EXPECT_EQ(config->context_width(dims), block);
    State state(2, Pass(), torch::kCPU);
    const Attended attended = config->build(dims)->attend(uniform({2, 3, 6}, "query"),
                                                          positions_from(0, 2, 3), state.view("a"));
    EXPECT_EQ(attended.context.sizes(), (c10::IntArrayRef{2, 3, block}));
    EXPECT_TRUE(attended.context.eq(0).all().item<bool>());
    EXPECT_FALSE(attended.weights.defined());
  }
}

}  // namespace
}  // namespace heed
