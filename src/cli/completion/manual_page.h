// Manual pages from the command tree, in the man macros of roff.
#pragma once

#include <string>

#include "cli/completion/command_tree.h"

namespace heed {

// heed(1) of the root; heed-plot-attention(1) of a command.
std::string manual_name(const CommandNode& command);  // "heed-plot-attention"
std::string manual_page(const CommandNode& command, const CommandNode& root);

}  // namespace heed
