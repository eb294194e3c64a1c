// Attention by tag: each row equals the attention of its tag alone.
#include <gtest/gtest.h>

#include "nn/compared_attention.h"
#include "reference/readouts.h"

namespace heed {
namespace {

using reference::Matrix;

class TaskSpecific : public ComparedAttentions {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    const Tensor tags = tags_of(keys_);
    ASSERT_EQ(tags.sum().item<int64_t>() % 3 == 0, false) << "both tags";
    for (int64_t r = 0; r < 3; ++r) {
      const Sentence own = sentence(r);
      const std::string tag = fmt::format("tag_{}", tags[r].item<int64_t>());
      const auto projected = [&](const std::string& name, const Matrix& x) {
        const auto parameters = parameters_of(*attention_);
        return reference::affine(matrix_of(parameters.at(tag + name + ".weight")),
                                 vector_of(parameters.at(tag + name + ".bias")), x);
      };
      const Matrix q = projected(".score.query", own.query), k = projected(".score.key", own.keys);
      const auto read = reference::multi_head(
          2,
          [&](size_t h) {
            return reference::scores(reference::head_of(q, h, 2), reference::head_of(k, h, 2),
                                     reference::scaled_dot_score);
          },
          projected(".read.value", own.values), own.mask);
      expect_close(actual.context[r], tensor_of(projected(".read.output", read.joined)), tolerance,
                   "context");
    }
  }
};

TEST_P(TaskSpecific, EqualTheEquations) { compare(); }

std::vector<Case> cases_by_tag() {
  std::vector<Case> cases;
  for (const Case& c : cases_beside_stages()) {
    if (c.beside == "task_specific") cases.push_back(c);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, TaskSpecific, testing::ValuesIn(cases_by_tag()),
                         [](const auto& variant) { return variant.param.name(); });

// The inner attentions keep a state, or have losses, parts, or no weights.
class AttentionByTag : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int64_t kRows = 4, kTags = 3;

  AttentionByTag()
      : inner_(attention_of(GetParam())),
        whole_(
            build(*attention_of(fmt::format("{{type: task_specific, attention: {}}}", GetParam())),
                  dims_)) {
    fill(*whole_);
  }

  // Attention of one tag, with its parameters.
  std::shared_ptr<Attention> alone(int64_t tag) const {
    const auto attention = build(*inner_, dims_);
    attention->to(torch::kDouble);
    const torch::NoGradGuard no_grad;
    const auto all = parameters_of(*whole_);
    for (auto& item : attention->named_parameters())
      item.value().copy_(all.at(fmt::format("tag_{}.{}", tag, item.key())));
    return attention;
  }
  Source source() const {
    Source source = make_source(uniform({kRows, kKeys, kKey}, "keys"), lengths_);
    source.features[kTag] = tags_;
    return source;
  }
  // Context of these rows in training.
  Tensor learned_from(const std::vector<int64_t>& rows) const {
    const Tensor which = torch::tensor(rows, torch::kLong),
                 all = uniform({kRows, kKeys, kKey}, "keys");
    Source some = make_source(all.index_select(0, which), lengths_.index_select(0, which));
    some.features[kTag] = tags_.index_select(0, which);
    const auto count = static_cast<int64_t>(rows.size());
    State state(whole_->layout(), count, Pass::for_training(1, 2, rows), torch::kCPU);
    whole_->start({{"source", some}}, state.view());
    return whole_
        ->attend(query_.index_select(0, which), positions_from(0, count, kQueries), state.view())
        .context;
  }
  static Pass pass() {
    Pass pass;
    pass.keep_weights = true;
    return pass;
  }
  static void expect_row(const Attended& actual, const Attended& expected, int64_t r) {
    expect_close(actual.context[r], expected.context[r], 0, "context");
    ASSERT_EQ(actual.weights.defined(), expected.weights.defined());
    if (expected.weights.defined())
      expect_close(actual.weights[r], expected.weights[r], 0, "weights");
    ASSERT_EQ(actual.losses.size(), expected.losses.size());
    for (size_t i = 0; i < expected.losses.size(); ++i)
      expect_close(actual.losses[i].value[r], expected.losses[i].value[r], 0, "loss");
    ASSERT_EQ(actual.parts.size(), expected.parts.size());
    for (size_t i = 0; i < expected.parts.size(); ++i)
      expect_row(actual.parts[i], expected.parts[i], r);
  }

  const AttentionDims dims_{
      .place = Place::kCross, .query = kKey, .source = {.key = kKey, .value = kKey}, .tags = kTags};
  const Tensor lengths_ = torch::tensor({5, 3, 4, 2}, torch::kLong),
               tags_ = torch::tensor({2, 0, 2, 0}, torch::kLong),
               query_ = uniform({kRows, kQueries, kKey}, "query");
  std::shared_ptr<AttentionConfig> inner_;
  std::shared_ptr<Attention> whole_;
};

TEST_P(AttentionByTag, IsThatOfTheTagAlone) {
  const Tensor positions = positions_from(0, kRows, kQueries);
  State state(whole_->layout(), kRows, pass(), torch::kCPU);
  whole_->start({{"source", source()}}, state.view());
  const Attended whole = whole_->attend(query_, positions, state.view());
  for (const int64_t tag : {0, 2}) {
    const auto attention = alone(tag);
    State own(attention->layout(), kRows, pass(), torch::kCPU);
    attention->start({{"source", source()}}, own.view());
    const Attended expected = attention->attend(query_, positions, own.view());
    for (int64_t r = 0; r < kRows; ++r) {
      if (tags_[r].item<int64_t>() == tag) expect_row(whole, expected, r);
    }
  }
}

// Weights are dropped: the result is the same for sentences of one tag alone and beside others.
TEST_P(AttentionByTag, DrawsForARowWhateverItsNeighbours) {
  const Tensor whole = learned_from({0, 1, 2, 3});
  for (const std::vector<int64_t>& rows : {std::vector<int64_t>{0, 2}, {1, 3}, {2}}) {
    const Tensor some = learned_from(rows);
    for (size_t i = 0; i < rows.size(); ++i)
      expect_close(some[static_cast<int64_t>(i)], whole[rows[i]], 1e-12, "context");
  }
}

// The attention of a tag that no row has is not computed.
TEST_P(AttentionByTag, KeepsAStateOfTheTagsThatThereAre) {
  State state(whole_->layout(), kRows, pass(), torch::kCPU);
  whole_->start({{"source", source()}}, state.view());
  const auto contents = state.contents();
  for (int tag = 0; tag < 3; ++tag) {
    const std::string prefix = "tag_" + std::to_string(tag) + ".";
    EXPECT_EQ(std::ranges::any_of(contents,
                                  [&](const auto& item) { return item.first.starts_with(prefix); }),
              tag != 1)
        << prefix;
  }
}

INSTANTIATE_TEST_SUITE_P(Around, AttentionByTag,
                         testing::Values("{score: scaled_dot, heads: 2, dropout: 0.5}",
                                         "{score: {type: location, hidden: 6, features: coverage}}",
                                         "{score: scaled_dot, heads: 2, disagreement: output}",
                                         "{type: linear, heads: 2}",
                                         "{type: hops, hops: 2, attention: {score: dot}}",
                                         "{type: adaptive, most: 3, attention: {score: general}}"));

TEST(TaskSpecificConfig, IsRefusedOverTheDecodersOwnPast) {
  const AttentionDims dims{
      .place = Place::kDecoderSelf, .query = 8, .source = {.key = 8, .value = 8}};
  const auto refusals = refusals_of(*attention_of("task_specific"), dims);
  ASSERT_EQ(refusals.size(), 1U);
  EXPECT_NE(refusals[0].find("use it over the source"), std::string::npos) << refusals[0];
}

TEST(TaskSpecificConfig, PassesOnWhatItsAttentionRefuses) {
  const AttentionDims dims{.place = Place::kCross, .query = 8, .source = {.key = 8, .value = 8}};
  const auto refusals = refusals_of(
      *attention_of("{type: task_specific, attention: {score: dot, terms: [edges]}}"), dims);
  ASSERT_EQ(refusals.size(), 1U);
  EXPECT_EQ(refusals[0].find("attention.terms"), 0U) << refusals[0];
}

}  // namespace
}  // namespace heed
