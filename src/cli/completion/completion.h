// Scripts that complete the command line of heed in a shell.
#pragma once

#include <string>

#include "cli/completion/command_tree.h"

namespace heed {

// Each completes commands, options, the words that an option takes, and files.
std::string bash_completion(const CommandNode& root);
std::string zsh_completion(const CommandNode& root);
std::string fish_completion(const CommandNode& root);

}  // namespace heed
