// The contract of attention, for everything that is registered: gradients, masks, steps, state,
// neighbours, extreme values.
#include <gtest/gtest.h>

#include <set>

#include "directional_gradient.h"
#include "holds.h"
#include "kinds_of.h"
#include "nn/attention_fixture.h"

namespace heed {
namespace {

// Predicates of the cases that a part of the contract is about.
bool has_gradient_of_its_own(const Case& c) { return c.normalizer != "hard_straight_through"; }
bool reads_a_source(const Case& c) { return !c.own_past() && c.needs_source(); }
bool goes_by_single_queries(const Case& c) { return !c.takes_all_queries(); }

std::vector<Case> cases_where(bool (*holds)(const Case&)) {
  std::vector<Case> cases = all_cases();
  std::erase_if(cases, [holds](const Case& c) { return !holds(c); });
  return cases;
}

using GradientsOfAttentions = Attentions;
using AttentionsOverASource = Attentions;
using AttentionsByQuery = Attentions;

TEST_P(Attentions, ShapesAreAsDocumented) {
  const Attended attended = read();
  const int64_t width = GetParam().config()->context_width(GetParam().dims());
  EXPECT_EQ(attended.context.sizes(), (c10::IntArrayRef{3, kQueries, width}));
  const int64_t keys = GetParam().own_past() ? kQueries : kKeys;
  if (has_weights()) {
    EXPECT_EQ(attended.weights.sizes(),
              (c10::IntArrayRef{3, GetParam().head_count(), kQueries, keys}));
  }
  EXPECT_EQ(attended.part, Part::kWhole);
  for (const SideLoss& side : attended.losses) {
    EXPECT_EQ(side.value.sizes(), (c10::IntArrayRef{3, kQueries})) << side.name;
  }
  State state(attention_->layout(), 3, Pass(), torch::kCPU);
  start(state, keys_, values_, lengths_);
  EXPECT_FALSE(more(state, query_, 0).weights.defined()) << "a pass that does not keep weights";
}

TEST_P(GradientsOfAttentions, AreFiniteDifferences) {
  holds("gradient", kinds_of(*GetParam().config(), "attention"));
  learning_ = true;
  LearnedTensors learned;
  for (const auto& [name, leaf] : leaves()) learned.emplace_back(name, leaf.requires_grad_(true));
  loss_of(read()).backward();
  for (const auto& [name, leaf] : learned) ASSERT_TRUE(leaf.grad().defined()) << name;
  DirectionalGradient(learned, [this] { return loss_of(read()).item<double>(); }).check(1e-6);
}

TEST_P(Attentions, EveryParameterGetsAGradient) {
  learning_ = true;
  // Without parameters the loss still needs a gradient.
  (GetParam().asks() ? query_ : keys_).requires_grad_(true);
  loss_of(read()).backward();
  for (const auto& [name, value] : parameters_of(*attention_)) {
    ASSERT_TRUE(value.grad().defined()) << name;
    // A number that is added to all scores of a query changes no weight.
    if (name.ends_with("key.bias") || name == "score.output.bias") continue;
    EXPECT_GT(value.grad().abs().max().item<double>(), 1e-6) << name;
  }
}

TEST_P(Attentions, WeightsAreZeroWhereNothingMayBeRead) {
  const Tensor weights = read().weights;
  EXPECT_EQ(weights.defined(), has_weights());
  if (!has_weights()) return;
  if (GetParam().own_past()) {
    EXPECT_TRUE(weights.triu(1).eq(0).all().item<bool>());
    return;
  }
  for (int64_t r = 0; r < 3; ++r) {
    const int64_t length = lengths_[r].item<int64_t>();
    EXPECT_TRUE(weights[r].narrow(2, length, kKeys - length).eq(0).all().item<bool>());
  }
}

// Attention over the decoder's past has no padding.
TEST_P(AttentionsOverASource, PaddingChangesNothing) {
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
  if (has_weights())
    expect_close(more_padding.weights.narrow(3, 0, kKeys), all.weights, 1e-13, "weights");
}

// A query over the decoder's past reads at least itself.
TEST_P(AttentionsOverASource, ARowWithNothingToReadIsZero) {
  learning_ = true;
  for (const auto& [name, value] : leaves()) value.requires_grad_(true);
  const Attended attended = read(query_, keys_, values_, torch::tensor({5, 0, 2}, torch::kLong));
  if (has_weights()) {
    EXPECT_TRUE(attended.weights[1].eq(0).all().item<bool>());
  }
  EXPECT_TRUE(attended.context[1].eq(0).all().item<bool>()) << attended.context[1];
  loss_of(attended).backward();
  for (const auto& [name, value] : leaves()) {
    EXPECT_TRUE(value.grad().isfinite().all().item<bool>()) << name;
  }
  expect_close(attended.context[0], read().context[0], 1e-13, "its neighbour");
}

TEST_P(AttentionsByQuery, ManyAtOnceEqualOneByOne) {
  const Attended all = read();
  State state = new_state(3);
  start(state, keys_, values_, lengths_);
  for (int64_t t = 0; t < kQueries; ++t) {
    const Attended one = more(state, query_.narrow(1, t, 1), t);
    expect_close(one.context.select(1, 0), all.context.select(1, t), 1e-12, "context");
    if (has_weights()) {
      const int64_t keys = one.weights.size(3);
      expect_close(one.weights.select(2, 0), all.weights.select(2, t).narrow(2, 0, keys), 1e-12,
                   "weights");
    }
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

// The two hypotheses of each of three sentences swap, then a sentence leaves, then one hypothesis
// of each. The result is the same as if the rows had been like this from the start.
TEST_P(AttentionsByQuery, StateGoesWithItsRows) {
  const auto rows = [](std::vector<int64_t> list) { return torch::tensor(list, torch::kLong); };
  const auto queries = [](int64_t count, int64_t length, const char* name) {
    return uniform({count, length, GetParam().query}, name);
  };
  const Tensor q1 = queries(6, 2, "q1"), q2 = queries(6, 2, "q2"), q3 = queries(4, 1, "q3"),
               q4 = queries(2, 1, "q4");
  const torch::NoGradGuard no_grad;  // the past grows in place
  State moved = new_state(3);
  start(moved, keys_, values_, lengths_);
  moved.gather(rows({0, 0, 1, 1, 2, 2}), 2);
  ASSERT_EQ(moved.rows(), 6);
  more(moved, q1, 0);
  moved.gather(rows({1, 1, 3, 2, 5, 4}), 2);
  const Attended second = more(moved, q2, 2);
  moved.gather(rows({1, 0, 5, 4}), 2);
  const Attended third = more(moved, q3, 4);
  moved.gather(rows({0, 3}), 1);
  const Attended fourth = more(moved, q4, 5);

  const auto plain = [&](const std::vector<int64_t>& sentences,
                         const std::vector<Tensor>& queries_before) {
    const Tensor chosen = rows(sentences);
    State state = new_state(chosen.size(0));
    start(state, keys_.index_select(0, chosen), values_.index_select(0, chosen),
          lengths_.index_select(0, chosen));
    int64_t begin = 0;
    for (const Tensor& query : queries_before) {
      more(state, query, begin);
      begin += query.size(1);
    }
    return state;
  };
  const auto of = [&](const Tensor& x, std::vector<int64_t> list) {
    return x.index_select(0, rows(std::move(list)));
  };
  State whole = plain({0, 0, 1, 1, 2, 2}, {of(q1, {1, 1, 3, 2, 5, 4})});
  expect_close(second.context, more(whole, q2, 2).context, 1e-12, "other positions");
  State fewer = plain({0, 0, 2, 2}, {of(q1, {1, 1, 4, 5}), of(q2, {1, 0, 5, 4})});
  expect_close(third.context, more(fewer, q3, 4).context, 1e-12, "fewer sentences");
  State single = plain({0, 2}, {of(q1, {1, 5}), of(q2, {1, 4}), of(q3, {0, 3})});
  expect_close(fourth.context, more(single, q4, 5).context, 1e-12, "fewer hypotheses");
}

TEST_P(Attentions, ExtremesStayFinite) {
  learning_ = true;
  const auto run = [this](torch::ScalarType type) {
    const auto large = [type](const Tensor& x) {
      return (x.sign() * 1e4).to(type).detach().requires_grad_(true);
    };
    const Tensor query = large(query_), keys = large(keys_), values = large(values_);
    const Attended attended = read(query, keys, values, lengths_);
    EXPECT_TRUE(attended.context.isfinite().all().item<bool>());
    if (has_weights()) {
      EXPECT_TRUE(attended.weights.isfinite().all().item<bool>());
    }
    loss_of(attended).backward();
    const Tensor& read_one = GetParam().asks() ? query : GetParam().compares() ? keys : values;
    EXPECT_TRUE(read_one.grad().isfinite().all().item<bool>());
    for (const auto& [name, value] : parameters_of(*attention_)) {
      EXPECT_TRUE(value.grad().isfinite().all().item<bool>()) << name;
    }
  };
  run(torch::kDouble);
  attention_->zero_grad();
  const InFloat in_float(*attention_);
  run(torch::kFloat);
}

std::string name_of(const testing::TestParamInfo<Case>& variant) { return variant.param.name(); }

INSTANTIATE_TEST_SUITE_P(All, Attentions, testing::ValuesIn(all_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(All, GradientsOfAttentions,
                         testing::ValuesIn(cases_where(has_gradient_of_its_own)), name_of);
INSTANTIATE_TEST_SUITE_P(All, AttentionsOverASource, testing::ValuesIn(cases_where(reads_a_source)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, AttentionsByQuery,
                         testing::ValuesIn(cases_where(goes_by_single_queries)), name_of);

TEST(AttentionRegistries, EverythingIsUnderTheContract) {
  std::set<std::string> covered;
  for (const Case& c : all_cases())
    covered.insert({c.score, c.normalizer, c.read, c.term, c.combination});
  const auto expect_all = [&covered](const auto& registry) {
    for (const auto& [name, text] : variants(registry)) EXPECT_TRUE(covered.contains(name)) << name;
  };
  expect_all(scorers());
  expect_all(terms_with_those_of_tests());
  expect_all(normalizers());
  expect_all(readouts());
  expect_all(head_combinations());
  std::set<std::string> beside;
  for (const Case& c : cases_beside_stages()) beside.insert(c.beside);
  for (const auto& [name, text] : variants_beside_stages())
    EXPECT_TRUE(beside.contains(name)) << name;
}

}  // namespace
}  // namespace heed
