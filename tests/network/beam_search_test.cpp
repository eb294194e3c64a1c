// Beam search over models, compared with plain enumeration, stepwise argmax and the laws of search.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "nn/torch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/error.h"
#include "config/reader.h"
#include "gpu.h"
#include "holds.h"
#include "network/random_models.h"
#include "network/scoring.h"

namespace heed {
namespace {

struct Kind {
  const char* name;
  ModelConfig config;
};

std::vector<Kind> kinds() {
  ModelConfig luong = tiny_rnn();
  dynamic_cast<RnnDecoderConfig&>(*luong.decoder).attend = RnnDecoderConfig::Attend::kAfter;
  const auto aligned = [](ModelConfig config) {
    config = with_attention(std::move(config), fresh_kind(attentions(), "none"));
    config.output = fresh_kind(outputs(), "hard_monotonic");
    return config;
  };
  ModelConfig lstmn = tiny_rnn(), adaptive = tiny_rnn();
  read_config_text(
      "{encoder: {type: rnn, width: 8, memory_tape: true, intra_attention: {}}, decoder: {type: "
      "rnn, width: 8, attend: deep_fusion, intra_attention: {}}}",
      "lstmn", lstmn);
  read_config_text(
      "{encoder: {type: rnn, width: 8, adaptive: {}}, decoder: {type: rnn, width: 8, adaptive: "
      "{most: 3, epsilon: 0.3}}}",
      "adaptive", adaptive);
  return {{"rnn", tiny_rnn()},
          {"rnn with hard alignments", aligned(tiny_rnn())},
          {"transformer with hard alignments", aligned(tiny_transformer())},
          {"luong", luong},
          {"lstmn", lstmn},
          {"adaptive", adaptive},
          {"transformer", tiny_transformer()},
          {"rnn with history", tiny_rnn_with("test_fading")},
          {"transformer with history", tiny_transformer_with("test_fading")},
          {"rnn with own state", tiny_rnn_with("test_running")},
          {"transformer with own state", tiny_transformer_with("test_running")}};
}

SearchConfig config_of(int64_t beam, int64_t nbest = 1) {
  SearchConfig config;
  config.beam = beam;
  config.nbest = nbest;
  return config;
}

// Log-probabilities [R,T,V] of each target after its source, all tokens at once; the mean of the
// models' probabilities.
Tensor all_log_probs(const Models& models, const std::vector<Ids>& sources,
                     const std::vector<Ids>& targets) {
  const torch::NoGradGuard no_grad;
  Tensor sum;
  for (const auto& model : models) {
    State state = model->start(sources_of(sources), Pass());
    const Step step = model->advance(target_batch(targets, torch::kCPU).inputs, state);
    const Tensor probabilities = model->log_probs(step, state).exp();
    sum = sum.defined() ? sum + probabilities : probabilities;
  }
  return (sum / static_cast<double>(models.size())).log();
}

constexpr int64_t kVocabulary = 7;  // for models whose targets are enumerated

struct Scored {
  Ids ids;
  double log_probability = 0, score = 0;
};

// All targets up to this length, with their log-probabilities.
std::vector<Scored> enumerate(const Models& models, const Ids& source, size_t max_length) {
  std::vector<int32_t> tokens = {kUnknown};
  for (int32_t id = kSpecials; id < kVocabulary; ++id) tokens.push_back(id);
  std::vector<Ids> targets = {{}};
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].size() == max_length) continue;
    for (const int32_t token : tokens) {
      targets.push_back(targets[i]);
      targets.back().push_back(token);
    }
  }
  const Tensor log_probs = all_log_probs(models, std::vector<Ids>(targets.size(), source), targets);
  const auto values = log_probs.accessor<double, 3>();
  std::vector<Scored> scored;
  for (const Ids& ids : targets) {
    const auto row = static_cast<int64_t>(scored.size());
    Scored& target = scored.emplace_back(Scored{.ids = ids});
    for (size_t t = 0; t <= ids.size(); ++t)
      target.log_probability +=
          values[row][static_cast<int64_t>(t)][t < ids.size() ? ids[t] : kEnd];
  }
  return scored;
}

// Sorts targets by GNMT's formula, written out again, best first.
std::vector<Scored> ranked(std::vector<Scored> targets, double alpha) {
  for (Scored& target : targets) {
    const double tokens = static_cast<double>(target.ids.size()) + 1;
    target.score = target.log_probability / std::pow((5 + tokens) / 6, alpha);
  }
  std::sort(targets.begin(), targets.end(),
            [](const Scored& a, const Scored& b) { return a.score > b.score; });
  return targets;
}

// Beam and patience are large enough to miss no target.
SearchConfig exhaustive_config(int64_t beam, int64_t nbest, int64_t max_length) {
  SearchConfig config = config_of(beam, nbest);
  config.max_length_ratio = 0;
  config.max_length_extra = max_length;
  config.patience = 100;
  return config;
}

TEST(BeamSearch, OfEnoughWidthFindsWhatEnumerationFinds) {
  holds({"--beam", "search.beam"});
  const std::vector<Ids> sources = {{4, 5, 6}, {6}};
  for (const Kind& kind : kinds()) {
    const Models models = {random_model(kind.config, kVocabulary, 11)};
    const std::vector<std::vector<Scored>> all = {enumerate(models, sources[0], 4),
                                                  enumerate(models, sources[1], 4)};
    for (const double alpha : {0.0, 1.0}) {
      SCOPED_TRACE(testing::Message() << kind.name << ", α " << alpha);
      SearchConfig config = exhaustive_config(260, 20, 4);
      config.length_penalty = alpha;
      const auto found = search(models, sources, config);
      for (size_t i = 0; i < sources.size(); ++i) {
        const std::vector<Scored> expected = ranked(all[i], alpha);
        ASSERT_EQ(found[i].size(), 20);
        for (size_t k = 0; k < 20; ++k) {
          EXPECT_EQ(found[i][k].ids, expected[k].ids) << "sentence " << i << " rank " << k;
          EXPECT_NEAR(found[i][k].log_probability, expected[k].log_probability, 1e-9);
          EXPECT_NEAR(found[i][k].score, expected[k].score, 1e-9);
          EXPECT_EQ(found[i][k].finished, expected[k].ids.size() < 4);
        }
      }
    }
  }
}

// Kinds of models with attention weights over the source.
std::vector<Kind> kinds_with_weights() {
  std::vector<Kind> found = kinds();
  std::erase_if(found, [](const Kind& kind) { return !plan_of(kind.config).has_source_weights(); });
  return found;
}

// Computes Σ_i log(min(Σ_j p_ij, 1)) of each target after its source (Wu et al. 2016, equation 14),
// written out again; a position has at least weight 10⁻⁶. i is over the pieces of the source
// without kEnd, j over the target and kEnd. All tokens are read at once; the weights are the mean
// over heads and over the models that have any.
std::vector<double> coverages(const Models& models, const Ids& source,
                              const std::vector<Ids>& targets) {
  const torch::NoGradGuard no_grad;
  Pass pass;
  pass.keep_weights = true;
  std::vector<Tensor> weights;
  for (const auto& model : models) {
    const std::vector<Ids> sources(targets.size(), source);
    State state = model->start(sources_of(sources), pass);
    const Step step = model->advance(target_batch(targets, torch::kCPU).inputs, state);
    if (const Attended* read = alignment_of(step))
      weights.push_back(read->weights.mean(1).to(torch::kDouble));  // [R,T,S]
  }
  const Tensor mean = torch::stack(weights).mean(0);
  const auto p = mean.accessor<double, 3>();
  std::vector<double> found;
  for (size_t r = 0; r < targets.size(); ++r) {
    double sum = 0;
    for (size_t i = 0; i < source.size(); ++i) {
      double read = 0;
      for (size_t j = 0; j <= targets[r].size(); ++j) read += p[r][j][i];
      sum += std::log(std::max(std::min(read, 1.0), 1e-6));
    }
    found.push_back(sum);
  }
  return found;
}

// Sorts targets by all of equation 14, best first.
std::vector<Scored> ranked_with_coverage(const Models& models, const Ids& source,
                                         const std::vector<Scored>& targets, double alpha,
                                         double beta) {
  std::vector<Scored> found = ranked(targets, alpha);
  std::vector<Ids> ids;
  for (const Scored& target : found) ids.push_back(target.ids);
  const std::vector<double> covered = coverages(models, source, ids);
  for (size_t i = 0; i < found.size(); ++i) found[i].score += beta * covered[i];
  std::sort(found.begin(), found.end(),
            [](const Scored& a, const Scored& b) { return a.score > b.score; });
  return found;
}

void expect_equal(const std::vector<Hypothesis>& found, const std::vector<Scored>& expected) {
  for (size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].ids, expected[k].ids) << "rank " << k;
    EXPECT_NEAR(found[k].log_probability, expected[k].log_probability, 1e-9);
    EXPECT_NEAR(found[k].score, expected[k].score, 1e-9);
  }
}

void expect_enumeration(const Kind& kind, double alpha, double beta, int64_t nbest) {
  const std::vector<Ids> sources = {{4, 5, 6}, {6}};
  const Models models = {random_model(kind.config, kVocabulary, 11)};
  SearchConfig config = exhaustive_config(260, nbest, 4);
  config.length_penalty = alpha;
  config.coverage_penalty = beta;
  const auto found = search(models, sources, config);
  for (size_t i = 0; i < sources.size(); ++i) {
    SCOPED_TRACE(testing::Message()
                 << kind.name << ", α " << alpha << ", β " << beta << ", sentence " << i);
    ASSERT_EQ(found[i].size(), nbest);
    const std::vector<Scored> all = enumerate(models, sources[i], 4);
    expect_equal(found[i], ranked_with_coverage(models, sources[i], all, alpha, beta));
  }
}

TEST(BeamSearch, FindsWhatEnumerationFindsWithACoveragePenalty) {
  EXPECT_EQ(kinds_with_weights().size(), 9);
  for (const Kind& kind : kinds_with_weights()) {
    expect_enumeration(kind, 0, 0.2, 20);
    expect_enumeration(kind, 1, 0.2, 20);
    expect_enumeration(kind, 0, 3, 20);
    expect_enumeration(kind, 0, 3, 1);  // does not stop before the best is finished
  }
}

TEST(BeamSearch, OfAnEnsembleCoversByTheMeanOfTheWeightsThatThereAre) {
  for (const ModelConfig& other : {tiny_transformer(), tiny_rnn_with("test_running")}) {
    const Models models = {random_model(tiny_rnn(), kVocabulary, 1),
                           random_model(other, kVocabulary, 2)};
    SearchConfig config = exhaustive_config(80, 10, 3);
    config.coverage_penalty = 0.5;
    const auto found = search(models, {{4, 6}}, config);
    expect_equal(found[0],
                 ranked_with_coverage(models, {4, 6}, enumerate(models, {4, 6}, 3), 1, 0.5));
  }
}

// Each hypothesis is scored with its own attention weights while others join and leave the batch.
TEST(BeamSearch, KeepsTheCoverageOfEachHypothesis) {
  for (const Kind& kind : kinds_with_weights()) {
    SCOPED_TRACE(kind.name);
    const Models models = {random_model(kind.config, 25, 21)};
    const std::vector<Ids> sources = random_sentences(17, 6, 25, 22);
    SearchConfig config = config_of(5, 5);
    config.coverage_penalty = 0.7;
    const auto found = search(models, sources, config);
    for (size_t i = 0; i < sources.size(); ++i) {
      for (const Hypothesis& hypothesis : found[i]) {
        const double coverage = coverages(models, sources[i], {hypothesis.ids})[0];
        const double tokens = static_cast<double>(hypothesis.ids.size()) + 1;
        EXPECT_NEAR(hypothesis.score,
                    hypothesis.log_probability / ((5 + tokens) / 6) + 0.7 * coverage, 1e-9);
      }
    }
  }
}

bool repeats_a_pair(const Ids& ids) {
  std::set<std::pair<int32_t, int32_t>> seen;
  for (size_t i = 0; i + 1 < ids.size(); ++i) {
    if (!seen.insert({ids[i], ids[i + 1]}).second) return true;
  }
  return false;
}

TEST(BeamSearch, FindsWhatEnumerationFindsAmongTheTargetsThatRepeatNoPair) {
  holds({"--no-repeat-ngram", "search.no_repeat_ngram"});
  const std::vector<Ids> sources = {{4, 5, 6}, {6}};
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const Models models = {random_model(kind.config, kVocabulary, 11)};
    SearchConfig config = exhaustive_config(260, 20, 4);
    config.length_penalty = 0;
    config.no_repeat_ngram = 2;
    const auto found = search(models, sources, config);
    for (size_t i = 0; i < sources.size(); ++i) {
      std::vector<Scored> all = enumerate(models, sources[i], 4);
      std::erase_if(all, [](const Scored& target) { return repeats_a_pair(target.ids); });
      const std::vector<Scored> expected = ranked(all, 0);
      ASSERT_EQ(found[i].size(), 20);
      for (size_t k = 0; k < 20; ++k) {
        EXPECT_EQ(found[i][k].ids, expected[k].ids) << "sentence " << i << " rank " << k;
        EXPECT_NEAR(found[i][k].log_probability, expected[k].log_probability, 1e-9);
      }
    }
  }
}

TEST(BeamSearch, OfAnEnsembleIsThatOfTheMeanOfProbabilities) {
  const Models models = {random_model(tiny_rnn(), kVocabulary, 1),
                         random_model(tiny_transformer(), kVocabulary, 2)};
  const auto found = search(models, {{4, 6}}, exhaustive_config(80, 10, 3));
  const std::vector<Scored> expected = ranked(enumerate(models, {4, 6}, 3), 1);
  for (size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(found[0][k].ids, expected[k].ids);
    EXPECT_NEAR(found[0][k].log_probability, expected[k].log_probability, 1e-9);
  }
}

TEST(BeamSearch, OfTwiceTheSameModelIsThatOfOne) {
  const auto model = random_model(tiny_rnn(), 30, 4);
  const std::vector<Ids> sources = random_sentences(9, 8, 30, 3);
  const auto once = search({model}, sources, config_of(4));
  const auto twice = search({model, model}, sources, config_of(4));
  for (size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i][0].ids, twice[i][0].ids);
    EXPECT_NEAR(once[i][0].log_probability, twice[i][0].log_probability, 1e-9);
  }
}

TEST(BeamSearch, OfBeamOneIsStepwiseArgmax) {
  holds({"--beam", "search.beam"});
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const Models models = {random_model(kind.config, 20, 5)};
    const std::vector<Ids> sources = random_sentences(5, 5, 20, 8);
    SearchConfig config = config_of(1);
    config.max_length_ratio = 1;
    config.max_length_extra = 3;
    const auto found = search(models, sources, config);
    for (size_t i = 0; i < sources.size(); ++i) {
      Ids expected;
      const size_t most = sources[i].size() + 3;
      while (expected.size() < most) {
        Tensor last = all_log_probs(models, {sources[i]}, {expected})[0][-1].clone();
        last[kPad] = last[kBegin] = -std::numeric_limits<double>::infinity();
        const auto best = static_cast<int32_t>(last.argmax().item<int64_t>());
        if (best == kEnd) break;
        expected.push_back(best);
      }
      EXPECT_EQ(found[i][0].ids, expected) << "sentence " << i;
      EXPECT_EQ(found[i][0].finished, expected.size() < most);
    }
  }
}

// The log-probability of a hypothesis, summed step by step while others join and leave the batch,
// equals that of its ids alone, computed at once.
TEST(BeamSearch, KeepsTheStateOfEachHypothesis) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const Models models = {random_model(kind.config, 25, 21)};
    const std::vector<Ids> sources = random_sentences(17, 6, 25, 22);
    const auto found = search(models, sources, config_of(5, 5));
    std::vector<Ids> repeated, targets;
    std::vector<double> expected;
    for (size_t i = 0; i < sources.size(); ++i) {
      for (const Hypothesis& hypothesis : found[i]) {
        repeated.push_back(sources[i]);
        targets.push_back(hypothesis.ids);
        expected.push_back(hypothesis.log_probability);
      }
    }
    EXPECT_GT(targets.size(), 4 * sources.size());
    const auto scores = score(models, sources_of(repeated), targets);
    for (size_t i = 0; i < targets.size(); ++i)
      EXPECT_NEAR(scores[i].log_probability, expected[i], 1e-9);
  }
}

std::vector<Hypothesis> search_in_batches(const Models& models, const std::vector<Ids>& sentences,
                                          const std::vector<size_t>& order, size_t size,
                                          double coverage_penalty) {
  std::vector<Hypothesis> best(sentences.size());
  for (size_t begin = 0; begin < order.size(); begin += size) {
    const size_t end = std::min(order.size(), begin + size);
    std::vector<Ids> batch;
    for (size_t i = begin; i < end; ++i) batch.push_back(sentences[order[i]]);
    SearchConfig config = config_of(4);
    config.max_length_ratio = 1;
    config.max_length_extra = 3;
    config.coverage_penalty = coverage_penalty;
    const auto found = search(models, batch, config);
    for (size_t i = begin; i < end; ++i) best[order[i]] = found[i - begin][0];
  }
  return best;
}

void expect_independence(const Kind& kind, torch::ScalarType type, double tolerance,
                         double coverage_penalty = 0) {
  SCOPED_TRACE(kind.name);
  const std::vector<Ids> sentences = random_sentences(64, 9, 40, 31);
  std::vector<size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<size_t> shuffled = order;
  RandomStream random(9);
  shuffle(shuffled.begin(), shuffled.end(), random);
  const Models models = {random_model(kind.config, 40, 33, type)};
  const auto alone = search_in_batches(models, sentences, order, 1, coverage_penalty);
  for (const size_t size : {7, 64}) {
    for (const auto& sequence : {order, shuffled}) {
      const auto together = search_in_batches(models, sentences, sequence, size, coverage_penalty);
      for (size_t i = 0; i < sentences.size(); ++i) {
        EXPECT_EQ(alone[i].ids, together[i].ids) << "sentence " << i;
        EXPECT_NEAR(alone[i].score, together[i].score, tolerance);
      }
    }
  }
}

TEST(SlowBeamSearch, DoesNotDependOnTheBatch) {
  for (const Kind& kind : kinds()) {
    expect_independence(kind, torch::kDouble, 1e-9);
    expect_independence(kind, torch::kFloat, 1e-4);
  }
}

TEST(BeamSearch, OfARecurrentModelDoesNotDependOnTheBatch) {
  expect_independence({"rnn", tiny_rnn()}, torch::kDouble, 1e-9);
}

TEST(BeamSearch, OfATransformerDoesNotDependOnTheBatch) {
  expect_independence({"transformer", tiny_transformer()}, torch::kFloat, 1e-4);
}

TEST(BeamSearch, WithACoveragePenaltyDoesNotDependOnTheBatch) {
  expect_independence({"rnn", tiny_rnn()}, torch::kDouble, 1e-9, 0.5);
  expect_independence({"transformer", tiny_transformer()}, torch::kFloat, 1e-4, 0.5);
}

TEST(BeamSearch, KeepsToTheLengths) {
  holds({"--max-length", "--min-length", "search.min_length"});
  const Models models = {random_model(tiny_rnn(), 20, 6)};
  const std::vector<Ids> sources = random_sentences(12, 6, 20, 7);
  SearchConfig config = config_of(3, 3);
  config.min_length = 4;
  config.max_length_ratio = 1;
  config.max_length_extra = 3;
  const auto found = search(models, sources, config);
  for (size_t i = 0; i < sources.size(); ++i) {
    for (const Hypothesis& hypothesis : found[i]) {
      EXPECT_GE(hypothesis.ids.size(), 4);
      EXPECT_LE(hypothesis.ids.size(), sources[i].size() + 3);
      EXPECT_EQ(hypothesis.finished, hypothesis.ids.size() < sources[i].size() + 3);
    }
  }
}

TEST(BeamSearch, OfSentencesThatEnterAndLeaveIsThatOfEachAlone) {
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const Models models = {random_model(kind.config, 25, 21)};
    const std::vector<Ids> sources = random_sentences(17, 6, 25, 22);
    const auto together = search(models, sources, config_of(4, 2), true, 5);
    for (size_t i = 0; i < sources.size(); ++i) {
      const auto alone = search(models, {sources[i]}, config_of(4, 2), true)[0];
      ASSERT_EQ(together[i].size(), alone.size());
      for (size_t k = 0; k < alone.size(); ++k) {
        EXPECT_EQ(together[i][k].ids, alone[k].ids) << "sentence " << i;
        EXPECT_NEAR(together[i][k].score, alone[k].score, 1e-9);
        ASSERT_EQ(together[i][k].attention.size(), alone[k].attention.size());
        for (size_t t = 0; t < alone[k].attention.size(); ++t) {
          EXPECT_THAT(together[i][k].attention[t],
                      testing::Pointwise(testing::FloatNear(1e-6F), alone[k].attention[t]));
        }
      }
    }
  }
}

// Requests with different settings, for one model and for two.
TEST(BeamSearch, OfDifferentRequestsIsThatOfEachAlone) {
  const auto one = random_model(tiny_transformer(), 25, 21), two = random_model(tiny_rnn(), 25, 22);
  std::vector<Request> requests;
  RandomStream random(5);
  for (const Ids& source : random_sentences(20, 6, 25, 23)) {
    Request& request = requests.emplace_back();
    request.source.sources = {source};
    request.config = config_of(1 + static_cast<int64_t>(random.below(5)));
    request.config.coverage_penalty = random.below(2) == 0 ? 0 : 0.3;
    if (random.below(2) == 0) request.prefix = {9, kUnknown, 5};
  }
  for (const Models& models : {Models{one}, Models{one, two}}) {
    const ModelEngine engine(models, {"source"});
    const auto together = search(engine, requests, 4);
    for (size_t i = 0; i < requests.size(); ++i) {
      const auto alone = search(engine, {requests[i]})[0];
      ASSERT_EQ(together[i].size(), alone.size());
      EXPECT_EQ(together[i][0].ids, alone[0].ids) << "sentence " << i;
      EXPECT_NEAR(together[i][0].score, alone[0].score, 1e-9);
      const Ids& prefix = requests[i].prefix;
      ASSERT_GE(alone[0].ids.size(), prefix.size());
      EXPECT_TRUE(std::equal(prefix.begin(), prefix.end(), alone[0].ids.begin()));
    }
  }
}

TEST(BeamSearch, RefusesAPrefixBehindTheVocabulary) {
  const ModelEngine engine({random_model(tiny_rnn(), 9, 1)}, {"source"});
  Request request;
  request.source.sources = {{4, 5}};
  request.prefix = {9};
  EXPECT_THROW(search(engine, {request}), InternalError);
}

TEST(BeamSearch, GivesTheNBestSortedAndDifferent) {
  holds({"--nbest"});
  const Models models = {random_model(tiny_transformer(), 20, 6)};
  const auto found = search(models, random_sentences(10, 6, 20, 7), config_of(6, 6));
  for (const auto& best : found) {
    ASSERT_EQ(best.size(), 6);
    std::set<Ids> different;
    for (size_t k = 0; k < best.size(); ++k) {
      different.insert(best[k].ids);
      EXPECT_GE(best[k > 0 ? k - 1 : 0].score, best[k].score);
    }
    EXPECT_EQ(different.size(), 6);
  }
}

TEST(BeamSearch, ProducesUnknownOnlyIfAllowed) {
  const Models models = {random_model(tiny_rnn(), 6, 2)};
  prefer(*models[0], kUnknown, 6);
  const std::vector<Ids> sources = random_sentences(20, 6, 6, 1);
  SearchConfig config = config_of(4);
  config.min_length = 2;
  const auto count_unknown = [&] {
    int64_t count = 0;
    for (const auto& best : search(models, sources, config))
      count += std::count(best[0].ids.begin(), best[0].ids.end(), kUnknown);
    return count;
  };
  EXPECT_GT(count_unknown(), 0);
  config.allow_unknown = false;
  EXPECT_EQ(count_unknown(), 0);
}

// The attention of a hypothesis equals that of one pass over all its tokens.
TEST(BeamSearch, GivesTheAttentionOfEachHypothesis) {
  holds({"--attention"});
  for (const ModelConfig& model_config :
       {tiny_rnn(), tiny_rnn_with("test_fading"), tiny_transformer()}) {
    const auto model = random_model(model_config, 25, 12);
    const std::vector<Ids> sources = random_sentences(9, 7, 25, 13);
    const auto found = search({model}, sources, config_of(4, 2), true);
    const torch::NoGradGuard no_grad;
    Pass pass;
    pass.keep_weights = true;
    for (size_t i = 0; i < sources.size(); ++i) {
      for (const Hypothesis& hypothesis : found[i]) {
        State state = model->start(sources_of({sources[i]}), pass);
        const Step step = model->advance(target_batch({hypothesis.ids}, torch::kCPU).inputs, state);
        const Tensor expected = alignment_of(step)->weights.mean(1)[0];  // [T,S]
        ASSERT_EQ(hypothesis.attention.size(), hypothesis.ids.size() + 1);
        for (size_t t = 0; t < hypothesis.attention.size(); ++t) {
          ASSERT_EQ(hypothesis.attention[t].size(), sources[i].size() + 1);
          for (size_t s = 0; s < hypothesis.attention[t].size(); ++s) {
            const auto weight = expected[static_cast<int64_t>(t)][static_cast<int64_t>(s)];
            EXPECT_NEAR(hypothesis.attention[t][s], weight.item<double>(), 1e-6);
          }
        }
      }
    }
  }
}

TEST(BeamSearch, GivesNoAttentionUnlessAskedOrWhereThereIsNone) {
  const std::vector<Ids> sources = {{4, 5}};
  const auto unasked = search({random_model(tiny_rnn(), 9, 1)}, sources, config_of(2));
  EXPECT_TRUE(unasked[0][0].attention.empty());
  const ModelConfig none = tiny_rnn_with("test_running");
  EXPECT_TRUE(
      search({random_model(none, 9, 1)}, sources, config_of(2), true)[0][0].attention.empty());
}

TEST(BeamSearch, RefusesAModelOfNaN) {
  const auto model = random_model(tiny_rnn(), 9, 1);
  const torch::NoGradGuard no_grad;
  model->parameters()[0].fill_(std::nan(""));
  for (const auto& run :
       std::vector<std::function<void()>>{[&] {
                                            search({model}, {{4, 5}}, config_of(2));
                                          },
                                          [&] {
                                            score({model}, sources_of({{4, 5}}), {{4}});
                                          }}) {
    try {
      run();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModel);
    }
  }
}

TEST(BeamSearch, OfNoSentenceIsNothing) {
  const auto model = random_model(tiny_rnn(), 9, 1);
  EXPECT_TRUE(search({model}, {}, config_of(2)).empty());
}

TEST(BeamSearch, FindsOnAGpuWhatItFindsOnTheProcessor) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  for (const auto& [name, config] : kinds()) {
    SCOPED_TRACE(name);
    const auto model = random_model(config, 20, 5);
    const auto sentences = random_sentences(12, 9, 20, 3);
    const auto expected = search({model}, sentences, config_of(4, 4), true);
    model->to(torch::kCUDA);
    const auto found = search({model}, sentences, config_of(4, 4), true);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].size(), expected[i].size());
      for (size_t n = 0; n < found[i].size(); ++n) {
        EXPECT_EQ(found[i][n].ids, expected[i][n].ids);
        EXPECT_NEAR(found[i][n].score, expected[i][n].score, 1e-9);
        ASSERT_EQ(found[i][n].attention.size(), expected[i][n].attention.size());
      }
    }
  }
}

TEST(Scoring, IsTheSumOverTheTokensAndTheEnd) {
  holds({"--source", "--target"});
  const Models models = {random_model(tiny_rnn(), 20, 3), random_model(tiny_transformer(), 20, 4)};
  const std::vector<Ids> sources = {{4, 5, 6}, {7}}, targets = {{}, {8, 9, 10}};
  const auto scores = score(models, sources_of(sources), targets);
  const Tensor log_probs = all_log_probs(models, sources, targets);
  EXPECT_EQ(scores[0].log_probabilities.size(), 1);
  EXPECT_NEAR(scores[0].log_probability, log_probs[0][0][kEnd].item<double>(), 1e-9);
  const Ids with_end = {8, 9, 10, kEnd};
  ASSERT_EQ(scores[1].log_probabilities.size(), 4);
  double sum = 0;
  for (int64_t t = 0; t < 4; ++t) {
    const double expected = log_probs[1][t][with_end[t]].item<double>();
    EXPECT_NEAR(scores[1].log_probabilities[t], expected, 1e-9);
    sum += expected;
  }
  EXPECT_NEAR(scores[1].log_probability, sum, 1e-9);
}

}  // namespace
}  // namespace heed
