// A tree as YAML that the parser takes back unchanged.
#pragma once

#include <string>

#include "config/tree.h"

namespace heed {

// Block style, two spaces a level; small maps and lists of scalars on one line.
std::string print_tree(const Node& map);

// All on one line: {type: lstm, layers: 2}.
std::string print_inline(const Node& node);

}  // namespace heed
