// The keys of settings that may change when a run is resumed, or in a phase of its training
// (Fields::may_change).
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "config/settings.h"

namespace heed {

class ChangeableKeys {
 public:
  // Reads the marks of the settings and of the kinds in them.
  ChangeableKeys(const Settings& settings, ChangeAt at);
  // True if the key, or a section that it is in, is marked. path: "train.validate.metrics[0]".
  bool has(std::string_view path) const;

 private:
  std::set<std::string, std::less<>> marked_;
};

}  // namespace heed
