// The report of a distillation: scores, size and speed of teacher and student on every test set, and the
// time of each stage.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "distill/distill_plan.h"
#include "distill/stage.h"

namespace heed {

// A model on a test set.
struct TestFigures {
  std::string test;
  double bleu = 0, chrf = 0;
  double words_per_second = 0;  // of the source, on one core, of the translation alone
};

struct ModelFigures {
  ComparedModel model;
  uint64_t bytes = 0;  // of its model folders or files
  std::vector<TestFigures> tests{};
};

struct StageSeconds {
  std::string name, title;
  double seconds = 0;
};

struct DistillReport {
  std::string title;
  std::vector<std::string> signatures{};  // of the scores
  std::vector<ModelFigures> models{};
  std::vector<StageSeconds> stages{};

  std::string text() const;  // a table for a terminal
  std::string json() const;
  std::string html() const;
};

// Reads the translations of the evaluation.
DistillReport make_report(const DistillPlan& plan, const StageRunner& stages);

}  // namespace heed
