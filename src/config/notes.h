// Notes on settings that are allowed but probably not intended.
#pragma once

#include <string>
#include <vector>

#include "config/settings.h"

namespace heed {

// Base class of settings that can have notes.
class Noting {
 public:
  virtual ~Noting() = default;
  // Notes, one a line: "key: its value, and the value of a paper".
  virtual std::vector<std::string> notes() const = 0;
};

// Notes of all kinds in the settings, one a line, each after its path. `path` is the path of the
// settings themselves.
std::vector<std::string> notes_on(const Visited& settings, const std::string& path);

}  // namespace heed
