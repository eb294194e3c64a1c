// Changes of the search settings of a trained model.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "config/reader.h"
#include "search/search_config.h"

namespace heed {

// Prefix of the keys of a trained model's config that can be changed.
inline constexpr std::string_view kSearchPrefix = "search.";

// Applies overrides, whose paths begin with the prefix. Throws Error(kUsage) that lists all
// mistakes.
SearchConfig overridden(const SearchConfig& config, const std::vector<Override>& overrides);

// Limits a translation to `max_length` target tokens, whatever the length of the source.
void set_max_length(SearchConfig& config, int64_t max_length);
// The same, but only if the config allows more for a source of this length.
void limit_max_length(SearchConfig& config, int64_t source_tokens, int64_t max_length);

// Sets the number of translations of each line; widens the beam unless the user has set it.
void set_nbest(SearchConfig& config, int64_t nbest, bool names_beam);

}  // namespace heed
