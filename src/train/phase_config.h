// Phases of the training (`train.phases:`): from an update on, other data, another objective, another
// learning rate. A phase changes settings of the phase before it, and keeps the others:
//
//   train:
//     phases:
//       - {after: 6000, train: {coverage: {weight: 1}}}                  # See et al. 2017
//       - {after: 8000, train: {optimizer: {rate: 0.0001}}, data: {train: [{source: …, target: …}]}}
//
// A map with a `type:`, a list and `~` replace what stood there; other maps change the keys that they
// have. With other data or batches an epoch begins; the numbers of updates and of epochs go on. The
// optimizer keeps its state, and the schedule counts on, unless `reset` names them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

struct PhaseConfig final : Settings {
  static constexpr const char *kOptimizer = "optimizer", *kSchedule = "schedule";
  int64_t after = 0;        // updates before its first
  Node train, data, model;  // what differs
  std::vector<std::string> reset;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  bool resets(const char* what) const;
  // "train: {coverage: {weight: 1.0}}; the schedule starts again"
  std::string description() const;
};

}  // namespace heed
