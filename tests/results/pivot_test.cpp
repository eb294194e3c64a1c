// Runs in cells by their settings, and averages over cells. Expected figures are by Python's
// statistics.fmean and statistics.stdev.
#include "results/pivot.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/log.h"
#include "results/setting_values.h"

namespace heed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RunSummary run(const std::string& language, const std::string& score, const std::string& seed,
               double bleu) {
  RunSummary summary{.name = language + "-" + score + "-" + seed,
                     .progress = RunProgress::kFinished,
                     .metric = "bleu"};
  summary.best = BestScore{.value = bleu};
  summary.settings = {{"run", summary.name},
                      {"seed", seed},
                      {"data.dir", "/corpora/" + language},
                      {"model.decoder.attention.score.type", score},
                      {"model.decoder.attention.heads", "1"}};
  return summary;
}

const std::vector<RunSummary>& runs() {
  static const std::vector<RunSummary> all = {
      run("de", "additive", "1", 30.1), run("de", "additive", "2", 30.5),
      run("de", "additive", "3", 29.9), run("fr", "additive", "1", 40.2),
      run("fr", "additive", "2", 41.0), run("fr", "additive", "3", 40.1),
      run("cs", "additive", "1", 20.3), run("cs", "additive", "2", 19.8),
      run("cs", "additive", "3", 20.9), run("de", "general", "1", 31),
      run("fr", "general", "2", 39)};
  return all;
}

const RunScore kBest{.name = "best", .metric = "bleu"};

PivotRequest by_score() { return {.by = {"model.decoder.attention.score.type"}}; }

// Warnings of a function.
template <class Function>
std::string warnings_of(const Function& function) {
  std::string text;
  const LogToFunction log(
      [&](const std::string&, const std::string& message) { text += message + "\n"; });
  function();
  return text;
}

std::vector<std::string> column_values(const Pivot& pivot) {
  std::vector<std::string> values;
  for (const PivotColumn& column : pivot.columns) values.push_back(column.value);
  return values;
}

TEST(Pivot, HasACellForEachValueOfTwoSettings) {
  PivotRequest request = by_score();
  request.across = "data.dir";
  const Pivot pivot = make_pivot(single_runs(runs()), request);
  EXPECT_THAT(column_values(pivot), ElementsAre("cs", "de", "fr"));
  ASSERT_EQ(pivot.rows.size(), 2u);
  EXPECT_EQ(pivot.rows[0].name(), "additive");
  const CellScores de = cell_scores(pivot, pivot.rows[0], pivot.columns[1], kBest);
  EXPECT_NEAR(de.score->mean, 30.166666666666668, 1e-12);
  EXPECT_NEAR(*de.score->deviation, 0.30550504633038966, 1e-12);
  EXPECT_EQ(*de.lowest, 29.9);
  EXPECT_EQ(*de.highest, 30.5);
  const CellScores general = cell_scores(pivot, pivot.rows[1], pivot.columns[1], kBest);
  EXPECT_EQ(general.score->mean, 31);
  EXPECT_FALSE(general.score->deviation);
  EXPECT_FALSE(cell_scores(pivot, pivot.rows[1], pivot.columns[0], kBest).score);
}

TEST(Pivot, HasFullPathsWhereAsked) {
  PivotRequest request = by_score();
  request.across = "data.dir";
  request.full_values = true;
  EXPECT_THAT(column_values(make_pivot(single_runs(runs()), request)),
              ElementsAre("/corpora/cs", "/corpora/de", "/corpora/fr"));
}

TEST(MacroAverage, HasTheDeviationOfTheAverageOfEachSeed) {
  PivotRequest request = by_score();
  request.average = "data.dir";
  const Pivot pivot = make_pivot(single_runs(runs()), request);
  const CellScores all = cell_scores(pivot, pivot.rows[0], pivot.columns[0], kBest);
  EXPECT_EQ(all.values, 3u);
  EXPECT_NEAR(all.score->mean, 30.31111111111111, 1e-12);
  EXPECT_NEAR(*all.score->deviation, 0.11706281947614028, 1e-12);
  EXPECT_NEAR(*all.lowest, 30.2, 1e-12);
  EXPECT_NEAR(*all.highest, 30.433333333333334, 1e-12);
}

TEST(MacroAverage, StandsBehindItsColumns) {
  PivotRequest request = by_score();
  request.across = request.average = "data.dir";
  const Pivot pivot = make_pivot(single_runs(runs()), request);
  EXPECT_THAT(column_values(pivot), ElementsAre("cs", "de", "fr", "average"));
  EXPECT_NEAR(cell_scores(pivot, pivot.rows[0], pivot.columns[3], kBest).score->mean,
              30.31111111111111, 1e-12);
}

// general has de of seed 1 and fr of seed 2.
TEST(MacroAverage, SaysWhatItLacks) {
  PivotRequest request = by_score();
  request.average = "data.dir";
  const Pivot pivot = make_pivot(single_runs(runs()), request);
  const CellScores two = cell_scores(pivot, pivot.rows[1], pivot.columns[0], kBest);
  EXPECT_EQ(two.values, 2u);
  EXPECT_TRUE(is_partial(pivot, pivot.columns[0], two));
  EXPECT_EQ(two.score->mean, 35);
  EXPECT_FALSE(two.score->deviation);
  const std::string warnings = warnings_of([&] { warn_of_figures(pivot, kBest); });
  EXPECT_THAT(warnings, HasSubstr("general: the average of best is of 2 of 3 values of data.dir, "
                                  "without cs"));
  EXPECT_THAT(warnings, HasSubstr("general: the average of best has no deviation"));
  EXPECT_THAT(warnings, testing::Not(HasSubstr("additive")));
}

TEST(Pivot, WarnsOfRunsThatDifferByMoreThanTheirSeed) {
  std::vector<RunSummary> some = {runs()[0], runs()[1], runs()[9]};
  some[1].settings.emplace_back("train.clip", "1");
  const auto warning = warnings_of([&] { make_pivot(single_runs(some), by_score()); });
  EXPECT_THAT(warning,
              HasSubstr("additive: the runs of one mean differ by more than their seed, by "
                        "train.clip; "));
  EXPECT_THAT(warning, testing::Not(HasSubstr("general")));
}

TEST(Pivot, IsSortedByItsLastColumn) {
  PivotRequest request = by_score();
  request.average = "data.dir";
  Pivot pivot = make_pivot(single_runs(runs()), request);
  sort_rows(pivot, kBest, RunOrder::kScore);
  EXPECT_EQ(pivot.rows[0].name(), "general");
  sort_rows(pivot, {.name = "best", .metric = "ter"}, RunOrder::kScore);
  EXPECT_EQ(pivot.rows[0].name(), "additive") << "the lowest TER is best";
}

TEST(SettingValues, AreFoundByTheEndOfTheirKey) {
  EXPECT_EQ(find_setting(runs(), "score", "--by"), "model.decoder.attention.score");
  EXPECT_EQ(find_setting(runs(), "dir", "--by"), "data.dir");
  EXPECT_EQ(find_setting(runs(), "attention.heads", "--by"), "model.decoder.attention.heads");
  EXPECT_THROW(find_setting(runs(), "head", "--by"), Error);
  std::vector<RunSummary> two = runs();
  two[0].settings.emplace_back("model.encoder.heads", "1");
  EXPECT_THROW(find_setting(two, "heads", "--by"), Error) << "two keys end so";
}

TEST(SettingValues, OfASectionAreItsSettingsThatDiffer) {
  std::vector<RunSummary> some = {runs()[0], runs()[9], runs()[1]};
  EXPECT_THAT(values_of(some, "model.decoder.attention"),
              ElementsAre("additive", "general", "additive"));
  some[2].settings.back().second = "4";
  some[1].settings.emplace_back("model.decoder.attention.score.bias", "true");
  EXPECT_THAT(values_of(some, "model.decoder.attention"),
              ElementsAre("additive, heads 1", "general, heads 1", "additive, heads 4"));
  EXPECT_THAT(values_of(some, "train.clip"), ElementsAre("-", "-", "-"));
}

TEST(SettingValues, AreSortedAsNumbersIfTheyAreNumbers) {
  EXPECT_TRUE(is_before("9", "10"));
  EXPECT_TRUE(is_before("0.0005", "1e-3"));
  EXPECT_TRUE(is_before("10", "a"));
  EXPECT_TRUE(is_before("a", "b"));
  EXPECT_FALSE(is_before("a", "a"));
}

}  // namespace
}  // namespace heed
