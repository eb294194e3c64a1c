// The table of what learns what: a line for each mechanism.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "learn.h"

namespace heed {

struct Row {
  std::string name;  // the mechanism, as the config names it
  std::string task;
  std::string with, without;  // models
  int64_t updates = 0;
  double goal = 90;  // %, with it on every seed
  // Whether the one without is as good, by at most two points better; else it stays 20 points below
  // the goal.
  bool equal = false;
  double rate = 0.01;
  // What is compared, in %, of the task's unseen examples.
  double (*measure)(const std::shared_ptr<Seq2Seq>&, const std::vector<Example>&) = right_outputs;
  // What else has to hold of the model that learned with it; may change it.
  void (*property)(const Row&, const std::shared_ptr<Seq2Seq>&) = nullptr;
  // A kind that both models have, with a setting that differs.
  std::string in_both{};
  bool sample = false;  // quick enough to run every time

  Lesson lesson() const { return {task, with, updates, rate}; }
  Lesson lesson_without() const { return {task, without, updates, rate}; }
  double most_without() const { return goal - 20; }
};
inline std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

std::vector<Row> learning_rows();

}  // namespace heed
