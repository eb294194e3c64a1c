#include "base/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

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
    case EACCES:
    case EPERM:
      return "; check who owns it and its permissions";
    default:
      return "";
  }
}

}  // namespace

void throw_io_error(const fs::path& path, std::string_view action) {
  const int error = errno;
  throw_error(ErrorKind::kIo, "{}: cannot {}: {}{}", path.string(), action,
              std::generic_category().message(error), advice(error));
}

Descriptor Descriptor::open_to_read(const fs::path& path) {
  if (is_standard_stream(path)) return {STDIN_FILENO, "standard input", false};
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number < 0) throw_io_error(path, "open");
  return {number, path, true};
}

Descriptor Descriptor::open_to_write(const fs::path& path, int flags) {
  if (is_standard_stream(path)) return {STDOUT_FILENO, "standard output", false};
  const int number = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (number < 0) throw_io_error(path, "write");
  return {number, path, true};
}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)),
      path_(std::move(other.path_)),
      owned_(other.owned_) {}

Descriptor::~Descriptor() {
  if (owned_ && number_ >= 0) ::close(number_);
}

size_t Descriptor::read(char* bytes, size_t size) const {
  while (true) {
    const ssize_t count = ::read(number_, bytes, size);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) throw_io_error(path_, "read");
  }
}

void Descriptor::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::write(number_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) throw_io_error(path_, "write");
    if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
  }
}

void Descriptor::seek(int64_t offset) const {
  if (::lseek(number_, offset, SEEK_SET) < 0) throw_io_error(path_, "go back");
}

void Descriptor::sync() const {
  // Some file systems, and everything that is no file, know no fsync: EINVAL, EROFS.
  if (::fsync(number_) < 0 && errno != EINVAL && errno != EROFS) throw_io_error(path_, "write");
}

void Descriptor::close() {
  if (!owned_) return;
  if (::close(std::exchange(number_, -1)) < 0) throw_io_error(path_, "write");
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

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

}  // namespace heed
