// Patterns that select parameters by name, as in train.freeze.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Whether a pattern selects a parameter: the beginning of its name up to a '.' or '_' ("encoder",
// "decoder.layer_0", "encoder_source"), its last part ("embedding", "bias"), or with '*' for any
// characters the whole name ("decoder.*.weight").
bool selects(std::string_view pattern, const std::string& parameter);
// The parameters that one of the patterns selects. Throws Error(kUsage) that begins with `key` if a
// pattern selects none.
std::set<std::string> selected(const std::vector<std::string>& patterns,
                               const std::vector<std::string>& parameters, const char* key);

}  // namespace heed
