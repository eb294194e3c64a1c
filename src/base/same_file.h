// One file that a command would read and write at once.
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

// Throws Error(kUsage) if an output is an input too, or another output, whatever the paths and links
// by which they are named. Pipes and devices may stand for several.
void refuse_same_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace heed
