// The translations of a test set that a run keeps.
#pragma once

#include <memory>

#include "metric/metric.h"
#include "results/run_score.h"

namespace heed {

struct TestTexts {
  Lines translations, references;
  std::unique_ptr<Metric> metric{};  // as the score was made
};

// Reads the texts of a run that has the score, and computes the score again. Throws Error(kModel) if
// they are missing, Error(kData) if the score differs, and the errors of LineReader.
TestTexts read_test_texts(const RunSummary& run, const RunScore& score);

}  // namespace heed
