#include "base/same_file.h"

#include "base/compression/stored_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <optional>

#include "base/descriptor.h"

namespace heed {

namespace fs = std::filesystem;

namespace {

std::string shown(const NamedFile& file, const char* stream) {
  return file.path == "-" ? stream : fmt::format("{} {}", file.option, file.path.string());
}

// stream: "standard input"
void refuse_two_streams(const std::vector<NamedFile>& files, const char* stream) {
  const NamedFile* first = nullptr;
  for (const NamedFile& file : files) {
    if (file.path != "-") continue;
    if (first != nullptr)
      throw_error(ErrorKind::kUsage, "{} - and {} -: only one of them can be {}; give a file",
                  first->option, file.option, stream);
    first = &file;
  }
}

std::optional<std::string> identity(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

std::optional<std::string> identity_of_stream(int number) {
  struct stat status {};
  return ::fstat(number, &status) == 0 ? identity(status) : std::nullopt;
}

// A file that does not exist yet is identified by its folder and name.
// A member of an archive is the archive.
std::optional<std::string> identity_of(const fs::path& named) {
  const fs::path path = find_stored(named).file;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return identity(status);
  std::error_code unknown;
  const fs::path folder = fs::canonical(folder_of(path), unknown);
  if (unknown) return std::nullopt;
  return (folder / path.filename()).string();
}

}  // namespace

void refuse_same_files(const std::vector<NamedFile>& inputs,
                       const std::vector<NamedFile>& outputs) {
  refuse_two_streams(inputs, "standard input");
  refuse_two_streams(outputs, "standard output");
  std::map<std::string, std::string> known;  // identity → description for messages
  for (const NamedFile& file : inputs) {
    const auto id = file.path == "-" ? identity_of_stream(STDIN_FILENO) : identity_of(file.path);
    if (id) known.emplace(*id, shown(file, "standard input"));
  }
  for (const NamedFile& file : outputs) {
    const auto id = file.path == "-" ? identity_of_stream(STDOUT_FILENO) : identity_of(file.path);
    if (!id) continue;
    const std::string name = shown(file, "standard output");
    const auto [other, is_new] = known.emplace(*id, name);
    if (is_new) continue;
    throw_error(ErrorKind::kUsage, "{}: is the same file as {}, which would be lost; name another",
                name, other->second);
  }
}

}  // namespace heed
