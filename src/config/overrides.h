// `--set PATH=VALUE` on a tree.
#pragma once

#include <vector>

#include "config/reader.h"
#include "config/tree.h"

namespace heed {

// Puts the value at its path, making the maps on the way; what cannot be done is a problem of
// "--set PATH".
void apply_override(Node& root, const Override& given, std::vector<Problem>& problems);

}  // namespace heed
