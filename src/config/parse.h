// Parses YAML text to a tree, and changes the tree by `--set PATH=VALUE`. YAML features that a config
// does not need are refused: anchors, aliases, tags, several documents, keys other than plain text,
// more than 64 levels, more than 1 MiB.
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

// Returns nullopt if the text cannot be parsed; `problems` then holds the reason. A repeated key is
// a problem too, but the tree is returned with its first value.
std::optional<Node> parse_yaml(std::string_view text, const std::string& file,
                               std::vector<Problem>& problems);

// Puts the value at its path, making the maps on the way; what cannot be done is a problem of
// "--set PATH".
void apply_override(Node& root, const Override& given, std::vector<Problem>& problems);

}  // namespace heed
