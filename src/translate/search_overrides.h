// Changes of the settings of search of a model that is trained.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "config/reader.h"
#include "search/search_config.h"

namespace heed {

// Before the keys of a trained model's config that can be changed.
inline constexpr std::string_view kSearchPrefix = "search.";

// The paths begin with the prefix. Throws Error(kUsage) that lists all that is wrong.
SearchConfig overridden(const SearchConfig& config, const std::vector<Override>& overrides);

// At most so many target tokens, whatever the length of the source.
void set_max_length(SearchConfig& config, int64_t max_length);
// The same where the config allows more for a source of this length.
void limit_max_length(SearchConfig& config, int64_t source_tokens, int64_t max_length);

// Translations of each line, which widen a beam that the user has not named.
void set_nbest(SearchConfig& config, int64_t nbest, bool names_beam);

}  // namespace heed
