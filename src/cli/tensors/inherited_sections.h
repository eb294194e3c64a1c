// Sections of a config that come from the model of `init.model`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/reader.h"

namespace heed {

// Puts `text` and `model` of that model before the overrides, where the config (its text, in the
// file `file`) and the overrides have no such section. Does nothing if there is no `init.model`, or
// it cannot be read, which is reported elsewhere.
void inherit_sections(const std::string& config, const std::string& file,
                      const std::filesystem::path& folder, std::vector<Override>& overrides);

}  // namespace heed
