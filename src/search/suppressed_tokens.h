// The tokens that search.suppress_tokens and search.begin_suppress_tokens name.
#pragma once

#include <string>
#include <vector>

#include "search/search_config.h"
#include "text/vocabulary.h"

namespace heed {

struct SuppressedTokens {
  Ids always, first;
};

// Throws Error(kUsage) that lists the tokens that the target vocabulary does not have.
SuppressedTokens suppressed_tokens(const SearchConfig& config, const Vocabulary& target);

// A message that names the tokens of a key that the vocabulary lacks, or "".
std::string unknown_tokens(const std::vector<std::string>& tokens, const Vocabulary& target);

}  // namespace heed
