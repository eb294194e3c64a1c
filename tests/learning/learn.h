// Small models, trained in memory by the parts that train every model: objective, workers,
// optimizer and trainer; measured by greedy search.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/seq2seq.h"
#include "task.h"

namespace heed {

struct Lesson {
  std::string task;
  std::string model;  // the `model:` section of a config
  int64_t updates = 0;
  double rate = 0;
};

// What the `model:` section of a config says.
ModelConfig model_of(const std::string& text);

// A new model after the updates of a lesson; every draw is keyed by the seed.
std::shared_ptr<Seq2Seq> learn(const Lesson& lesson, uint64_t seed);

// Share of the examples whose output by greedy search is right from the first token to its end, in %.
double right_outputs(const std::shared_ptr<Seq2Seq>& network, const std::vector<Example>& examples);

// What the network says of the examples while it is given their targets, with the weights.
Step reading_of(Seq2Seq& network, const std::vector<Example>& examples);

}  // namespace heed
