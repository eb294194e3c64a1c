// YAML text to a tree. What a config has no use for (anchors, aliases, tags, several documents,
// keys that are no plain text, more than 64 levels or 1 MiB) is refused before it can do harm.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/reader.h"
#include "config/tree.h"

namespace heed {

inline constexpr size_t kLargestConfig = 1 << 20;  // bytes
inline constexpr size_t kDeepestConfig = 64;       // levels

// nullopt if the text cannot be read at all; `problems` then says why. A key that is given twice is
// a problem too, but leaves a tree with the first one.
std::optional<Node> parse_yaml(std::string_view text, const std::string& file,
                               std::vector<Problem>& problems);

}  // namespace heed
