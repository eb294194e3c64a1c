// The error about a config with mistakes, and the text about configs that differ.
#pragma once

#include <string>
#include <vector>

#include "config/changed_settings.h"
#include "config/reader.h"

namespace heed {

// Throws Error(kUsage) with a line for each problem, in their order, and, if there are several, a line
// with their number before them; does nothing without problems. where: "small.yaml". first, last: further
// lines.
void throw_if_any(const std::vector<Problem>& problems, const std::string& where,
                  const std::vector<std::string>& first = {},
                  const std::vector<std::string>& last = {});

// The first mistake of an error about a config, or the first line of another error.
std::string first_mistake(const Error& error);

// "seed: was 1, is 2; …"
std::string changes_text(const std::vector<ChangedSetting>& changes);

}  // namespace heed
