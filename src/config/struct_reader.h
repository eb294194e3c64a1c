// Fills settings from a tree.
#pragma once

#include "config/problem_list.h"
#include "config/settings.h"
#include "config/tree.h"

namespace heed {

// Fills `settings` from the map `root`, then validates every struct. Short forms in the tree are
// expanded. saved: as in ReadOptions.
void read_settings(Node& root, Settings& settings, ProblemList& problems, bool saved = false);

}  // namespace heed
