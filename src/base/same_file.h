// One file that a command would read and write at once, or a standard stream that it would use twice.
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
// by which they are named, or if two are the same standard stream. Pipes and devices may stand for
// several.
void refuse_same_files(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace heed
