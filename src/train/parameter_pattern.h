// Patterns that select parameters by name, as in train.freeze.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// True if a pattern selects a parameter. A pattern is the beginning of the name up to a '.' or '_'
// ("encoder", "decoder.layer_0", "encoder_source"), the last part of the name ("embedding",
// "bias"), or the whole name with '*' for any characters ("decoder.*.weight").
bool selects(std::string_view pattern, const std::string& parameter);
// Parameters selected by at least one of the patterns. Throws Error(kUsage) that begins with `key`
// if a pattern selects none.
std::set<std::string> selected(const std::vector<std::string>& patterns,
                               const std::vector<std::string>& parameters, const char* key);

}  // namespace heed
