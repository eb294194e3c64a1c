// Options of `heed train`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heed {

struct TrainOptions {
  static constexpr const char* kEntry = "heed_train";  // of the library with tensors
  std::string config;
  std::vector<std::string> set;       // key=value, each overrides the config
  std::optional<std::string> run;     // instead of the config's `run`
  std::optional<std::string> device;  // instead of the config's `device`
  bool resume = false, overwrite = false, dry_run = false;
  bool auto_resume = false;   // resume where there is a run
  bool data_changed = false;  // a resumed run may go on with other data
};

}  // namespace heed
