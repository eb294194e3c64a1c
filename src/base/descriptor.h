// A file descriptor that closes itself and speaks in Error(kIo): path, what was tried, what the
// system said. The base of file.h; code above base/ has no need of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/error.h"

namespace heed {

// Throws Error(kIo): "PATH: cannot ACTION: what errno says"; with advice where there is one.
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view action);

class Descriptor {
 public:
  // "-" is standard input.
  static Descriptor open_to_read(const std::filesystem::path& path);
  // flags: of open(2), besides writing. "-" is standard output.
  static Descriptor open_to_write(const std::filesystem::path& path, int flags);

  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();

  // At most `size` bytes, as many as there are at once (a pipe gives what it holds); 0 only at the
  // end.
  size_t read(char* bytes, size_t size) const;
  void write(std::string_view bytes) const;
  void seek(int64_t offset) const;
  void sync() const;
  void close();

 private:
  Descriptor(int number, std::filesystem::path path, bool owned)
      : number_(number), path_(std::move(path)), owned_(owned) {}
  int number_;
  std::filesystem::path path_;
  bool owned_;
};

// Makes the names in a folder last.
void sync_folder(const std::filesystem::path& folder);

// A name beside `path` that no file has: .NAME.XXXXXX.tmp.
std::filesystem::path temporary_sibling(const std::filesystem::path& path);
std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace heed
