// The page for users of other toolkits: their keys beside those of heed, generated from the names
// that the fields state (Fields::peers).
#pragma once

#include <string>

#include "config/settings.h"

namespace heed {

// docs/migration.md
std::string migration_page(const Visited& settings);

}  // namespace heed
