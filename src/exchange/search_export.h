// Settings of search in the formats of other toolkits.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "search/search_config.h"

namespace heed {

// The settings that a format has no place for, "search.patience (2.0)", where they change what is
// found. known: the keys that it has.
std::vector<std::string> search_left_out(const SearchConfig& config,
                                         const std::set<std::string>& known);

}  // namespace heed
