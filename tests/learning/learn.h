// Small models, trained in memory with the classes that train every model: objective, workers,
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
  bool warm_up = true;          // of the learning rate; else it is constant
  double supporting_facts = 0;  // weight of their loss
};

// Reads the `model:` section of a config.
ModelConfig model_of(const std::string& text);

// Trains a new model for the updates of a lesson; the seed determines all random numbers.
std::shared_ptr<Seq2Seq> learn(const Lesson& lesson, uint64_t seed);

// Share of the examples whose output by greedy search is right from the first token to </s>, in %.
double right_outputs(const std::shared_ptr<Seq2Seq>& network, const std::vector<Example>& examples);

// Steps of the network over the targets of the examples (teacher forcing), with attention weights.
Step reading_of(Seq2Seq& network, const std::vector<Example>& examples);

}  // namespace heed
