// Commands of this program in child processes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/child_process.h"

namespace heed {

// The command `heed …` for a shell.
std::string shell_command(const std::vector<std::string>& arguments);

// Why a command failed: the last message of an error in its output, or its exit code.
std::string failure_of(const std::filesystem::path& output, int exit_code);

// Runs a command of heed, and waits. meanwhile: called every now and then. Throws Interrupted after a
// signal, which the command gets too, and an Error of the kind of its exit code if it fails.
void run_command(const ChildStart& start, const std::function<void()>& meanwhile = {});

}  // namespace heed
