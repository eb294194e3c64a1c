// What is wrong with the arguments of a command, in words that say what to do.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heed {

// "heed config show" of the deepest sub-command that was named.
std::string full_name(const CLI::App& app);

// Throw Error(kUsage). The first one is called before the arguments are read: `-input` would be -i with
// the value "nput". The second one holds where help or the version is asked for, too; the third one
// finds a setting whose value stands behind a space.
void refuse_single_hyphens(const CLI::App& app, int argc, const char* const* argv);
void refuse_unknown_command(const CLI::App& app);
void refuse_settings_without_value(const CLI::App& app);

// Of arguments that CLI11 refuses; its own words where they are good enough.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace heed
