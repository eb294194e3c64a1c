#include "base/descriptor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

#include "base/system/system.h"

namespace heed {

namespace fs = std::filesystem;

namespace {

bool is_standard_stream(const fs::path& path) { return path == "-"; }

std::string_view advice(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; free some space, or write to another disk";
    case EFBIG:
      return "; raise the limit on file sizes (ulimit -f), or write less";
    case EMFILE:
    case ENFILE:
      return "; too many files are open: raise `ulimit -n` or end other programs";
    case EACCES:
    case EPERM:
      return "; check who owns it and its permissions";
    default:
      return "";
  }
}

constexpr mode_t kUsersMask = 0666;  // the mode of new files, before the user's mask

[[noreturn]] void refuse_kind(const fs::path& path, std::string_view advice = "") {
  throw IoError(fmt::format("{}: is not a regular file{}", path.string(), advice), EISDIR);
}

void expect_regular(int number, const fs::path& path, std::string_view action) {
  struct stat status {};
  if (::fstat(number, &status) < 0) throw_io_error(path, action);
  if (S_ISDIR(status.st_mode)) throw_io_error(path, action, EISDIR);
  if (S_ISFIFO(status.st_mode))
    refuse_kind(path, " but a pipe; write what it gives to a file, and name that");
  if (!S_ISREG(status.st_mode)) refuse_kind(path);
}

}  // namespace

bool IoError::is_about_the_file() const {
  switch (number_) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case EACCES:
    case EPERM:
      return true;
    default:
      return false;
  }
}

void throw_io_error(const fs::path& path, std::string_view action) {
  throw_io_error(path, action, errno);
}

void throw_io_error(const fs::path& path, std::string_view action, int number) {
  throw IoError(fmt::format("{}: cannot {}: {}{}", path.string(), action,
                            std::generic_category().message(number), advice(number)),
                number);
}

std::string input_name(const fs::path& path) {
  return is_standard_stream(path) ? "standard input" : path.string();
}

Descriptor Descriptor::open_to_read(const fs::path& path) {
  if (is_standard_stream(path)) return {STDIN_FILENO, input_name(path), false};
  const int number = retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (number < 0) throw_io_error(path, "open");
  return {number, path, true};
}

Descriptor Descriptor::open_entry(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? open_to_read(path) : open_regular(path);
}

Descriptor Descriptor::open_regular(const fs::path& path) {
  // O_NONBLOCK: opening a pipe would wait for a writer otherwise.
  const int number =
      retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (number < 0) throw_io_error(path, "open");
  Descriptor file(number, path, true);
  expect_regular(number, path, "read");
  return file;
}

Descriptor Descriptor::open_to_write(const fs::path& path, int flags, const fs::path& shown) {
  if (is_standard_stream(path)) return {STDOUT_FILENO, "standard output", false};
  const int access = (flags & O_RDWR) != 0 ? 0 : O_WRONLY;
  // Opening must not wait if a pipe has the name of the new file.
  const bool is_regular = (flags & O_CREAT) != 0;
  if (is_regular) flags |= O_NONBLOCK;
  const int number =
      retried([&] { return ::open(path.c_str(), access | O_CLOEXEC | flags, kUsersMask); });
  if (number < 0 && is_regular && errno == ENXIO)
    refuse_kind(path, " but a pipe");  // without a reader
  if (number < 0) throw_io_error(shown.empty() ? path : shown, "write");
  Descriptor file(number, shown.empty() ? path : shown, true);
  if (is_regular) expect_regular(number, path, "write");
  return file;
}

std::optional<Descriptor> Descriptor::open_unnamed(const fs::path& folder, const fs::path& shown) {
  const int number = retried([&] { return open_without_name(folder); });
  if (number < 0) {
    if (errno == EOPNOTSUPP) return std::nullopt;
    throw_io_error(shown, "write");
  }
  Descriptor file(number, shown, true);
  // Without /proc, it could never get a name.
  if (::access(descriptor_path(number).c_str(), F_OK) < 0) return std::nullopt;
  return file;
}

Descriptor Descriptor::open_folder(const fs::path& path) {
  const int number = retried([&] { return open_to_keep(path); });
  if (number < 0) throw_io_error(path, "open");
  return {number, path, true};
}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)),
      path_(std::move(other.path_)),
      owned_(other.owned_) {}

Descriptor::~Descriptor() {
  if (owned_ && number_ >= 0) ::close(number_);
}

uint64_t Descriptor::size() const {
  struct stat status {};
  if (::fstat(number_, &status) < 0) throw_io_error(path_, "read");
  return static_cast<uint64_t>(status.st_size);
}

size_t Descriptor::read(char* bytes, size_t size) const {
  const ssize_t count = retried([&] { return ::read(number_, bytes, size); });
  if (count < 0) throw_io_error(path_, "read");
  return static_cast<size_t>(count);
}

size_t Descriptor::read_at(uint64_t offset, char* bytes, size_t size) const {
  const ssize_t count =
      retried([&] { return ::pread(number_, bytes, size, static_cast<off_t>(offset)); });
  if (count < 0) throw_io_error(path_, "read");
  return static_cast<size_t>(count);
}

void Descriptor::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = retried([&] { return ::write(number_, bytes.data(), bytes.size()); });
    if (count < 0) throw_io_error(path_, "write");
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

void Descriptor::seek(int64_t offset) const {
  if (::lseek(number_, offset, SEEK_SET) < 0) throw_io_error(path_, "go back");
}

void Descriptor::truncate(uint64_t size) const {
  if (retried([&] { return ::ftruncate(number_, static_cast<off_t>(size)); }) < 0)
    throw_io_error(path_, "shorten");
}

void Descriptor::sync() const {
  // Some file systems, and everything except files and folders, do not support fsync: EINVAL,
  // EROFS.
  if (retried([&] { return ::fsync(number_); }) < 0 && errno != EINVAL && errno != EROFS)
    throw_io_error(path_, "write");
}

void Descriptor::close() {
  if (!owned_) return;
  // Linux has closed the descriptor even if a signal interrupts close(), so it is not tried again.
  if (::close(std::exchange(number_, -1)) < 0 && errno != EINTR) throw_io_error(path_, "write");
}

bool Descriptor::give_name(const fs::path& path) const {
  const std::string own = descriptor_path(number_);
  const int result = retried(
      [&] { return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW); });
  if (result < 0 && errno != EEXIST) throw_io_error(path_, "write");
  return result == 0;
}

bool Descriptor::is_at(const fs::path& path) const {
  struct stat own {
  }, found{};
  if (::fstat(number_, &own) < 0) throw_io_error(path_, "read");
  return ::stat(path.c_str(), &found) == 0 && own.st_dev == found.st_dev &&
         own.st_ino == found.st_ino;
}

bool Descriptor::try_lock() const {
  return retried([&] { return ::flock(number_, LOCK_EX | LOCK_NB); }) == 0;
}

bool Descriptor::is_locked() const {
  if (retried([&] { return ::flock(number_, LOCK_SH | LOCK_NB); }) < 0) return errno == EWOULDBLOCK;
  ::flock(number_, LOCK_UN);
  return false;
}

void sync_folder(const fs::path& folder) { Descriptor::open_to_read(folder).sync(); }

fs::path temporary_sibling(const fs::path& path) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr int kLength = 6;
  std::random_device random;
  while (true) {
    std::string letters;
    for (int i = 0; i < kLength; ++i) letters += kLetters[random() % kLetters.size()];
    const fs::path sibling =
        folder_of(path) / fmt::format(".{}.{}.tmp", path.filename().string(), letters);
    struct stat unused {};
    if (::lstat(sibling.c_str(), &unused) < 0) return sibling;
  }
}

bool is_temporary(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr size_t kTail = sizeof(".XXXXXX.tmp") - 1;
  return name.size() > kTail + 1 && name.front() == '.' && name.ends_with(".tmp") &&
         name[name.size() - kTail] == '.';
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace heed
