// The kinds that the config of a run holds.
#pragma once

#include "cli/trained_model.h"
#include "config/parse.h"
#include "holds.h"
#include "kinds_of.h"

namespace heed {

inline std::set<std::string> kinds_of_run(const ToyWorkshop& workshop, const std::string& run) {
  std::vector<Problem> problems;
  const auto config = parse_yaml(workshop.read(run + "/config.yaml"), run, problems);
  EXPECT_TRUE(config && problems.empty());
  return kinds_of(config.value_or(Node()));
}

}  // namespace heed
