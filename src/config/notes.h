// What is no mistake in a config, but likely not what was meant.
#pragma once

#include <string>
#include <vector>

#include "config/settings.h"

namespace heed {

// Settings that know of such a thing say so by this.
class Noting {
 public:
  virtual ~Noting() = default;
  // "key: what stands there and what a paper has instead", a line each.
  virtual std::vector<std::string> notes() const = 0;
};

// Of all kinds in the settings, whose own path is `path`, a line each with the place in front.
std::vector<std::string> notes_on(const Settings& settings, const std::string& path);

}  // namespace heed
