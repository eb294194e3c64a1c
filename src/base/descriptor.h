// File descriptor that closes itself and reports failures as IoError: the path, the attempted
// action and the system's message. Calls that a signal interrupts are repeated.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace heed {

// Returns the result of a system call, repeated as long as a signal interrupts it.
template <class Call>
auto retried(Call call) {
  while (true) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

// Error(kIo) with the system's error number.
class IoError : public Error {
 public:
  IoError(const std::string& message, int number)
      : Error(ErrorKind::kIo, message), number_(number) {}
  int number() const { return number_; }  // value of errno
  // True if the cause is the file itself (missing, forbidden, of another kind). False for a
  // shortage or failure of the system, which the next attempt may not meet.
  bool is_about_the_file() const;

 private:
  int number_;
};

// Throws IoError: "PATH: cannot ACTION: message of errno", with advice for some errors.
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view action);
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view action,
                                 int number);

// Name of an input file in messages: "standard input" for "-".
std::string input_name(const std::filesystem::path& path);

class Descriptor {
 public:
  // "-" is standard input.
  static Descriptor open_to_read(const std::filesystem::path& path);
  // Opens a regular file. Throws IoError for a pipe or device, which may never begin or never end.
  static Descriptor open_regular(const std::filesystem::path& path);
  // Opens a regular file or a folder.
  static Descriptor open_entry(const std::filesystem::path& path);
  // flags: flags of open(2) besides writing. O_RDWR opens for reading too; O_CREAT accepts only a
  // regular file. "-" is standard output. Messages name `shown` instead of `path` if it is given.
  static Descriptor open_to_write(const std::filesystem::path& path, int flags,
                                  const std::filesystem::path& shown = {});
  // Creates a file in this folder without a name, which is deleted when it is closed. Returns
  // nullopt if the file system does not support this. give_name() makes it an ordinary file.
  static std::optional<Descriptor> open_unnamed(const std::filesystem::path& folder,
                                                const std::filesystem::path& shown);
  // Opens a folder and keeps it open, so that is_at() distinguishes it from a later folder with the
  // same name.
  static Descriptor open_folder(const std::filesystem::path& path);

  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();

  int number() const { return number_; }
  uint64_t size() const;  // of a regular file
  // Reads at most `size` bytes, as many as are available at once (a pipe gives what it holds).
  // Returns 0 only at the end.
  size_t read(char* bytes, size_t size) const;
  // Reads from this offset. Thread-safe.
  size_t read_at(uint64_t offset, char* bytes, size_t size) const;
  void write(std::string_view bytes) const;
  void seek(int64_t offset) const;
  void truncate(uint64_t size) const;
  void sync() const;
  void close();
  // Returns false if the name is taken.
  bool give_name(const std::filesystem::path& path) const;
  // True if `path` still names this file (same device and inode).
  bool is_at(const std::filesystem::path& path) const;
  // Locks the file until it is closed or the process ends. Returns false if another process has
  // locked it or the call fails (see errno).
  bool try_lock() const;
  // True if another process has locked the file. Holds a lock during the call.
  bool is_locked() const;

 private:
  Descriptor(int number, std::filesystem::path path, bool owned)
      : number_(number), path_(std::move(path)), owned_(owned) {}
  int number_;
  std::filesystem::path path_;
  bool owned_;
};

// fsync of a folder, so that new names in it survive a crash.
void sync_folder(const std::filesystem::path& folder);

// Unused name next to `path`: .NAME.XXXXXX.tmp.
std::filesystem::path temporary_sibling(const std::filesystem::path& path);
// True if a path has the form of such a name.
bool is_temporary(const std::filesystem::path& path);
std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace heed
