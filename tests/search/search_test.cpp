// Search over an engine that is a table of probabilities, compared with enumeration; sentences
// alone and with others that enter and leave.
#include "search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "holds.h"
#include "search/table_engine.h"

namespace heed {
namespace {

constexpr int32_t kLetterA = kSpecials, kLetterB = kSpecials + 1;

// All targets of at most `longest` tokens, best first.
struct Scored {
  Ids ids;
  double log_probability;
};
std::vector<Scored> enumerate(int32_t source, size_t longest) {
  std::vector<Ids> targets = {{}};
  std::vector<Scored> scored;
  for (size_t i = 0; i < targets.size(); ++i) {
    const Ids ids = targets[i];
    double sum = 0;
    for (size_t t = 0; t <= ids.size(); ++t) {
      sum += Table()(source, t + 1, t == 0 ? kBegin : ids[t - 1], t < ids.size() ? ids[t] : kEnd);
    }
    scored.push_back({ids, sum});
    for (const int32_t id : {kUnknown, kSpecials, kSpecials + 1, kSpecials + 2}) {
      if (ids.size() == longest) continue;
      targets.push_back(ids);
      targets.back().push_back(id);
    }
  }
  std::sort(scored.begin(), scored.end(),
            [](const Scored& a, const Scored& b) { return a.log_probability > b.log_probability; });
  return scored;
}

// Beam and patience are large enough to miss no target of four tokens.
SearchConfig exhaustive(int64_t nbest = 5) {
  SearchConfig config;
  config.beam = 400;
  config.nbest = nbest;
  config.length_penalty = 0;
  config.max_length_ratio = 0;
  config.max_length_extra = 4;
  config.patience = 100;
  return config;
}

SearchConfig narrow(int64_t beam) {
  SearchConfig config;
  config.beam = beam;
  config.nbest = std::min<int64_t>(beam, 2);
  return config;
}

void expect_equal(const std::vector<Hypothesis>& found, const std::vector<Hypothesis>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].ids, expected[k].ids);
    EXPECT_EQ(found[k].log_probability, expected[k].log_probability);
    EXPECT_EQ(found[k].score, expected[k].score);
    EXPECT_EQ(found[k].finished, expected[k].finished);
    EXPECT_EQ(found[k].attention, expected[k].attention);
  }
}

std::vector<Hypothesis> alone(const Request& request) {
  return search(FakeEngine(), {request}).front();
}

TEST(Search, FindsWhatEnumerationFinds) {
  for (const int32_t source : {4, 5, 6}) {
    const auto found = alone({.source = sentence(source), .config = exhaustive()});
    const auto expected = enumerate(source, 4);
    ASSERT_EQ(found.size(), 5);
    for (size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(found[k].ids, expected[k].ids);
      EXPECT_NEAR(found[k].log_probability, expected[k].log_probability, 1e-12);
    }
  }
}

TEST(Search, APrefixIsHowTheBestOfAllThatBeginSoBegins) {
  const Ids prefix = {kSpecials + 2, kUnknown};
  SearchConfig config = exhaustive();
  config.allow_unknown = false;
  const auto found = alone({.source = sentence(4), .config = config, .prefix = prefix});
  std::vector<Scored> expected = enumerate(4, 4);
  std::erase_if(expected, [&](const Scored& target) {
    return target.ids.size() < 2 || !std::equal(prefix.begin(), prefix.end(), target.ids.begin()) ||
           std::count(target.ids.begin() + 2, target.ids.end(), kUnknown) > 0;
  });
  ASSERT_EQ(found.size(), 5);
  for (size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].ids, expected[k].ids);
    EXPECT_NEAR(found[k].log_probability, expected[k].log_probability, 1e-12);
  }
}

// log p of tokens [begin, end) of a target with kEnd.
double log_probability_of(int32_t source, const Ids& ids, size_t begin, size_t end) {
  double sum = 0;
  for (size_t t = begin; t < end; ++t)
    sum += Table()(source, t + 1, t == 0 ? kBegin : ids[t - 1], t < ids.size() ? ids[t] : kEnd);
  return sum;
}

// score = log p(chosen tokens) / penalty(length), so that an improbable prefix does not favour long
// translations.
TEST(Search, APrefixHasNoPartInTheScore) {
  for (const LengthNormalization normalization :
       {LengthNormalization::kPlain, LengthNormalization::kGnmt}) {
    for (const Ids& prefix : {Ids{kSpecials + 2}, Ids{kUnknown, kSpecials}, Ids{4, 4, 4}}) {
      SearchConfig config = exhaustive();
      config.length_penalty = 1;
      config.length_normalization = normalization;
      std::vector<std::pair<double, Ids>> expected;
      for (const Scored& target : enumerate(4, 4)) {
        if (target.ids.size() < prefix.size() ||
            !std::equal(prefix.begin(), prefix.end(), target.ids.begin()))
          continue;
        const auto length = static_cast<double>(target.ids.size() + 1);
        const double penalty =
            normalization == LengthNormalization::kPlain ? length : (5 + length) / 6;
        const double own = log_probability_of(4, target.ids, prefix.size(), target.ids.size() + 1);
        expected.emplace_back(own / penalty, target.ids);
      }
      std::ranges::sort(expected, std::greater());
      const auto found = alone({.source = sentence(4), .config = config, .prefix = prefix});
      ASSERT_EQ(found.size(), 5);
      for (size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].ids, expected[k].second);
        EXPECT_NEAR(found[k].score, expected[k].first, 1e-9);
        EXPECT_NEAR(found[k].log_probability,
                    log_probability_of(4, found[k].ids, 0, found[k].ids.size() + 1), 1e-12);
      }
    }
  }
}

// Samples and groups of a diverse beam use the same definition of the score, also if the search is
// stopped inside the prefix.
TEST(Search, APrefixHasNoPartInAnyScore) {
  const Ids prefix = {kUnknown, kSpecials};
  Request request{.source = sentence(4), .config = narrow(4), .prefix = prefix};
  request.config.length_penalty = 1;
  request.config.length_normalization = LengthNormalization::kPlain;
  const auto expect_scores = [&](const char* what) {
    for (const Hypothesis& one : alone(request)) {
      const size_t tokens = one.ids.size() + (one.finished ? 1 : 0);
      const double own = log_probability_of(4, one.ids, prefix.size(), tokens);
      EXPECT_NEAR(one.score, own / static_cast<double>(tokens), 1e-6) << what;
    }
  };
  request.config.max_length_extra = 100;
  expect_scores("beam");
  request.config.diversity_groups = 2;
  expect_scores("groups");
  request.config.diversity_groups = 1;
  request.config.sampling = SamplingOptions{};
  expect_scores("samples");
  request.config.sampling.reset();
  request.follow = [&](const Hypothesis& best) {
    EXPECT_EQ(best.score, 0);
    return false;
  };
  EXPECT_EQ(alone(request).front().score, 0);
}

// Given tokens of a prefix have probability 1, later tokens their own.
TEST(Search, GivenTokensCostNothing) {
  const Ids prefix = {kSpecials + 2, kSpecials + 1};
  const auto scored = alone({.source = sentence(4), .config = exhaustive(), .prefix = prefix});
  const auto found =
      alone({.source = sentence(4), .config = exhaustive(), .prefix = prefix, .given = 1});
  ASSERT_EQ(found.size(), scored.size());
  ASSERT_GT(found.size(), 1);
  for (size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].ids, scored[k].ids);
    const double first = scored[k].log_probabilities.at(0);
    EXPECT_LT(first, -1e-3);
    EXPECT_EQ(found[k].log_probabilities.at(0), 0);
    EXPECT_NEAR(found[k].log_probabilities.at(1), scored[k].log_probabilities.at(1), 1e-12);
    EXPECT_NEAR(found[k].log_probability, scored[k].log_probability - first, 1e-9);
  }
}

TEST(Search, APrefixMayBeLongerThanTheMaximum) {
  SearchConfig config = narrow(2);
  config.max_length_ratio = 0;
  config.max_length_extra = 1;
  const Ids prefix = {4, 5, 6};
  EXPECT_EQ(alone({.source = sentence(4), .config = config, .prefix = prefix})[0].ids, prefix);
}

TEST(Search, ConstraintsCompose) {
  holds({"search.allow_unknown"});
  SearchConfig config = exhaustive(20);
  config.min_length = 2;
  config.no_repeat_ngram = 1;
  config.allow_unknown = false;
  std::vector<Scored> expected = enumerate(5, 4);
  std::erase_if(expected, [](const Scored& target) {
    Ids sorted = target.ids;
    std::sort(sorted.begin(), sorted.end());
    return target.ids.size() < 2 || std::ranges::adjacent_find(sorted) != sorted.end() ||
           std::ranges::count(sorted, kUnknown) > 0;
  });
  const auto found = alone({.source = sentence(5), .config = config});
  ASSERT_EQ(found.size(), expected.size());
  for (size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].ids, expected[k].ids);
}

TEST(Search, SuppressedTokensAreMissingFromAllThatIsFound) {
  holds({"search.suppress_tokens", "search.begin_suppress_tokens"});
  const Request request{.source = sentence(5),
                        .config = exhaustive(100),
                        .suppressed = {.always = {kLetterA}, .first = {kEnd, kLetterB}}};
  std::vector<Scored> expected = enumerate(5, 4);
  std::erase_if(expected, [](const Scored& target) {
    return std::ranges::count(target.ids, kLetterA) > 0 || target.ids.empty() ||
           target.ids[0] == kLetterB;
  });
  const auto found = alone(request);
  ASSERT_EQ(found.size(), std::min<size_t>(100, expected.size()));
  for (size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].ids, expected[k].ids);
}

TEST(Search, SuppressesTheFirstTokenBehindAPrefix) {
  for (int32_t source = 4; source < 20; ++source) {
    const auto found = alone({.source = sentence(source),
                              .config = exhaustive(30),
                              .prefix = {kLetterA, kLetterB},
                              .suppressed = {.always = {kLetterA}, .first = {kEnd, kLetterB}}});
    std::vector<Scored> expected = enumerate(source, 4);
    std::erase_if(expected, [](const Scored& target) {
      const Ids& ids = target.ids;
      return ids.size() < 3 || ids[0] != kLetterA || ids[1] != kLetterB || ids[2] == kLetterB ||
             std::count(ids.begin() + 2, ids.end(), kLetterA) > 0;
    });
    ASSERT_EQ(found.size(), std::min<size_t>(30, expected.size()));
    for (size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].ids, expected[k].ids);
  }
}

// min_length counts the tokens of a prefix; min_new_tokens does not.
TEST(Search, NewTokensAreThoseBehindAPrefix) {
  holds({"search.min_new_tokens"});
  const Ids prefix = {kSpecials, kSpecials + 1};
  for (const auto& [new_tokens, length, shortest] :
       {std::tuple{0, 3, 3}, {1, 0, 3}, {1, 4, 4}, {2, 3, 4}, {3, 0, 5}}) {
    SearchConfig config = exhaustive(100);
    config.min_new_tokens = new_tokens;
    config.min_length = length;
    std::vector<Scored> expected = enumerate(6, std::max(4, shortest));
    std::erase_if(expected, [&, least = static_cast<size_t>(shortest)](const Scored& target) {
      return target.ids.size() < least ||
             !std::equal(prefix.begin(), prefix.end(), target.ids.begin());
    });
    const auto found = alone({.source = sentence(6), .config = config, .prefix = prefix});
    ASSERT_EQ(found.size(), std::min<size_t>(100, expected.size())) << new_tokens << length;
    for (size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].ids, expected[k].ids);
  }
}

// Requests that differ in all settings.
std::vector<Request> requests() {
  std::vector<Request> list;
  RandomStream random(3);
  for (int32_t i = 0; i < 40; ++i) {
    Request request{.source = sentence(4 + i), .config = narrow(1 + random.below(5))};
    request.config.coverage_penalty = random.below(2) == 0 ? 0 : 0.3;
    request.config.max_length_extra = static_cast<int64_t>(random.below(12)) + 1;
    request.attention = random.below(2) == 0;
    if (random.below(3) == 0) request.prefix = {5};
    request.config.diversity_groups = static_cast<int64_t>(random.below(3)) + 1;
    list.push_back(request);
  }
  return list;
}

TEST(Search, SentencesThatEnterAndLeaveFindWhatTheyFindAlone) {
  for (const int64_t room : {1, 3, 8, 1000}) {
    FakeEngine engine;
    const auto found = search(engine, requests(), room);
    ASSERT_EQ(found.size(), 40);
    for (size_t i = 0; i < found.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "room " << room << ", sentence " << i);
      expect_equal(found[i], alone(requests()[i]));
    }
    EXPECT_LE(engine.calls.most_rows, 5 * room);
    EXPECT_EQ(engine.calls.joins > 0, room == 3 || room == 8);
    EXPECT_EQ(engine.calls.starts == 1, room == 1000);
  }
}

// Beams, groups, prefixes and samples of a search that penalizes repetitions equal those of an
// engine whose log-probabilities are penalized.
TEST(Search, ARepetitionPenaltyIsThatOfItsDefinition) {
  holds({"search.repetition_penalty"});
  constexpr double kTheta = 1.7;
  const FakeEngine usual;
  FakeEngine penalized;
  penalized.table.theta = kTheta;
  std::vector<Request> expected = requests();
  for (size_t i = 0; i < expected.size(); ++i) {
    if (i % 4 != 3) continue;
    expected[i].config.sampling = SamplingOptions{.temperature = 0.7, .top_k = i % 8 == 3 ? 3 : 0};
    expected[i].config.coverage_penalty = 0;
    expected[i].number = static_cast<int64_t>(i);
  }
  for (int32_t source = 50; source < 70; ++source) {
    Request& phrases = expected.emplace_back();
    phrases.source = sentence(source);
    phrases.config = narrow(1 + source % 4);
    phrases.phrases = {{kSpecials, kSpecials + source % 3}};
  }
  std::vector<Request> own = expected;
  for (Request& request : own) request.config.repetition_penalty = kTheta;
  const auto wanted = search(penalized, expected, 9), found = search(usual, own, 9),
             without = search(usual, expected, 9);
  int64_t changed = 0;
  for (size_t i = 0; i < own.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(found[i].size(), wanted[i].size());
    for (size_t k = 0; k < found[i].size(); ++k) {
      EXPECT_EQ(found[i][k].ids, wanted[i][k].ids);
      EXPECT_NEAR(found[i][k].log_probability, wanted[i][k].log_probability, 1e-5);
      EXPECT_NEAR(found[i][k].score, wanted[i][k].score, 1e-5);
    }
    changed += found[i][0].ids == without[i][0].ids ? 0 : 1;
  }
  EXPECT_GT(changed, 10);
}

// Sentences with another penalty, or without one, are in the same batch.
TEST(Search, ARepetitionPenaltyIsThatOfItsSentence) {
  auto mixed = requests();
  for (size_t i = 0; i < mixed.size(); ++i)
    mixed[i].config.repetition_penalty = 1 + 0.5 * static_cast<double>(i % 3);
  const auto found = search(FakeEngine(), mixed, 8);
  for (size_t i = 0; i < mixed.size(); ++i) expect_equal(found[i], alone(mixed[i]));
}

// Takes the most probable token by the definition, with and without scores.
TEST(Search, GreedySearchWithARepetitionPenaltyTakesTheBestToken) {
  for (int32_t source = 0; source < 60; ++source) {
    const double theta = source % 2 == 0 ? 1.3 : 20;
    Ids ids = {kBegin};
    while (ids.size() <= 12) {
      std::vector<std::pair<double, int32_t>> order;
      for (const int32_t id : {kUnknown, kEnd, kSpecials, kSpecials + 1, kSpecials + 2})
        order.emplace_back(-PenalizedTable{theta}.log_probability(source, ids, id), id);
      const int32_t next = std::ranges::min(order).second;
      if (next == kEnd) break;
      ids.push_back(next);
    }
    ids.erase(ids.begin());
    Request request{.source = sentence(source), .config = narrow(1)};
    request.config.repetition_penalty = theta;
    request.config.max_length_ratio = 0;
    request.config.max_length_extra = 12;
    for (const bool scores : {true, false}) {
      request.scores = scores;
      EXPECT_EQ(alone(request)[0].ids, ids) << source;
    }
  }
}

TEST(SuppressedTokens, AreFoundInTheVocabularyOrNamed) {
  const Vocabulary target({"cat", "dog"});
  SearchConfig config;
  config.suppress_tokens = {"dog", "<unk>"};
  config.begin_suppress_tokens = {"</s>"};
  const SuppressedTokens found = suppressed_tokens(config, target);
  EXPECT_EQ(found.always, (Ids{kSpecials + 1, kUnknown}));
  EXPECT_EQ(found.first, Ids{kEnd});
  config.begin_suppress_tokens = {"cat", "cow", "hen"};
  EXPECT_ERROR(suppressed_tokens(config, target), ErrorKind::kUsage,
               "search.begin_suppress_tokens: the target vocabulary does not have 'cow', 'hen'");
}

TEST(Search, WithoutScoresFindsTheSameGreedily) {
  std::vector<Request> requests;
  for (int32_t source = 0; source < 60; ++source) {
    requests.push_back({.source = sentence(source), .config = narrow(1)});
    if (source % 3 == 0) requests.back().prefix = {kSpecials + 1};
    if (source % 3 == 1) requests.back().config.min_length = 4;
  }
  const FakeEngine with, without;
  const auto expected = search(with, requests, 7);
  EXPECT_EQ(with.calls.most_probable, 0);
  for (Request& request : requests) request.scores = false;
  const auto found = search(without, requests, 7);
  EXPECT_EQ(without.calls.most_probable, without.calls.steps);
  for (size_t i = 0; i < requests.size(); ++i) {
    ASSERT_EQ(found[i].size(), 1);
    EXPECT_EQ(found[i][0].ids, expected[i][0].ids) << i;
    EXPECT_EQ(found[i][0].finished, expected[i][0].finished);
  }
}

TEST(Search, WithoutScoresLeavesThoseOfOthersAlone) {
  std::vector<Request> requests;
  for (int32_t source = 0; source < 40; ++source) {
    const bool scores = source % 4 == 0;
    requests.push_back(
        {.source = sentence(source), .config = narrow(scores ? 2 : 1), .scores = scores});
  }
  const FakeEngine engine;
  const auto found = search(engine, requests, 5);
  EXPECT_GT(engine.calls.most_probable, 0);
  EXPECT_LT(engine.calls.most_probable, engine.calls.steps);
  for (size_t i = 0; i < requests.size(); ++i) {
    Request with_scores = requests[i];
    with_scores.scores = true;
    const auto expected = alone(with_scores);
    EXPECT_EQ(found[i][0].ids, expected[0].ids) << i;
    if (requests[i].scores) expect_equal(found[i], expected);
  }
}

// A less probable token may win in the end with these settings.
TEST(Search, WithoutScoresOfBeamsIsThatWithThem) {
  SearchConfig patient = narrow(1);
  patient.patience = 2;
  for (const SearchConfig& config : {narrow(3), patient}) {
    const FakeEngine engine;
    const auto found = search(engine, {{.source = sentence(5), .config = config, .scores = false}});
    EXPECT_EQ(engine.calls.most_probable, 0);
    expect_equal(found[0], alone({.source = sentence(5), .config = config}));
  }
}

TEST(Search, TakesRequestsWhileItRuns) {
  const FakeEngine engine;
  Search running(engine, 4, true);
  std::map<size_t, std::vector<Hypothesis>> found;
  const auto all = requests();
  for (size_t i = 0; i < 10; ++i) {
    running.add(all[i], [&found, i](auto best) { found[i] = std::move(best); });
    running.step();
  }
  while (running.step()) {
  }
  EXPECT_FALSE(running.step());
  ASSERT_EQ(found.size(), 10);
  for (size_t i = 0; i < 10; ++i) expect_equal(found[i], alone(all[i]));
}

TEST(Search, ShowsWhatItFoundSoFarAndStopsWhereItIsTold) {
  std::vector<Ids> seen;
  Request request{.source = sentence(4), .config = narrow(3)};
  request.config.min_length = 6;
  request.follow = [&seen](const Hypothesis& best) {
    seen.push_back(best.ids);
    return seen.size() < 4;
  };
  const auto found = alone(request);
  ASSERT_EQ(seen.size(), 4);
  for (size_t t = 0; t < seen.size(); ++t) EXPECT_EQ(seen[t].size(), t + 1);
  EXPECT_EQ(found[0].ids, seen.back());
  EXPECT_FALSE(found[0].finished);
}

// Without repetitions there are four tokens, fewer than the minimum length.
TEST(Search, SaysWhereNoTokenIsPossible) {
  Request request{.source = sentence(4), .config = narrow(3)};
  request.config.max_length_extra = 100;
  request.config.no_repeat_ngram = 1;
  request.config.min_length = 6;
  const auto expect_stuck = [&](const char* what) {
    for (const Hypothesis& one : alone(request)) {
      EXPECT_EQ(one.ids.size(), 4) << what;
      EXPECT_FALSE(one.finished) << what;
      EXPECT_TRUE(one.stuck) << what;
      EXPECT_FALSE(one.limited) << what;
    }
  };
  expect_stuck("beam");
  request.scores = false;
  request.config.beam = request.config.nbest = 1;
  expect_stuck("greedy");
  request.config.sampling = SamplingOptions{};
  expect_stuck("sample");
  request.config.sampling.reset();
  request.config.min_length = 0;
  EXPECT_FALSE(alone(request)[0].stuck);
  request.config.max_length_extra = request.config.min_length = 2;
  EXPECT_FALSE(alone(request)[0].stuck) << "cut at the maximum length";
}

// Finished hypotheses may be improbable; they are not returned if they are worse than the live
// ones.
TEST(Search, StopsWithTheBestThatItHasShown) {
  for (int32_t source = 4; source < 30; ++source) {
    Ids seen;
    Request request{.source = sentence(source), .config = narrow(4)};
    request.config.length_penalty = 2;
    request.config.patience = 10;
    int64_t calls = 0;
    request.follow = [&](const Hypothesis& best) {
      seen = best.ids;
      return ++calls < 3;
    };
    const auto found = alone(request);
    ASSERT_EQ(calls, 3);
    EXPECT_EQ(found[0].ids, seen) << "source " << source;
    EXPECT_EQ(found.size(), 2);
  }
}

TEST(Search, RefusesAPrefixThatIsNoText) {
  for (const int32_t id : {kPad, kBegin, kEnd, -1}) {
    EXPECT_THROW(alone({.source = sentence(4), .config = narrow(2), .prefix = {5, id}}),
                 InternalError);
  }
}

TEST(Search, GivesTheAttentionOfEachTokenToWhoAsked) {
  Request request{.source = sentence(4), .config = narrow(3)};
  EXPECT_TRUE(alone(request)[0].attention.empty());
  request.attention = true;
  const Hypothesis best = alone(request)[0];
  ASSERT_EQ(best.attention.size(), best.ids.size() + best.finished);
  int32_t before = kBegin;
  for (size_t t = 0; t < best.attention.size(); ++t) {
    const auto expected = Table::attention(4, before);
    for (size_t s = 0; s < 3; ++s) EXPECT_FLOAT_EQ(best.attention[t][s], expected[s]);
    if (t < best.ids.size()) before = best.ids[t];
  }
}

TEST(Search, OfNothingIsNothing) { EXPECT_TRUE(search(FakeEngine(), {}).empty()); }

// Requests of `count` sentences with `samples` samples each.
std::vector<Request> sampled(int64_t count, int64_t samples, const SamplingOptions& sampling = {}) {
  std::vector<Request> requests;
  for (int64_t i = 0; i < count; ++i) {
    Request& request = requests.emplace_back();
    request.source = sentence(static_cast<int32_t>(i));
    request.number = i;
    request.config.nbest = samples;
    request.config.sampling = sampling;
    request.config.max_length_extra = 4;
    request.config.max_length_ratio = 0;
  }
  return requests;
}

// Probability of the first token, from the table without kPad and kBegin, which are banned.
double probability_of_first(int32_t source, int32_t id) {
  double sum = 0;
  for (const int32_t other : {kUnknown, kEnd, kSpecials, kSpecials + 1, kSpecials + 2})
    sum += std::exp(Table()(source, 1, kBegin, other));
  return std::exp(Table()(source, 1, kBegin, id)) / sum;
}

TEST(Sampling, DrawsTokensAsOftenAsTheyAreProbable) {
  constexpr int64_t kSamples = 300;
  const auto found = search(FakeEngine(), sampled(3, kSamples));
  for (int32_t source = 0; source < 3; ++source) {
    std::map<int32_t, int64_t> counts;
    for (const Hypothesis& sample : found[source])
      ++counts[sample.ids.empty() ? kEnd : sample.ids[0]];
    ASSERT_EQ(found[source].size(), kSamples);
    for (const int32_t id : {kUnknown, kEnd, kSpecials, kSpecials + 1, kSpecials + 2}) {
      const double p = probability_of_first(source, id);
      const double deviation = std::sqrt(kSamples * p * (1 - p));
      EXPECT_NEAR(counts[id], kSamples * p, 4 * deviation + 1) << source << " " << id;
    }
  }
}

TEST(Sampling, GivesTheLogProbabilityOfTheModel) {
  const auto found = search(FakeEngine(), sampled(4, 5, {.temperature = 0.5, .top_k = 3}));
  for (int32_t source = 0; source < 4; ++source) {
    std::map<Ids, double> expected;
    for (const Scored& target : enumerate(source, 4)) expected[target.ids] = target.log_probability;
    for (const Hypothesis& sample : found[source])
      EXPECT_NEAR(sample.log_probability, expected.at(sample.ids), 1e-5);
  }
}

// Samples depend neither on the other sentences of the batch nor on the number of samples.
TEST(Sampling, OfASentenceDependsOnSeedAndNumberAlone) {
  const auto all = search(FakeEngine(), sampled(9, 3)),
             few = search(FakeEngine(), sampled(9, 3), 2),
             one = search(FakeEngine(), sampled(9, 1));
  const auto other = search(FakeEngine(), sampled(9, 3, {.seed = 2}));
  int64_t different = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(all[i][k].ids, few[i][k].ids);
      different += all[i][k].ids == other[i][k].ids ? 0 : 1;
    }
    EXPECT_EQ(all[i][0].ids, one[i][0].ids);
  }
  EXPECT_GT(different, 9);
}

TEST(Sampling, KeepsConstraintsAndPrefixes) {
  auto requests = sampled(20, 4);
  for (Request& request : requests) {
    request.prefix = {kSpecials + 1};
    request.config.min_length = 3;
    request.config.allow_unknown = false;
    request.config.no_repeat_ngram = 1;
  }
  for (const auto& samples : search(FakeEngine(), requests)) {
    for (const Hypothesis& sample : samples) {
      ASSERT_EQ(sample.ids.size(), 3u);
      EXPECT_EQ(sample.ids[0], kSpecials + 1);
      EXPECT_EQ(std::set<int32_t>(sample.ids.begin(), sample.ids.end()).size(), 3u);
      EXPECT_EQ(std::ranges::count(sample.ids, kUnknown), 0);
    }
  }
}

// If the constraints leave no token, a hypothesis ends without </s>.
TEST(Sampling, EndsWhereNoTokenIsPossible) {
  auto requests = sampled(5, 2);
  for (Request& request : requests) {
    request.config.no_repeat_ngram = 1;
    request.config.min_length = 30;
    request.config.max_length_extra = 40;
  }
  for (const auto& samples : search(FakeEngine(), requests)) {
    for (const Hypothesis& sample : samples) {
      EXPECT_EQ(sample.ids.size(), 4u);  // kUnknown and three letters
      EXPECT_FALSE(sample.finished);
    }
  }
}

// Beam search of other sentences gives the same as without sampling.
TEST(Sampling, LeavesOtherSentencesAlone) {
  auto requests = sampled(6, 2);
  for (size_t i = 0; i < requests.size(); i += 2) requests[i].config.sampling.reset();
  auto beams = requests;
  for (Request& request : beams) request.config.sampling.reset();
  const auto mixed = search(FakeEngine(), requests), alone = search(FakeEngine(), beams);
  for (size_t i = 0; i < mixed.size(); i += 2) {
    ASSERT_EQ(mixed[i].size(), alone[i].size());
    EXPECT_EQ(mixed[i][0].ids, alone[i][0].ids);
  }
}

}  // namespace
}  // namespace heed
