// Commands of this program in child processes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heed {

// Why a command failed: the last message of an error in its output, or its exit code.
std::string failure_of(const std::filesystem::path& output, int exit_code);

// Runs heed with these arguments, and waits. output: file of its standard output and error. Throws
// Interrupted after a signal, which the command gets too, and Error(kFailure) if it fails.
void run_command(const std::vector<std::string>& arguments, const std::filesystem::path& output);

}  // namespace heed
