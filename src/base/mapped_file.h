// The bytes of a file as memory (mmap), read-only. Processes that map the same file share its pages,
// and the system takes them back where memory is short.
#pragma once

#include <filesystem>
#include <string_view>

namespace heed {

// The file may be replaced or removed meanwhile, but nobody may shorten it: reading what is no longer
// there ends the process.
class MappedFile {
 public:
  // A regular file. Throws IoError.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace heed
