// The table of tasks and models: a row for each mechanism.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "learn.h"

namespace heed {

struct Row {
  std::string name;  // the mechanism, as the config names it
  std::string task;
  std::string with, without;  // configs of both models
  int64_t updates = 0;
  double goal = 90;  // %, with the mechanism, on every seed
  // True if the model without the mechanism may be as good, and at most two points better;
  // otherwise it has to stay 20 points below the goal.
  bool equal = false;
  double rate = 0.01;
  bool warm_up = true;          // Lesson's
  double supporting_facts = 0;  // Lesson's, of both models
  // Compared measure, in %, on the task's unseen examples.
  double (*measure)(const std::shared_ptr<Seq2Seq>&, const std::vector<Example>&) = right_outputs;
  // Checks a further property of the model that learned with the mechanism; may change the model.
  void (*property)(const Row&, const std::shared_ptr<Seq2Seq>&) = nullptr;
  // A kind that both models have, with a different setting.
  std::string in_both{};
  bool sample = false;  // fast enough to run every time

  Lesson lesson() const { return {task, with, updates, rate, warm_up, supporting_facts}; }
  Lesson lesson_without() const {
    return {task, without, updates, rate, warm_up, supporting_facts};
  }
  double most_without() const { return goal - 20; }
};
inline std::ostream& operator<<(std::ostream& out, const Row& row) { return out << row.name; }

std::vector<Row> learning_rows();

}  // namespace heed
