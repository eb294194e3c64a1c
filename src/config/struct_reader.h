// From a tree to settings.
#pragma once

#include "config/problem_list.h"
#include "config/settings.h"
#include "config/tree.h"

namespace heed {

// Fills `settings` from the map `root`, then lets every struct validate. Short forms in the tree
// are spelled out. saved: ReadOptions'.
void read_settings(Node& root, Settings& settings, ProblemList& problems, bool saved = false);

}  // namespace heed
