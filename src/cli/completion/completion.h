// Texts made of the command tree: scripts that complete the command line in a shell, and manual
// pages.
#pragma once

#include <string>

#include "cli/completion/command_tree.h"

namespace heed {

// Each completes commands, options, the words that an option takes, and files.
std::string bash_completion(const CommandNode& root);
std::string zsh_completion(const CommandNode& root);
std::string fish_completion(const CommandNode& root);

// A manual page in the man macros of roff: heed(1) of the root, heed-plot-attention(1) of a command.
std::string manual_name(const CommandNode& command);  // "heed-plot-attention"
std::string manual_page(const CommandNode& command, const CommandNode& root);

}  // namespace heed
