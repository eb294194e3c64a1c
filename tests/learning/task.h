// Tasks of random sentences, each made for a mechanism: what to write follows from what stands in
// the source by a rule that a model can learn in a few hundred updates, if it has what it takes.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "data/example.h"

namespace heed {

struct Task {
  std::string name;
  std::string rule;                        // what has to be written
  int64_t source_symbols, target_symbols;  // of each source
  // One sentence pair; unseen: as it is measured, which may be unlike what was learned from.
  Example (*draw)(RandomStream& random, bool unseen);
  int64_t tags = 0;    // that its sentences may have
  int64_t labels = 0;  // that its symbols may have
};

// Of a task's examples: none, "source", or "first" and "second".
std::vector<std::string> source_names(size_t sources);
// What stands between the sentences of a source, where a task has them.
inline constexpr int32_t kSentenceEnd = kSpecials;

// The task of this name.
const Task& task_of(const std::string& name);

// `count` sentences to measure with, the same for every model and seed.
std::vector<Example> unseen_examples(const Task& task, int64_t count);

}  // namespace heed
