// The commands with their options as plain values, for what is generated from them: completion scripts
// and manual pages.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace heed {

struct CommandOption {
  std::vector<std::string> names;  // "-o", "--output"; a positional: "MODEL"
  std::string value;               // "FILE", "NAME"; empty: a flag
  std::vector<std::string> choices;
  std::string description, group;
  bool is_positional = false, is_required = false, is_repeated = false;
  bool names_file() const;  // or a folder
};

struct CommandNode {
  std::string name;  // with those above it: "heed plot attention"
  std::string description, footer;
  std::vector<CommandOption> options;
  std::vector<CommandNode> commands;  // below it; hidden ones are left out
  std::string last_name() const { return name.substr(name.rfind(' ') + 1); }
};

CommandNode command_tree(const CLI::App& app);

// The node and all below it, from the top down.
std::vector<const CommandNode*> all_commands(const CommandNode& root);

}  // namespace heed
