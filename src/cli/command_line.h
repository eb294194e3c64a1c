// The command line: a folder for each command, with a function that declares it. Wrong arguments
// throw Error(kUsage).
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace heed {

// Reads the arguments and runs the chosen command; returns the exit code.
int run_command_line(int argc, char** argv);

// Action of the chosen sub-command; set while the arguments are read, called afterwards.
using Chosen = std::function<int()>;

#define COMMAND(name) void add_##name(CLI::App& app, Chosen& chosen);
#include "cli/commands.def"
#undef COMMAND

}  // namespace heed
