// The section `sweep` of a config: several settings and seeds of one recipe, for `heed sweep`. It is
// no part of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

// Successive halving (Jamieson and Talwalkar 2016): after each rung only the best settings go on.
struct HalvingConfig final : Settings {
  int64_t every = 0;  // updates of the first rung; each rung doubles them
  double keep = 0.5;
  void fields(Fields& f) override;
};

// The runs of a setting label text without targets. Text on which they agree becomes training data
// of a new setting.
struct SelfTrainingConfig final : Settings {
  std::string source;    // file of the text
  double agreement = 1;  // fraction of the runs
  int64_t nbest = 1;     // translations of each run that count
  int64_t rounds = 1;
  void fields(Fields& f) override;
};

struct SweepConfig final : Settings {
  std::optional<std::string> folder;
  std::vector<std::string> seeds;
  Node grid, settings, random;  // maps; keys are those of --set
  std::optional<int64_t> draws;
  int64_t draw_seed = 1;
  std::optional<HalvingConfig> halving;
  bool ensemble = false;
  std::optional<SelfTrainingConfig> self_training;
  int64_t jobs = 1;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

}  // namespace heed
