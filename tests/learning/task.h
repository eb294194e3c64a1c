// Tasks of random sentences, each designed for a mechanism. The output follows from the source by a
// rule that a suitable model learns in a few hundred updates.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "data/example.h"
#include "model/seq2seq.h"

namespace heed {

struct Task {
  std::string name;
  std::string rule;                        // how the output follows from the source
  int64_t source_symbols, target_symbols;  // of each source
  // Draws a sentence pair; unseen: for the measurement, which may differ from training.
  Example (*draw)(RandomStream& random, bool unseen);
  int64_t tags = 0;    // number of tags of its sentences
  int64_t labels = 0;  // number of labels of its symbols
};

// Names of the sources that a network reads, in order; those with a shared encoder are left out.
std::vector<std::string> source_names(const Seq2Seq& network);
// Separator of the sentences of a source, in tasks that have them.
inline constexpr int32_t kSentenceEnd = kSpecials;
// Symbol of the tasks sum_or_copy that asks for the number as it stands.
inline constexpr int64_t kNoSum = 14;

// Finds the task of this name.
const Task& task_of(const std::string& name);

// Draws `count` sentences for the measurement, the same for every model and seed.
std::vector<Example> unseen_examples(const Task& task, int64_t count);

}  // namespace heed
