#include "results/baseline.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/log.h"
#include "metric/replications.h"
#include "metric/welch_test.h"
#include "results/test_texts.h"

namespace heed {

namespace {

// The scored run of each seed; nullopt: two have the same.
using RunBySeed = std::map<std::string, RunSummary>;
std::optional<RunBySeed> runs_by_seed(const RunGroup& cell, const RunScore& score) {
  RunBySeed runs;
  for (RunSummary& run : scored_runs(cell, score)) {
    if (!runs.emplace(setting_of(run.settings, "seed"), std::move(run)).second) return std::nullopt;
  }
  return runs;
}

void check_comparable(const RunSummary& baseline, const RunSummary& run, const RunScore& score) {
  const TestScore &one = *score.test_of(baseline), &other = *score.test_of(run);
  const bool both_known = !one.text_hash.empty() && !other.text_hash.empty();
  if (both_known && one.text_hash != other.text_hash)
    throw_error(ErrorKind::kData,
                "{} and {} were tested on different texts, which both name {}; expected one test "
                "set for all",
                baseline.name, run.name, score.set);
  if (without_version(one.signature) != without_version(other.signature))
    throw_error(ErrorKind::kData, "{} and {} have {} with different settings: {} and {}",
                baseline.name, run.name, score.name, one.signature, other.signature);
}

// True for a value as a table has it, the end of a path, and a part of "staged, general".
bool names_value(const std::string& name, const std::string& value) {
  const std::string parts = ", " + value + ", ";
  return parts.find(", " + name + ", ") != std::string::npos || value.ends_with("/" + name);
}

// Texts of the runs with these seeds, behind those of the baseline.
class PairedTexts {
 public:
  PairedTexts(const RunSummary& first, const RunScore& score) : first_(first), score_(score) {
    TestTexts texts = read_test_texts(first, score);
    texts_.references = {std::move(texts.references)};
    metric_ = std::move(texts.metric);
  }
  void add(const RunSummary& run) {
    check_comparable(first_, run, score_);
    TestTexts texts = read_test_texts(run, score_);
    if (texts.references != texts_.references.front())
      throw_error(ErrorKind::kData,
                  "{} and {} have different references of {}; expected one test set for all",
                  first_.name, run.name, score_.set);
    texts_.names.push_back(run.name);
    texts_.systems.push_back(std::move(texts.translations));
  }
  double p_value(const Significance& significance) const {
    return replicated_p_value(*metric_, texts_, significance);
  }

 private:
  const RunSummary& first_;
  const RunScore& score_;
  ComparedTexts texts_{};
  std::unique_ptr<Metric> metric_;
};

TestResult paired_test(const RunGroup& baseline, const RunGroup& cell, const RunScore& score,
                       const Significance& significance) {
  const auto first = runs_by_seed(baseline, score), second = runs_by_seed(cell, score);
  if (!first || !second)
    return {.reason = "two runs have the same seed, so that runs cannot be paired by seed"};
  std::vector<std::string> seeds;
  for (const auto& one : *second) {
    if (first->contains(one.first)) seeds.push_back(one.first);
  }
  if (seeds.size() < kFewestReplications)
    return {.reason = fmt::format(
                "{} seeds are in both rows, and a test over seeds needs {} (Clark et al. 2011)",
                seeds.size(), kFewestReplications)};
  PairedTexts texts(first->at(seeds.front()), score);
  for (const RunBySeed* runs : {&*first, &*second}) {
    for (const std::string& seed : seeds) texts.add(runs->at(seed));
  }
  return {.p = texts.p_value(significance)};
}

TestResult welch_result(const CellScores& baseline, const CellScores& figure) {
  const size_t fewest = std::min(baseline.by_seed.size(), figure.by_seed.size());
  if (fewest < kFewestScores)
    return {.reason = fmt::format("a row has {} scores, and Welch's t-test needs {} of each",
                                  fewest, kFewestScores)};
  const auto test = welch_test(baseline.by_seed, figure.by_seed);
  if (!test) return {.reason = "the scores of all seeds are equal"};
  return {.p = test->p};
}

}  // namespace

std::string describe(const BaselineTest& test) {
  if (test.test == SeedTest::kWelch) return "Welch's t-test of the scores of the seeds";
  const Resampling resampling = test.significance.resampling();
  return fmt::format("{}, {} samples, seed {}",
                     test.test == SeedTest::kBootstrap
                         ? "paired bootstrap of the test lines with the translations of all seeds"
                         : "stratified approximate randomization of the translations of all seeds "
                           "(Clark et al. 2011)",
                     format_count(resampling.samples), resampling.seed);
}

size_t find_baseline(const Pivot& pivot, const std::string& name) {
  std::vector<size_t> found;
  std::vector<std::string> names;
  for (size_t i = 0; i < pivot.rows.size(); ++i) {
    const PivotRow& row = pivot.rows[i];
    names.push_back(row.name());
    const std::string joined = fmt::format("{}", fmt::join(row.labels, ","));
    if (name == row.name() || name == joined) return i;
    const bool is_label = std::ranges::any_of(
        row.labels, [&](const std::string& label) { return names_value(name, label); });
    const auto runs = row.runs();
    if (is_label || std::ranges::count(runs, name, &RunSummary::name) > 0) found.push_back(i);
  }
  if (found.size() == 1) return found.front();
  throw_error(ErrorKind::kUsage, "--baseline {}: is {}; the rows are {}", name,
              found.empty() ? "no row of the table, nor a run in one" : "in several rows",
              fmt::join(names, " | "));
}

void check_test(const BaselineTest& test, const RunScore& score) {
  if (test.test == SeedTest::kWelch || !score.set.empty()) return;
  throw_error(
      ErrorKind::kUsage,
      "--baseline: {} is a score of the validation set, of which runs keep no translations; "
      "choose --score test.SET.METRIC, or --test welch",
      score.name);
}

TestResult test_against(const Pivot& pivot, const PivotRow& baseline, const PivotRow& row,
                        const PivotColumn& column, const RunScore& score,
                        const BaselineTest& test) {
  const CellScores first = cell_scores(pivot, baseline, column, score);
  const CellScores second = cell_scores(pivot, row, column, score);
  if (!first.score || !second.score) return {.reason = "a row has no score"};
  if (is_partial(pivot, column, first) || is_partial(pivot, column, second))
    return {.reason = "an average lacks values"};
  if (test.test == SeedTest::kWelch) return welch_result(first, second);
  if (column.is_average)
    return {.reason = "an average of several test sets is tested by --test welch alone"};
  const size_t cell = column.cells.front();
  return paired_test(baseline.cells[cell], row.cells[cell], score, test.significance);
}

}  // namespace heed
