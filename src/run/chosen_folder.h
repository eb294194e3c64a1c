// The folder of a command that makes several runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace heed {

// option: of --run, from the current folder. in_config: the folder of the command's section. Without
// both, it is that of the run with the ending. Relative if it is below the current folder. Throws
// Error(kUsage) for an empty option, and for the folder of a run, which would be mixed with others.
std::filesystem::path choose_folder(const std::optional<std::string>& option,
                                    const std::optional<std::string>& in_config,
                                    const std::string& run, const char* ending);
// The path, relative if it is below the current folder, else absolute.
std::filesystem::path from_current_folder(const std::filesystem::path& path);

}  // namespace heed
