#include "train/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"
#include "base/log.h"

namespace heed {

namespace {

namespace fs = std::filesystem;
constexpr size_t kLongestName = 256;

std::string host() {
  std::array<char, kLongestName> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown host";
}

// The holder of the lock as it has written itself into the file.
std::string holder(int file) {
  std::array<char, 2 * kLongestName> text{};
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  std::string found(text.data(), size > 0 ? static_cast<size_t>(size) : 0);
  while (!found.empty() && found.back() == '\n') found.pop_back();
  return found.empty() ? "another process" : found;
}

// For the message of others alone, so that it may fail.
void write_holder(int file) {
  const std::string text = fmt::format("process {} on {}\n", getpid(), host());
  if (ftruncate(file, 0) < 0) return;
  [[maybe_unused]] const ssize_t written = pwrite(file, text.data(), text.size(), 0);
}

bool lock(int file) {
  while (flock(file, LOCK_EX | LOCK_NB) < 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

}  // namespace

RunLock::RunLock(const fs::path& folder)
    : file_(open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0) {
    throw_error(ErrorKind::kIo, "{}: cannot write: {}", (folder / ".lock").string(),
                std::strerror(errno));
  }
  if (lock(file_)) {
    write_holder(file_);
    return;
  }
  if (errno != EWOULDBLOCK) {
    spdlog::warn("{}: cannot be locked ({}): see that no other process trains this run",
                 folder.string(), std::strerror(errno));
    return;
  }
  const std::string other = holder(file_);
  close(file_);
  throw_error(ErrorKind::kIo,
              "{}: {} is training this run; wait until it ends or stop it, or train another run "
              "(--run FOLDER)",
              folder.string(), other);
}

RunLock::~RunLock() { close(file_); }

}  // namespace heed
