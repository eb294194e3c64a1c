// Sections of a config that come from the model of `init.model`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/reader.h"

namespace heed {

struct Inheritance {
  std::filesystem::path folder;  // of the config
  bool resumes = false;          // then from the config that the run has stored
};
// Puts `text` and `model` of that model before the overrides, where the config (its text, in the
// file `file`) has no such section; overrides apply to it. An override that chooses a preset stands
// for a section `model`. Relative paths in `text` are those of the model's folder. Does nothing if there is no `init.model`, or it cannot be read, which is reported
// elsewhere.
void inherit_sections(const std::string& config, const std::string& file,
                      const Inheritance& inheritance, std::vector<Override>& overrides);

}  // namespace heed
