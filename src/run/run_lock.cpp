#include "run/run_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "base/host.h"
#include "base/log.h"
#include "base/run_folder_names.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

// Again after a moment if another has it: maybe one that only looks (Descriptor::is_locked()).
bool try_lock(const Descriptor& file) {
  constexpr useconds_t kMoment = 20'000;
  if (file.try_lock()) return true;
  if (errno != EWOULDBLOCK) return false;
  usleep(kMoment);
  return file.try_lock();
}

// The holder of the lock as it has written itself into the file.
std::string holder(const Descriptor& file) {
  constexpr size_t kLongest = 512;
  std::array<char, kLongest> text{};
  std::string found(text.data(), file.read_at(0, text.data(), text.size()));
  while (!found.empty() && found.back() == '\n') found.pop_back();
  return found.empty() ? "another process" : found;
}

// For the message of others alone, so that it may fail.
void write_holder(const Descriptor& file) {
  const std::string text =
      fmt::format("process {} on {}\n", getpid(), host_name().value_or("an unknown host"));
  if (ftruncate(file.number(), 0) < 0) return;
  [[maybe_unused]] const ssize_t written = pwrite(file.number(), text.data(), text.size(), 0);
}

}  // namespace

std::string holder_of_lock(const fs::path& folder) {
  return holder(Descriptor::open_to_read(folder / kRunLock));
}

RunLock::RunLock(const fs::path& folder, const char* work)
    : file_(Descriptor::open_to_write(folder / kRunLock, O_RDWR | O_CREAT)),
      folder_(Descriptor::open_to_read(folder)) {
  const bool is_held = !try_lock(folder_) && errno == EWOULDBLOCK;
  if (!is_held && try_lock(file_)) {
    write_holder(file_);
    return;
  }
  if (!is_held && errno != EWOULDBLOCK) {
    spdlog::warn("{}: cannot be locked ({}): see that no other process writes to this folder",
                 folder.string(), std::strerror(errno));
    return;
  }
  throw_error(ErrorKind::kIo, "{}: {} {}", folder.string(), holder(file_), work);
}

}  // namespace heed
