// Detects a file that a command would read and write at once, or a standard stream that it would
// use twice.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heed {

// A file and the option that names it; "-" is standard input or output.
struct NamedFile {
  std::string option;  // "--output"
  std::filesystem::path path;
};

// Throws Error(kUsage) if an output is also an input or another output, even under different paths
// or links, or if two files are the same standard stream. Pipes and devices may be given several
// times.
void refuse_same_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace heed
