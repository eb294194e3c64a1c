// Sentences with candidates (Example::candidates): the distribution over the vocabulary, cut to them
// and made one, by all engines, whatever sentences are beside them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include <cmath>
#include <limits>

#include "network/engine_comparison.h"
#include "search/search.h"

namespace heed {
namespace {

const std::string kTransformer =
    "{encoder: {type: transformer, layers: 1, width: 12, feed_forward: 20, self_attention: {heads: "
    "2}}, decoder: {type: transformer, layers: 1, width: 12, feed_forward: 20, self_attention: "
    "{heads: 2}, attention: {heads: 2}}, embedding: {width: 12}}";
const std::string kRecurrent =
    "{encoder: {type: rnn, width: 8}, decoder: {type: rnn, width: 12}, embedding: {width: 10}}";
constexpr double kNever = -std::numeric_limits<double>::infinity();

std::shared_ptr<const Ids> list(Ids ids) { return std::make_shared<const Ids>(std::move(ids)); }

// Log-probabilities of all tokens, -∞ where there is none.  [R][V]
std::vector<std::vector<double>> distributions(Decoding& decoding,
                                               const std::vector<int32_t>& tokens,
                                               const Limits& limits = {}) {
  decoding.step(tokens);
  const TopK best = decoding.best(kIds, limits);
  std::vector<std::vector<double>> rows(tokens.size(), std::vector<double>(kIds, kNever));
  for (size_t i = 0; i < best.id.size(); ++i) {
    if (best.id[i] >= 0)
      rows[i / static_cast<size_t>(best.count)][static_cast<size_t>(best.id[i])] =
          best.log_probability[i];
  }
  return rows;
}

std::vector<double> cut(const std::vector<double>& all, const Ids& candidates) {
  double sum = 0;
  for (const int32_t id : candidates) sum += std::exp(all[static_cast<size_t>(id)]);
  std::vector<double> result(all.size(), kNever);
  for (const int32_t id : candidates)
    result[static_cast<size_t>(id)] = all[static_cast<size_t>(id)] - std::log(sum);
  return result;
}

void expect_equal(const std::vector<double>& found, const std::vector<double>& expected) {
  for (size_t id = 0; id < found.size(); ++id) {
    if (std::isinf(expected[id]))
      EXPECT_EQ(found[id], kNever) << id;
    else
      EXPECT_NEAR(found[id], expected[id], 2e-4) << id;
  }
}

void expect_cut(const Engine& engine, const Engine& reference) {
  auto examples = examples_of({{5, 6, 7}, {8, 9}, {10}});
  auto all = reference.start(pointers_to(examples), false);
  const std::vector<Ids> lists = {{kUnknown, kEnd, 5, 9, 40}, {kEnd, 4, 69}, {kUnknown, kEnd, 6}};
  for (size_t i = 0; i < lists.size(); ++i) examples[i].candidates = list(lists[i]);
  auto own = engine.start(pointers_to(examples), false);
  const auto expect_step = [&](const std::vector<int32_t>& tokens, const std::vector<size_t>& of) {
    const auto found = distributions(*own, tokens), full = distributions(*all, tokens);
    for (size_t row = 0; row < tokens.size(); ++row)
      expect_equal(found[row], cut(full[row], lists[of[row]]));
  };
  expect_step({kBegin, kBegin, kBegin}, {0, 1, 2});
  for (auto* decoding : {&own, &all}) (*decoding)->gather({0, 0, 2, 2}, 2);
  expect_step({5, 9, 6, kUnknown}, {0, 0, 2, 2});
  // Another sentence comes, whose candidates are others.
  auto more = examples_of({{11, 12}});
  auto more_of_all = reference.start(pointers_to(more), false);
  more[0].candidates = list(lists[1]);
  auto more_of_own = engine.start(pointers_to(more), false);
  more_of_all->gather({0, 0}, 2);
  more_of_own->gather({0, 0}, 2);
  own->join(std::move(more_of_own));
  all->join(std::move(more_of_all));
  expect_step({40, 5, 6, 6, kBegin, kBegin}, {0, 0, 2, 2, 1, 1});
}

class CandidateTokens : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(BothEngines, CandidateTokens, testing::Values(kTransformer, kRecurrent));

// Outputs whose tokens have other probabilities.
class CandidatesOfOutputs : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(
    All, CandidatesOfOutputs,
    testing::Values("output: pointer_generator", "output: copynet",
                    "output: {type: pointer, hidden: 8}",
                    "output: hard_monotonic, decoder: {type: rnn, width: 12, attention: none}"));

TEST_P(CandidateTokens, AreADistributionOfTheirOwn) {
  const ModelConfig config = config_from(GetParam());
  const auto model = random_model(config, kPieces, 3, torch::kFloat);
  const ModelEngine reference({model}, {"source"});
  expect_cut(reference, reference);
  for (const Kernels* set : all_kernels()) {
    SCOPED_TRACE(set->name);
    expect_cut(*engine_of(*model, config, Precision::kFloat, *set), reference);
  }
}

TEST_P(CandidateTokens, MayBeBannedOrForced) {
  const ModelConfig config = config_from(GetParam());
  const auto model = random_model(config, kPieces, 3, torch::kFloat);
  const ModelEngine reference({model}, {"source"});
  auto examples = examples_of({{5, 6, 7}, {8, 9}});
  for (Example& example : examples) example.candidates = list({kEnd, 5, 9, 40});
  const Limits limits{.banned = {{0, 9}, {0, 11}}, .forced = {{1, 40}}};
  const auto own = engine_of(*model, config)->start(pointers_to(examples), false),
             all = reference.start(pointers_to(examples), false);
  const auto found = distributions(*own, {kBegin, kBegin}, limits),
             expected = distributions(*all, {kBegin, kBegin}, limits);
  for (size_t row = 0; row < 2; ++row) expect_equal(found[row], expected[row]);
  EXPECT_EQ(found[0][9], kNever);
  EXPECT_TRUE(std::isfinite(found[1][40]));
  EXPECT_EQ(found[1][5], kNever);
}

TEST_P(CandidatesOfOutputs, AreADistributionWithTheCopies) {
  const ModelConfig config = config_from(
      "{encoder: {type: rnn, width: 8}, embedding: {width: 10}, " + GetParam() +
      (GetParam().find("decoder") == std::string::npos ? ", decoder: {type: rnn, width: 12}}"
                                                       : "}"));
  const auto model = random_model(config, kPieces, 3, torch::kFloat);
  const ModelEngine reference({model}, {"source"});
  auto examples = examples_of({{5, 6, 7}, {8, 9}, {10}});
  // No candidate can be the first one of a pointer to the last source.
  const std::vector<Ids> lists = {{kUnknown, kEnd, 5, 9, 40}, {kEnd, 4, 69}, {kUnknown, 6}};
  for (size_t i = 0; i < examples.size(); ++i) examples[i].candidates = list(lists[i]);
  Limits limits{.banned = {{0, 9}, {0, 11}}, .forced = {{2, 6}}};
  if (config.output->copies()) limits.banned.push_back({1, kPieces});
  const auto own = engine_of(*model, config)->start(pointers_to(examples), false),
             all = reference.start(pointers_to(examples), false);
  for (const Limits& used : {Limits(), limits}) {
    const auto found = distributions(*own, {kBegin, kBegin, kBegin}, used),
               expected = distributions(*all, {kBegin, kBegin, kBegin}, used);
    for (size_t row = 0; row < 3; ++row) expect_equal(found[row], expected[row]);
  }
}

TEST_P(CandidateTokens, AloneAreFoundBySearchAndSamples) {
  const ModelConfig config = config_from(GetParam());
  const auto model = random_model(config, kPieces, 3, torch::kFloat);
  auto examples = examples_of(random_sentences(5, 9, kPieces, 5));
  for (size_t i = 0; i < examples.size(); ++i)
    examples[i].candidates = list({kEnd, static_cast<int32_t>(10 + i), 20, 30, 40, 50});
  SearchConfig sampling;
  sampling.nbest = 3;
  sampling.sampling = SamplingOptions();
  const ModelEngine reference({model}, {"source"});
  const auto own = engine_of(*model, config);
  for (const SearchConfig& how : {SearchConfig(), sampling}) {
    const auto found = search(*own, requests_of(examples, how)),
               expected = search(reference, requests_of(examples, how));
    for (size_t i = 0; i < examples.size(); ++i) {
      EXPECT_EQ(found[i].front().ids, expected[i].front().ids);
      for (const int32_t id : found[i].front().ids)
        EXPECT_THAT(*examples[i].candidates, testing::Contains(id));
    }
  }
}

}  // namespace
}  // namespace heed
