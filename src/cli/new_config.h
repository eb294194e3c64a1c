// `heed config new`: a commented config for a corpus of one's own, with settings that suit its
// size.
#pragma once

#include <optional>
#include <string>

namespace heed {

struct NewConfigOptions {
  std::string source, target;
  std::optional<std::string> valid_source, valid_target;
  std::string output = "-";
};

// Looks at the data and writes the config; returns the exit code. Error(kData) where the files do
// not fit together, Error(kUsage) if the output exists already.
int run_new_config(const NewConfigOptions& options);

}  // namespace heed
