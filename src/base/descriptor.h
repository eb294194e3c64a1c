// A file descriptor that closes itself and reports failures as IoError: path, what was tried, what
// the system said. Every call that a signal interrupts is made again.
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

// The result of a system call, made again as long as a signal interrupts it.
template <class Call>
auto retried(Call call) {
  while (true) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

// Error(kIo) that knows the system's reason.
class IoError : public Error {
 public:
  IoError(const std::string& message, int number)
      : Error(ErrorKind::kIo, message), number_(number) {}
  int number() const { return number_; }  // as errno has it
  // Whether the reason is the file itself (missing, forbidden, of another kind) and not a shortage
  // or failure of the system, which the next attempt may not have.
  bool is_about_the_file() const;

 private:
  int number_;
};

// Throws IoError: "PATH: cannot ACTION: what errno says"; with advice where there is one.
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view action);
[[noreturn]] void throw_io_error(const std::filesystem::path& path, std::string_view action,
                                 int number);

// What messages call a file that is read: "standard input" for "-".
std::string input_name(const std::filesystem::path& path);

class Descriptor {
 public:
  // "-" is standard input.
  static Descriptor open_to_read(const std::filesystem::path& path);
  // Only a regular file; a pipe or device, which might never end or never begin, is an IoError.
  static Descriptor open_regular(const std::filesystem::path& path);
  // The same, or a folder.
  static Descriptor open_entry(const std::filesystem::path& path);
  // flags: those of open(2) besides writing; O_RDWR: reading too; O_CREAT: only a regular file. "-"
  // is standard output. Messages name `shown` instead of `path` if it is given.
  static Descriptor open_to_write(const std::filesystem::path& path, int flags,
                                  const std::filesystem::path& shown = {});
  // A file in this folder that has no name and is gone when it is closed; nullopt where the file
  // system has none. give_name() makes it an ordinary one.
  static std::optional<Descriptor> open_unnamed(const std::filesystem::path& folder,
                                                const std::filesystem::path& shown);
  // Opens a folder and keeps it open, so that is_at() distinguishes it from a later one of the same
  // name.
  static Descriptor open_folder(const std::filesystem::path& path);

  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();

  int number() const { return number_; }
  uint64_t size() const;  // of a regular file
  // At most `size` bytes, as many as there are at once (a pipe gives what it holds); 0 only at the
  // end.
  size_t read(char* bytes, size_t size) const;
  // The same from this offset; from any thread.
  size_t read_at(uint64_t offset, char* bytes, size_t size) const;
  void write(std::string_view bytes) const;
  void seek(int64_t offset) const;
  void truncate(uint64_t size) const;
  void sync() const;
  void close();
  // False if something has this name already.
  bool give_name(const std::filesystem::path& path) const;
  // Whether `path` still names this file (same device and inode).
  bool is_at(const std::filesystem::path& path) const;
  // Locks the file until it is closed or the process ends; false: another has it, or errno says
  // why.
  bool try_lock() const;
  // Whether another has locked it. Holds a lock for the moment of the call.
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

// A name beside `path` that no file has: .NAME.XXXXXX.tmp.
std::filesystem::path temporary_sibling(const std::filesystem::path& path);
// Is it such a name, of any file?
bool is_temporary(const std::filesystem::path& path);
std::filesystem::path folder_of(const std::filesystem::path& path);

}  // namespace heed
