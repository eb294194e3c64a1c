// Settings of search that are changed by name, for a model that is trained.
#pragma once

#include <string_view>
#include <vector>

#include "config/reader.h"
#include "search/search_config.h"

namespace heed {

// Before the keys of a trained model's config that can be changed.
inline constexpr std::string_view kSearchPrefix = "search.";

// The paths begin with the prefix. Throws Error(kUsage) that lists all that is wrong.
SearchConfig overridden(const SearchConfig& config, const std::vector<Override>& overrides);

}  // namespace heed
