// Lexical constraints: phrases in a hypothesis compared with a search over all ways to choose
// occurrences, and constrained beam search compared with enumeration over a table of probabilities.
#include "search/constrained_beam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "holds.h"
#include "search/phrases.h"
#include "search/search.h"
#include "search/table_engine.h"

namespace heed {
namespace {

constexpr int32_t kA = kSpecials, kB = kSpecials + 1, kC = kSpecials + 2;

int64_t met(std::vector<Ids> phrases, const Ids& target) {
  return Phrases(required(phrases)).met(target);
}

TEST(Phrases, AreMetWhereTheyOccur) {
  EXPECT_EQ(met({{kA}}, {}), 0);
  EXPECT_EQ(met({{kA}}, {kB, kA}), 1);
  EXPECT_EQ(met({{kA}, {kA}}, {kB, kA}), 1) << "each as often as it is given";
  EXPECT_EQ(met({{kA}, {kA}}, {kA, kA}), 2);
  EXPECT_EQ(met({{kA, kB, kC}}, {kA, kB}), 2) << "the beginning of one at the end";
  EXPECT_EQ(met({{kA, kB, kC}}, {kA, kB, kA}), 1);
  EXPECT_EQ(met({{kA, kB, kC}}, {kA, kB, kB}), 0);
  EXPECT_EQ(met({{kA, kA, kB}}, {kA, kA, kA}), 2);
  EXPECT_EQ(met({{kA, kB}, {kB, kC}}, {kA, kB, kC}), 2) << "occurrences do not overlap";
  EXPECT_EQ(met({{kA, kB}, {kB, kC}}, {kA, kB, kB, kC}), 4);
  EXPECT_EQ(met({{kA, kB}, {kA}}, {kA, kB}), 2) << "the longest first";
  EXPECT_EQ(met({{kA, kB}, {kA}}, {kA, kB, kA}), 3);
  EXPECT_EQ(met({{kA, kB, kA}, {kB}}, {kA, kB}), 2) << "part of the longer one";
  EXPECT_EQ(met({{kA, kB, kA}, {kB}}, {kA, kB, kC}), 1) << "which ended";
  EXPECT_EQ(met({{kA, kB, kA}, {kB}}, {kA, kB, kA, kB}), 4);
}

int64_t met_in_forms(std::vector<std::vector<Ids>> phrases, const Ids& target) {
  std::vector<RequiredPhrase> all;
  for (std::vector<Ids>& forms : phrases) all.emplace_back(std::move(forms));
  return Phrases(std::move(all)).met(target);
}

TEST(Phrases, AreMetByAnyOfTheirForms) {
  EXPECT_EQ(met_in_forms({{{kA}, {kB, kC}}}, {}), 0);
  EXPECT_EQ(met_in_forms({{{kA}, {kB, kC}}}, {kA}), 1);
  EXPECT_EQ(met_in_forms({{{kA}, {kB, kC}}}, {kB, kC}), 1) << "as the shortest";
  EXPECT_EQ(met_in_forms({{{kA}, {kB, kC}}}, {kB}), 0) << "one is still to go";
  EXPECT_EQ(met_in_forms({{{kA, kA}, {kB, kC}}}, {kB}), 1);
  EXPECT_EQ(met_in_forms({{{kA}, {kA, kB}}}, {kA}), 1) << "at the end, too";
  EXPECT_EQ(met_in_forms({{{kA}, {kA, kB}}, {{kB}}}, {kA, kB}), 2);
  EXPECT_EQ(met_in_forms({{{kA}, {kB}}, {{kA}, {kB}}}, {kA, kC, kA}), 2) << "each phrase once";
  EXPECT_EQ(met_in_forms({{{kA}, {kB}}, {{kA}}}, {kB}), 1);
}

TEST(Phrases, AreNotMetByTheBeginningOfALongerWord) {
  // kC extends a word that ends before it.
  std::vector<bool> open_start(kC + 1), open_end(kC + 1, true);
  open_start[kC] = true;
  const Phrases phrases({{kA}, {kA, kB}},
                        std::make_shared<const WordJoins>(WordJoins{open_start, open_end, {}}));
  EXPECT_EQ(phrases.met({kA, kC}), 0);
  EXPECT_EQ(phrases.met({kA, kC, kA}), 1);
  EXPECT_EQ(phrases.met({kA, kB, kC}), 1) << "the first alone";
  EXPECT_EQ(phrases.met({kA, kB, kC, kA, kB, kA}), 3);
  EXPECT_EQ(phrases.met({kA, kB, kA, kC}), 2);
}

// Joins of a character vocabulary: kA and kB are letters, kC is the space.
std::shared_ptr<const WordJoins> characters() {
  std::vector<bool> letters(kC + 1);
  letters[kA] = letters[kB] = true;
  return std::make_shared<const WordJoins>(WordJoins{letters, letters, kC});
}

TEST(Phrases, AreWholeWordsOfCharacters) {
  const Phrases phrases({{kA, kB}}, characters());
  EXPECT_EQ(phrases.met({kA, kB}), 2);
  EXPECT_EQ(phrases.met({kB, kA, kB}), 0) << "the end of a longer word";
  EXPECT_EQ(phrases.met({kA, kB, kB}), 0) << "the beginning of one";
  EXPECT_EQ(phrases.met({kA, kA, kB, kB, kC, kA, kB, kC}), 2);
  EXPECT_EQ(phrases.of({kB}).next, Ids{kC}) << "a space first";
  EXPECT_EQ(phrases.of({kB, kC}).next, Ids{kA});
  EXPECT_EQ(phrases.of({kB, kA}).next, Ids{kC}) << "nothing is begun within a word";
}

// At least one of the offered tokens reduces the number of missing tokens.
TEST(Phrases, MissNoMoreThanWhatTheyOffer) {
  RandomStream draws(5);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto random_ids = [&](uint64_t most, uint64_t kinds) {
      Ids ids(1 + draws.below(most));
      for (int32_t& id : ids) id = kA + static_cast<int32_t>(draws.below(kinds));
      return ids;
    };
    std::vector<RequiredPhrase> list;
    for (uint64_t i = 0; i <= draws.below(3); ++i) {
      std::vector<Ids> forms;
      for (uint64_t k = 0; k <= draws.below(3) / 2; ++k) forms.push_back(random_ids(3, 2));
      list.emplace_back(std::move(forms));
    }
    const Phrases phrases(list, trial % 2 == 0 ? characters() : nullptr);
    Ids target = random_ids(6, 3);
    while (phrases.of(target).missing > 0) {
      const Phrases::Progress before = phrases.of(target);
      const bool one_less = std::ranges::any_of(before.next, [&](int32_t id) {
        Ids longer = target;
        longer.push_back(id);
        const bool is_less = phrases.of(longer).missing < before.missing;
        if (is_less) target = longer;
        return is_less;
      });
      std::vector<std::vector<Ids>> forms;
      for (const RequiredPhrase& phrase : list) forms.push_back(phrase.forms);
      ASSERT_TRUE(one_less) << trial << ": " << testing::PrintToString(forms) << " behind "
                            << testing::PrintToString(target);
    }
    EXPECT_EQ(phrases.met(target), phrases.tokens());
  }
}

// A target that grows, as in search, gives the same as one that is read from its beginning.
TEST(Phrases, AreReadOnFromWhereTheyEnded) {
  RandomStream random(7);
  const auto draw = [&] { return static_cast<int32_t>(kA + random.below(3)); };
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<RequiredPhrase> list(1 + random.below(4), {kA});
    for (RequiredPhrase& phrase : list) {
      phrase.forms.resize(1 + random.below(2));
      for (Ids& form : phrase.forms) {
        form.resize(1 + random.below(3));
        std::ranges::generate(form, draw);
      }
    }
    const auto joins = trial % 2 == 0 ? characters() : nullptr;
    const Phrases kept(list, joins);
    std::vector<Ids> beam(3);
    for (int step = 0; step < 12; ++step) {
      std::vector<Ids> next;
      for (int i = 0; i < 3; ++i) {
        Ids target = beam[random.below(3)];
        const Phrases::Progress before = kept.of(target);
        EXPECT_EQ(before.met, Phrases(list, joins).of(target).met);
        target.push_back(draw());
        const Phrases::Progress found = kept.of(target), fresh = Phrases(list, joins).of(target);
        EXPECT_EQ(found.met, fresh.met);
        EXPECT_EQ(found.missing, fresh.missing);
        EXPECT_EQ(found.next, fresh.next);
        next.push_back(std::move(target));
      }
      beam = std::move(next);
    }
  }
}

TEST(Phrases, OfferWhatBeginsOrContinuesThem) {
  const Phrases phrases({{kA, kB}, {kC}, {kB, kC}});
  const auto next = [&](const Ids& target) {
    const auto list = phrases.of(target).next;
    return std::set<int32_t>(list.begin(), list.end());
  };
  EXPECT_EQ(next({}), (std::set{kA, kB, kC}));
  EXPECT_EQ(next({kA}), (std::set{kA, kB, kC}));
  EXPECT_EQ(next({kA, kB}), (std::set{kB, kC}));
  EXPECT_EQ(next({kA, kB, kC, kB, kC}), std::set<int32_t>());
}

// Maximum number of phrase tokens in a target, over all ways to assign non-overlapping occurrences
// to the phrases.
int64_t most_covered(const Ids& target, const std::vector<Ids>& phrases, size_t begin,
                     std::set<size_t> used) {
  int64_t most = 0;
  for (size_t position = begin; position < target.size(); ++position) {
    for (size_t p = 0; p < phrases.size(); ++p) {
      if (used.contains(p) || position + phrases[p].size() > target.size() ||
          !std::equal(phrases[p].begin(), phrases[p].end(),
                      target.begin() + static_cast<ptrdiff_t>(position)))
        continue;
      std::set<size_t> more = used;
      more.insert(p);
      most = std::max(most, std::ssize(phrases[p]) +
                                most_covered(target, phrases, position + phrases[p].size(), more));
    }
  }
  return most;
}

// For random phrases: they are reported as met only if they occur, and one of the offered tokens
// always helps.
TEST(Phrases, AreAllMetByWhatTheyOffer) {
  RandomStream random(5);
  const auto draw = [&](uint64_t longest) {
    Ids ids(1 + random.below(longest));
    for (int32_t& id : ids) id = static_cast<int32_t>(kSpecials + random.below(3));
    return ids;
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<Ids> list(1 + random.below(3));
    for (Ids& phrase : list) phrase = draw(3);
    const Phrases phrases(required(list));
    Ids target = draw(6);
    if (phrases.met(target) == phrases.tokens()) {
      EXPECT_EQ(most_covered(target, list, 0, {}), phrases.tokens());
    }
    int64_t steps = 0;
    for (auto at = phrases.of(target); at.met < phrases.tokens(); at = phrases.of(target)) {
      ASSERT_FALSE(at.next.empty());
      const auto best = std::ranges::max(at.next, {}, [&](int32_t id) {
        Ids longer = target;
        longer.push_back(id);
        return phrases.met(longer);
      });
      target.push_back(best);
      EXPECT_GT(phrases.met(target), at.met);
      ASSERT_LE(++steps, phrases.tokens());
    }
  }
}

SearchConfig wide(int64_t beam, int64_t longest) {
  SearchConfig config;
  config.beam = beam;
  config.nbest = 1;
  config.length_penalty = 0;
  config.max_length_ratio = 0;
  config.max_length_extra = longest;
  config.patience = 100;
  return config;
}

bool holds_all(const Ids& target, const std::vector<Ids>& phrases) {
  int64_t tokens = 0;
  for (const Ids& phrase : phrases) tokens += std::ssize(phrase);
  return most_covered(target, phrases, 0, {}) == tokens;
}

// Best target of at most `longest` tokens that contains the phrases, by enumeration.
Ids best_with(int32_t source, size_t longest, const std::vector<Ids>& phrases, double* best) {
  std::vector<std::pair<Ids, double>> open = {{{}, 0}};
  Ids found;
  *best = -INFINITY;
  for (size_t i = 0; i < open.size(); ++i) {
    const auto [ids, sum] = open[i];
    const int32_t last = ids.empty() ? kBegin : ids.back();
    const double whole = sum + Table()(source, ids.size() + 1, last, kEnd);
    if (holds_all(ids, phrases) && whole > *best) {
      *best = whole;
      found = ids;
    }
    for (const int32_t id : {kUnknown, kA, kB, kC}) {
      if (ids.size() == longest) continue;
      open.push_back({ids, sum + Table()(source, ids.size() + 1, last, id)});
      open.back().first.push_back(id);
    }
  }
  return found;
}

TEST(ConstrainedBeam, FindsTheBestTargetWithThePhrases) {
  holds({"--constraints"});
  for (const int32_t source : {4, 5, 6}) {
    for (const std::vector<Ids>& phrases : std::vector<std::vector<Ids>>{{{kA}},
                                                                         {{kB, kC}},
                                                                         {{kC}, {kA}},
                                                                         {{kA, kB}, {kC}},
                                                                         {{kB}, {kB}},
                                                                         {{kUnknown, kA}},
                                                                         {{kA, kA, kA, kA}}}) {
      double expected = 0;
      const Ids best = best_with(source, 4, phrases, &expected);
      const auto found =
          search(
              FakeEngine(),
              {{.source = sentence(source), .config = wide(400, 4), .phrases = required(phrases)}})
              .front();
      EXPECT_EQ(found[0].ids, best);
      EXPECT_NEAR(found[0].log_probability, expected, 1e-12);
      EXPECT_TRUE(holds_all(found[0].ids, phrases));
    }
  }
}

// score = log p(others) / penalty(length) + log p(phrases) / penalty(source), so that an improbable
// phrase does not favour long translations.
TEST(ConstrainedBeam, DividesThePhrasesByAConstant) {
  constexpr int64_t kSourceTokens = 2;
  for (const int32_t source : {4, 5, 6, 7, 8}) {
    for (const std::vector<Ids>& phrases :
         std::vector<std::vector<Ids>>{{{kA}}, {{kB, kC}}, {{kB, kC}, {kA}}}) {
      SearchConfig config = wide(400, 4);
      config.length_penalty = 1;
      config.length_normalization = LengthNormalization::kPlain;
      double expected = -INFINITY;
      Ids best;
      std::vector<Ids> open = {{}};
      for (size_t i = 0; i < open.size(); ++i) {
        const Ids ids = open[i];
        for (const int32_t id : {kUnknown, kA, kB, kC}) {
          if (ids.size() == 4) continue;
          open.push_back(ids);
          open.back().push_back(id);
        }
        std::vector<bool> is_of_phrase(ids.size() + 1);
        bool has_all = true;
        for (const Ids& phrase : phrases) {  // they share no token: the first occurrence counts
          const auto found = std::search(ids.begin(), ids.end(), phrase.begin(), phrase.end());
          has_all &= found != ids.end();
          if (found == ids.end()) continue;
          std::fill_n(is_of_phrase.begin() + (found - ids.begin()), phrase.size(), true);
        }
        if (!has_all) continue;
        double others = 0, of_phrases = 0;
        for (size_t t = 0; t <= ids.size(); ++t) {
          const double own =
              Table()(source, t + 1, t == 0 ? kBegin : ids[t - 1], t < ids.size() ? ids[t] : kEnd);
          (is_of_phrase[t] ? of_phrases : others) += own;
        }
        const double score =
            others / static_cast<double>(ids.size() + 1) + of_phrases / kSourceTokens;
        if (score > expected) {
          expected = score;
          best = ids;
        }
      }
      const auto found =
          search(FakeEngine(),
                 {{.source = sentence(source), .config = config, .phrases = required(phrases)}})
              .front();
      EXPECT_EQ(found[0].ids, best);
      EXPECT_NEAR(found[0].score, expected, 1e-6);
    }
  }
}

// The phrases occur for any beam, even if they are longer than a target may be otherwise.
TEST(ConstrainedBeam, AlwaysContainsThePhrases) {
  RandomStream random(9);
  for (const int64_t beam : {1, 2, 3, 7}) {
    for (int round = 0; round < 60; ++round) {
      std::vector<Ids> phrases(1 + random.below(4));
      for (Ids& phrase : phrases) {
        phrase.resize(1 + random.below(3));
        for (int32_t& id : phrase) id = static_cast<int32_t>(kSpecials + random.below(3));
      }
      const int64_t longest = 1 + static_cast<int64_t>(random.below(12));
      const auto found = search(FakeEngine(), {{.source = sentence(4 + round % 3),
                                                .config = wide(beam, longest),
                                                .phrases = required(phrases)}})
                             .front();
      EXPECT_TRUE(holds_all(found[0].ids, phrases));
      EXPECT_TRUE(found[0].ids.size() <= static_cast<size_t>(std::max<int64_t>(longest, 12)));
    }
  }
}

// Every form of each phrase is allowed: the best target is that of the best choice of forms. The
// phrases share no form, so that it is clear which of them a token is of.
TEST(ConstrainedBeam, FindsTheBestOfAllForms) {
  const std::vector<Ids> first = {{kA}, {kB, kB}}, second = {{kC, kC}, {kUnknown, kC}};
  for (const int32_t source : {4, 5, 6, 7, 8, 9}) {
    double expected = -INFINITY;
    for (const Ids& one : first) {
      for (const Ids& other : second) {
        double own = 0;
        best_with(source, 4, {one, other}, &own);
        expected = std::max(expected, own);
      }
    }
    const auto found =
        search(FakeEngine(), {{.source = sentence(source),
                               .config = wide(400, 4),
                               .phrases = {RequiredPhrase(first), RequiredPhrase(second)}}})
            .front();
    EXPECT_NEAR(found[0].log_probability, expected, 1e-12);
  }
}

// Sentences with and without phrases in one batch give the same as alone.
TEST(ConstrainedBeam, StandsBesideOthers) {
  std::vector<Request> requests;
  for (int32_t i = 0; i < 9; ++i) {
    Request request{.source = sentence(4 + i % 3), .config = wide(1 + i % 4, 5)};
    if (i % 2 == 0) request.phrases = {{kA, kC}, {kB}};
    if (i % 3 == 0) request.avoided = {{kB, kB}};
    requests.push_back(request);
  }
  const auto together = search(FakeEngine(), requests, 4);
  for (size_t i = 0; i < requests.size(); ++i) {
    const auto alone = search(FakeEngine(), {requests[i]}).front();
    EXPECT_EQ(together[i][0].ids, alone[0].ids);
    // A token that is not among the best has a score in single precision.
    EXPECT_FLOAT_EQ(together[i][0].log_probability, alone[0].log_probability);
  }
}

// Another constraint excludes the phrases: the hypothesis ends without them and is not finished.
TEST(ConstrainedBeam, EndsWithoutThePhrasesThatAreBanned) {
  const auto found = search(FakeEngine(), {{.source = sentence(4),
                                            .config = wide(3, 4),
                                            .phrases = {{kA, kB}},
                                            .avoided = {{kA, kB}}}})
                         .front();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].finished);
  EXPECT_FALSE(holds_all(found[0].ids, {{kA, kB}}));
}

TEST(AvoidedPhrases, DoNotOccur) {
  holds({"--avoid"});
  for (const int32_t source : {4, 5, 6}) {
    SearchConfig config = wide(400, 4);
    config.min_length = 3;
    const Ids free =
        search(FakeEngine(), {{.source = sentence(source), .config = config}})[0][0].ids;
    ASSERT_GE(free.size(), 3u);
    const Ids pair(free.begin(), free.begin() + 2);
    const auto found =
        search(FakeEngine(),
               {{.source = sentence(source), .config = config, .avoided = {pair, {kC, kC}}}})
            .front();
    EXPECT_NE(found[0].ids, free);
    const Ids& ids = found[0].ids;
    EXPECT_EQ(std::search(ids.begin(), ids.end(), pair.begin(), pair.end()), ids.end());
  }
}

}  // namespace
}  // namespace heed
