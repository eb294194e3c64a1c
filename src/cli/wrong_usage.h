// Messages for wrong arguments of a command, which say what to do.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace heed {

// "heed config show" of the deepest sub-command that was named.
std::string full_name(const CLI::App& app);

// Throw Error(kUsage). The first one is called before the arguments are read: `-input` would be -i
// with the value "nput". The second one also applies if help or the version is requested. The third
// one finds a setting that is separated from its value by a space.
void refuse_single_hyphens(const CLI::App& app, int argc, const char* const* argv);
void refuse_unknown_command(const CLI::App& app);
void refuse_settings_without_value(const CLI::App& app);

// Message for arguments that CLI11 refuses; the message of CLI11 where it is good enough.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

}  // namespace heed
