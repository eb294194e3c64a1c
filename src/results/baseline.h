// Significance of the differences between the rows of a table and a baseline, over seeds.
#pragma once

#include <optional>
#include <string>

#include "metric/comparison.h"
#include "results/pivot.h"

namespace heed {

enum class SeedTest {
  kRandomization,  // of metric/replications.h
  kBootstrap,      // of metric/replications.h
  kWelch           // t-test of the scores of the seeds
};

// A t-test of fewer scores has hardly any power, and its condition, that the scores are normally
// distributed, cannot be seen.
inline constexpr size_t kFewestScores = 5;
inline constexpr double kSignificant = 0.05;

struct BaselineTest {
  SeedTest test = SeedTest::kRandomization;
  Significance significance{};  // of the first two
};

// "paired approximate randomization, 10,000 samples, seed 12345"
std::string describe(const BaselineTest& test);

// The row that a user names: by its values, by one of them that no other row has, or by the name of
// a run in it. Throws Error(kUsage) if it is none or several.
size_t find_baseline(const Pivot& pivot, const std::string& name);

// p of a difference, or the reason for which it is not given.
struct TestResult {
  std::optional<double> p{};
  std::string reason{};
};

// Tests the scores of a row in a column against those of the baseline. Randomization and bootstrap
// compare the translations of the runs with the seeds that both have. Throws Error as
// read_test_texts() does, and Error(kData) if the runs were tested on different texts or by
// different settings of the metric.
TestResult test_against(const Pivot& pivot, const PivotRow& baseline, const PivotRow& row,
                        const PivotColumn& column, const RunScore& score, const BaselineTest& test);

// Throws Error(kUsage) if the test needs translations and the score is not that of a test set.
void check_test(const BaselineTest& test, const RunScore& score);

}  // namespace heed
