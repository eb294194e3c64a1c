// An imported model, trained further by the program.
#pragma once

#include "cli/program.h"

namespace heed {

// Trains the model in folder/model by an update that changes next to nothing, with its own search:
// folder/tuned.
inline void fine_tune(const TemporaryFolder& folder) {
  const std::string config = read_plainly(folder / "model/config.yaml");
  const size_t begin = config.find("\nsearch:\n") + 1;
  size_t end = config.find('\n', begin) + 1;
  while (end < config.size() && config[end] == ' ') end = config.find('\n', end) + 1;
  write_plainly(folder / "a", "the old man\nthe dog\n");
  write_plainly(folder / "tune.yaml",
                "run: tuned\ndata: {train: [{source: a, target: a}], valid: {source: a, target: "
                "a}}\ninit: {model: model}\ntrain: {max_updates: 1, optimizer: {rate: "
                "0.0000001}, validate: {every: 1, samples: 0}}\n" +
                    config.substr(begin, end - begin));
  const Outcome outcome = run_heed({"train", folder / "tune.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
}

}  // namespace heed
