#include "search/beam.h"
#include "holds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace heed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Candidates of each row: (id, log-probability), best first.
TopK rows(const std::vector<std::vector<std::pair<int32_t, double>>>& rows) {
  TopK best;
  for (const auto& row : rows) best.count = std::max<int64_t>(best.count, std::ssize(row));
  for (const auto& row : rows) {
    for (int64_t k = 0; k < best.count; ++k) {
      const bool exists = k < std::ssize(row);
      best.id.push_back(exists ? row[k].first : -1);
      best.log_probability.push_back(exists ? row[k].second : -kInfinity);
    }
  }
  return best;
}

std::optional<std::span<const double>> nothing(int64_t) { return std::nullopt; }

// Attention weights over a source of one piece; `coverage` is the log of the sum over all steps,
// for each row.
class OnePiece {
 public:
  explicit OnePiece(const std::vector<double>& coverage, const std::vector<double>& before = {}) {
    for (size_t i = 0; i < coverage.size(); ++i) {
      const double read = before.empty() ? 0 : std::exp(before[i]);
      weights_.push_back({std::exp(coverage[i]) - read, 0});
    }
  }
  std::optional<std::span<const double>> operator()(int64_t row) const { return weights_.at(row); }

 private:
  std::vector<std::vector<double>> weights_;
};

SearchConfig config_of(int64_t beam, int64_t nbest = 1) {
  SearchConfig config;
  config.beam = beam;
  config.nbest = nbest;
  config.length_penalty = 0;
  return config;
}

TEST(Beam, OfOneStopsAtTheFirstEnd) {
  const SearchConfig config = config_of(1);
  Beam beam(config, {.longest = 10}, {});
  beam.advance(rows({{{7, -0.1}, {kEnd, -0.2}}}), 0, nothing);
  ASSERT_EQ(beam.live().size(), 1);
  EXPECT_EQ(beam.live()[0].id, 7);
  beam.advance(rows({{{kEnd, -0.5}, {8, -0.6}}}), 0, nothing);
  ASSERT_TRUE(beam.done());
  const auto results = beam.results();
  ASSERT_EQ(results.size(), 1);
  EXPECT_EQ(results[0].ids, Ids{7});
  EXPECT_DOUBLE_EQ(results[0].log_probability, -0.6);
  EXPECT_TRUE(results[0].finished);
}

// "7" would continue with probability 1, but the maximum length forbids it: the empty translation,
// which had ended, wins.
TEST(Beam, SaysWhereTheMaximumLengthDecides) {
  const SearchConfig config = config_of(2);
  const TopK first = rows({{{7, -0.1}, {kEnd, -3.0}}});
  Beam limited(config, {.longest = 1}, {});
  limited.advance(first, 0, nothing);
  ASSERT_FALSE(limited.done());
  limited.advance(rows({{{kEnd, -9.0}}, {}}), 0, nothing);
  ASSERT_TRUE(limited.done());
  EXPECT_TRUE(limited.results()[0].ids.empty());
  EXPECT_TRUE(limited.results()[0].finished);
  EXPECT_TRUE(limited.results()[0].limited);

  Beam free(config, {.longest = 5}, {});
  free.advance(first, 0, nothing);
  free.advance(rows({{{kEnd, -0.1}, {8, -4.0}}, {}}), 0, nothing);
  ASSERT_TRUE(free.done());
  EXPECT_EQ(free.results()[0].ids, Ids{7});
  EXPECT_FALSE(free.results()[0].limited);

  const SearchConfig narrow = config_of(1);
  Beam cut(narrow, {.longest = 1}, {});
  cut.advance(rows({{{7, -0.1}}}), 0, nothing);
  cut.advance(rows({{{kEnd, -9.0}}}), 0, nothing);
  EXPECT_FALSE(cut.results()[0].finished);
  EXPECT_TRUE(cut.results()[0].limited);

  const SearchConfig wide = config_of(2, 2);
  Beam worse(wide, {.longest = 1}, {});  // the cut hypothesis would not have been the best
  worse.advance(rows({{{kEnd, -0.1}, {7, -3.0}}}), 0, nothing);
  ASSERT_FALSE(worse.done());
  worse.advance(rows({{{kEnd, -1.0}}, {}}), 0, nothing);
  EXPECT_FALSE(worse.results()[0].limited);
}

TEST(Beam, AnEndCountsOnlyAmongTheBestOfTheBeam) {
  const SearchConfig config = config_of(2);
  Beam beam(config, {.longest = 10}, {});
  beam.advance(rows({{{7, -0.1}, {8, -0.2}, {kEnd, -0.3}, {9, -0.4}}}), 0, nothing);
  EXPECT_EQ(beam.live().size(), 2);
  EXPECT_TRUE(beam.results().empty());
}

TEST(Beam, MergesItsRowsAndRemembersTheParent) {
  const SearchConfig config = config_of(2);
  Beam beam(config, {.longest = 10}, {});
  beam.advance(rows({{{7, -1.0}, {8, -2.0}}}), 0, nothing);
  // Candidates of rows 4 and 5 of a batch: 7·9 -3, 7·10 -5, 8·9 -2.5, 8·10 -3; of equal ones that
  // of the better parent is kept.
  beam.advance(rows({{}, {}, {}, {}, {{9, -2.0}, {10, -4.0}}, {{9, -0.5}, {10, -1.0}}}), 4,
               nothing);
  ASSERT_EQ(beam.live().size(), 2);
  EXPECT_EQ(beam.live()[0].parent, 1);
  EXPECT_EQ(beam.live()[0].id, 9);
  EXPECT_EQ(beam.live()[1].parent, 0);
  EXPECT_EQ(beam.live()[1].id, 9);
}

TEST(Beam, StopsOnceNothingAliveCanGetBetter) {
  const SearchConfig config = config_of(3);
  Beam beam(config, {.longest = 10}, {});
  beam.advance(rows({{{kEnd, -0.5}, {7, -1.0}, {8, -1.1}, {9, -9.0}}}), 0, nothing);
  EXPECT_TRUE(beam.done());
  // With a length penalty a live hypothesis may still win: -1 / ((5 + 11) / 6) > -0.5 / ((5 + 1) /
  // 6).
  SearchConfig longer = config;
  longer.length_penalty = 1;
  Beam goes_on(longer, {.longest = 10}, {});
  goes_on.advance(rows({{{kEnd, -0.5}, {7, -1.0}, {8, -1.1}, {9, -9.0}}}), 0, nothing);
  EXPECT_FALSE(goes_on.done());
  Beam shorter(longer, {.longest = 4}, {});  // -1 / (10 / 6) < -0.5
  shorter.advance(rows({{{kEnd, -0.5}, {7, -1.0}, {8, -1.1}, {9, -9.0}}}), 0, nothing);
  EXPECT_TRUE(shorter.done());
}

TEST(Beam, WaitsForAllOfTheNBest) {
  const SearchConfig config = config_of(3, 2);
  Beam beam(config, {.longest = 10}, {});
  beam.advance(rows({{{kEnd, -0.5}, {7, -5.0}, {8, -6}, {9, -7}}}), 0, nothing);
  EXPECT_FALSE(beam.done());
  beam.advance(rows({{{kEnd, -1.0}, {9, -2.0}}, {{9, -7.0}}, {{9, -7.0}}}), 0, nothing);
  EXPECT_TRUE(beam.done());
  const auto results = beam.results();
  ASSERT_EQ(results.size(), 2);
  EXPECT_DOUBLE_EQ(results[0].score, -0.5);
  EXPECT_DOUBLE_EQ(results[1].score, -6.0);
}

TEST(Beam, StopsWhenPatienceTimesBeamAreFinished) {
  holds({"search.patience"});
  SearchConfig config = config_of(2);
  config.length_penalty = 2;
  const TopK best = rows({{{kEnd, -1.0}, {7, -1.1}, {8, -1.2}, {9, -1.3}},
                          {{kEnd, -1.0}, {7, -1.1}, {8, -1.2}, {9, -1.3}}});
  Beam beam(config, {.longest = 50}, {});
  beam.advance(best, 0, nothing);
  EXPECT_FALSE(beam.done());
  beam.advance(best, 0, nothing);
  EXPECT_TRUE(beam.done());
  config.patience = 2;
  Beam patient(config, {.longest = 50}, {});
  patient.advance(best, 0, nothing);
  patient.advance(best, 0, nothing);
  EXPECT_FALSE(patient.done());
}

// The model is sure: one probable translation of three tokens, and improbable early ends.
TEST(Beam, ImprobableEndsDoNotStopItWhileTheProbableOneLives) {
  SearchConfig config = config_of(2);
  config.length_penalty = 1;
  Beam beam(config, {.longest = 50}, {});
  beam.advance(rows({{{7, -0.01}, {kEnd, -8.0}, {8, -9.0}}}), 0, nothing);
  EXPECT_FALSE(beam.done());
  beam.advance(rows({{{7, -0.01}, {kEnd, -7.0}, {8, -9.0}}, {{9, -9.0}}}), 0, nothing);
  EXPECT_FALSE(beam.done());
  beam.advance(rows({{{7, -0.01}, {kEnd, -7.0}, {8, -9.0}}, {{9, -9.0}}}), 0, nothing);
  ASSERT_FALSE(beam.done());
  beam.advance(rows({{{kEnd, -0.01}, {8, -9.0}, {9, -9.5}}, {{9, -9.0}}}), 0, nothing);
  EXPECT_TRUE(beam.done());
  EXPECT_EQ(beam.results()[0].ids, (Ids{7, 7, 7}));
}

// Coverage does not select live hypotheses, but it ranks finished ones.
TEST(Beam, RanksWhatIsFinishedWithItsCoverage) {
  SearchConfig config = config_of(2, 2);
  config.coverage_penalty = 0.5;
  Beam beam(config, {.longest = 10}, {});
  beam.advance(rows({{{7, -1.0}, {8, -2.0}}}), 0, OnePiece({-9.0}));
  EXPECT_EQ(beam.live()[0].id, 7);
  const TopK best = rows({{}, {}, {}, {}, {{kEnd, -1.0}}, {{kEnd, -1.0}}});
  beam.advance(best, 4, OnePiece({0, 0, 0, 0, -6.0, -3.0}, {0, 0, 0, 0, -9.0, -9.0}));
  ASSERT_TRUE(beam.done());
  const auto results = beam.results();
  ASSERT_EQ(results.size(), 2);
  EXPECT_EQ(results[0].ids, Ids{8});
  EXPECT_DOUBLE_EQ(results[0].score, -3 + 0.5 * -3);
  EXPECT_DOUBLE_EQ(results[0].log_probability, -3);
  EXPECT_EQ(results[1].ids, Ids{7});
  EXPECT_DOUBLE_EQ(results[1].score, -2 + 0.5 * -6);
}

TEST(Beam, GoesOnWhileALivingOneMayReadTheRest) {
  SearchConfig config = config_of(2);
  config.coverage_penalty = 1;
  const TopK first = rows({{{kEnd, -0.1}, {7, -1.0}, {8, -1.5}}});
  Beam covered(config, {.longest = 10}, {});
  covered.advance(first, 0, OnePiece({-0.8}));  // -0.9; no live hypothesis can exceed -1
  EXPECT_TRUE(covered.done());
  Beam open(config, {.longest = 10}, {});
  open.advance(first, 0, OnePiece({-5.0}));  // -5.1; 7 may still reach -1
  ASSERT_FALSE(open.done());
  open.advance(rows({{{kEnd, -0.1}, {9, -9.0}}, {{9, -9.0}}}), 0,
               OnePiece({-0.5, -5.0}, {-5.0, -5.0}));
  EXPECT_TRUE(open.done());
  EXPECT_EQ(open.results()[0].ids, Ids{7});
  EXPECT_DOUBLE_EQ(open.results()[0].score, -1.1 - 0.5);
}

// The second live hypothesis has the better coverage, and so the better score at this step.
TEST(Beam, ItsPatienceIsWithTheBestLivingOneAsItStands) {
  SearchConfig config = config_of(2);
  config.coverage_penalty = 1;
  config.patience = 0.5;
  const auto is_done = [&](double coverage_of_second) {
    Beam beam(config, {.longest = 10}, {});
    beam.advance(rows({{{7, -0.1}, {8, -0.2}}}), 0, OnePiece({-4.0}));
    beam.advance(rows({{{kEnd, -1.0}, {9, -1.0}}, {{10, -1.0}, {11, -3.0}}}), 0,
                 OnePiece({-3.0, coverage_of_second}, {-4.0, -4.0}));
    return beam.done();
  };
  EXPECT_TRUE(is_done(-3.0));   // finished -4.1, live -4.1 and -4.2
  EXPECT_FALSE(is_done(-2.0));  // live -4.1 and -3.2
}

TEST(Beam, EndsEverythingAtTheMaximumLength) {
  const SearchConfig config = config_of(2, 2);
  Beam beam(config, {.longest = 1}, {});
  beam.advance(rows({{{7, -1.0}, {8, -2.0}, {9, -3.0}}}), 0, nothing);
  beam.advance(rows({{{kEnd, -4.0}}, {{kEnd, -0.5}}}), 0, nothing);
  ASSERT_TRUE(beam.done());
  const auto results = beam.results();
  ASSERT_EQ(results.size(), 2);
  EXPECT_EQ(results[0].ids, Ids{8});
  EXPECT_DOUBLE_EQ(results[0].log_probability, -2.5);
  EXPECT_FALSE(results[0].finished);
  EXPECT_EQ(results[1].ids, Ids{7});
}

TEST(Beam, GivesWhatThereIsWhereEvenTheEndIsImpossible) {
  const SearchConfig config = config_of(2);
  Beam beam(config, {.longest = 10}, {});
  beam.advance(rows({{{7, -1.0}, {8, -2.0}}}), 0, nothing);
  beam.advance(rows({{}, {}}), 0, nothing);
  ASSERT_TRUE(beam.done());
  const auto results = beam.results();
  ASSERT_EQ(results.size(), 1);
  EXPECT_EQ(results[0].ids, Ids{7});
  EXPECT_DOUBLE_EQ(results[0].log_probability, -1.0);
  EXPECT_FALSE(results[0].finished);
}

TEST(Beam, WhatCouldNotEndHasTheCoverageOfItsTokens) {
  SearchConfig config = config_of(2);
  config.coverage_penalty = 1;
  Beam beam(config, {.longest = 10}, {});
  beam.advance(rows({{{7, -1.0}, {8, -2.0}}}), 0, OnePiece({-2.0}));
  beam.advance(rows({{}, {}}), 0, OnePiece({-0.5, -0.5}, {-2.0, -2.0}));
  EXPECT_DOUBLE_EQ(beam.results()[0].score, -1.0 - 2.0);
}

TEST(SearchConfig, ScoresByTheLengthPenaltyOfGnmt) {
  holds({"--length-penalty", "search.length_penalty"});
  SearchConfig config;
  config.length_penalty = 0.6;
  EXPECT_DOUBLE_EQ(config.score(-3, 7), -3 / std::pow(2.0, 0.6));
  config.length_penalty = 0;
  EXPECT_DOUBLE_EQ(config.score(-3, 7), -3);
}

TEST(SearchConfig, ScoresByThePlainLengthPenalty) {
  holds({"search.length_normalization"});
  SearchConfig config;
  config.length_normalization = LengthNormalization::kPlain;
  EXPECT_DOUBLE_EQ(config.score(-3, 7), -3.0 / 7);
  config.length_penalty = 0.6;
  EXPECT_DOUBLE_EQ(config.score(-3, 7), -3 / std::pow(7, 0.6));
  EXPECT_DOUBLE_EQ(config.score(0, 0), 0) << "nothing was written so far";
}

TEST(SearchConfig, ScoresByTheCoveragePenaltyOfGnmt) {
  holds({"--coverage-penalty", "search.coverage_penalty"});
  SearchConfig config;
  config.length_penalty = 0.6;
  EXPECT_DOUBLE_EQ(config.score(-3, 7, -4), -3 / std::pow(2.0, 0.6));
  config.coverage_penalty = 0.2;
  EXPECT_DOUBLE_EQ(config.score(-3, 7, -4), -3 / std::pow(2.0, 0.6) + 0.2 * -4);
}

TEST(SearchConfig, BoundsTheLengthByTheSource) {
  holds({"search.max_length_extra", "search.max_length_ratio", "search.min_length"});
  SearchConfig config;
  config.max_length_ratio = 1.5;
  config.max_length_extra = 3;
  EXPECT_EQ(config.max_length(5), 10);
  config.min_length = 12;
  EXPECT_EQ(config.max_length(5), 12);
}

}  // namespace
}  // namespace heed
