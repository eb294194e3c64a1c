// The keys of settings that have a mark: that may change when a run is resumed, or in a phase of its
// training (Fields::may_change), or that something else depends on (Fields::affects).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "config/settings.h"

namespace heed {

class MarkedKeys {
 public:
  using Mark = std::variant<ChangeAt, Effect>;
  // Reads the marks of the settings and of the kinds in them.
  MarkedKeys(const Visited& settings, Mark mark);
  // True if the key, or a section that it is in, is marked. path: "train.validate.metrics[0]".
  bool has(std::string_view path) const;

 private:
  std::set<std::string, std::less<>> marked_;
};

}  // namespace heed
