#if defined(__linux__) && !defined(HEED_PLAIN_SYSTEM)

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <sstream>

#include "base/small_file.h"
#include "base/system/system.h"

namespace heed {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDescriptorPaths = "/proc/self/fd/";

}  // namespace

fs::path own_program() { return fs::read_symlink(own_program_to_start()); }

std::string own_program_to_start() { return "/proc/self/exe"; }

std::string descriptor_path(int descriptor) {
  return kDescriptorPaths + std::to_string(descriptor);
}

bool is_descriptor_path(const fs::path& path) {
  return path.native().starts_with(kDescriptorPaths);
}

std::optional<fs::path> current_path(int descriptor) {
  std::error_code unknown;
  fs::path path = fs::canonical(descriptor_path(descriptor), unknown);
  return unknown ? std::nullopt : std::optional(std::move(path));
}

size_t open_descriptors() {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(kDescriptorPaths), fs::directory_iterator()));
}

int open_without_name(const fs::path& folder) {
  constexpr mode_t kUsersMask = 0666;
  const int number = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, kUsersMask);
  // Kernels and file systems without such files take the folder for the file.
  if (number < 0 && (errno == EISDIR || errno == EINVAL)) errno = EOPNOTSUPP;
  return number;
}

int open_to_keep(const fs::path& folder) {
  return ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int open_in_memory() { return memfd_create("heed", MFD_CLOEXEC); }

int exchange_names(const fs::path& one, const fs::path& other) {
  return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
}

int rename_to_free_name(const fs::path& from, const fs::path& to) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
}

int64_t modification_nanoseconds(const struct stat& status) {
  constexpr int64_t kSecond = 1'000'000'000;
  return status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec;
}

int open_socket(int family, Waiting waiting) {
  const int flags = SOCK_CLOEXEC | (waiting == Waiting::kReturns ? SOCK_NONBLOCK : 0);
  return ::socket(family, SOCK_STREAM | flags, 0);
}

int accept_connection(int socket, sockaddr* address, socklen_t* size) {
  return ::accept4(socket, address, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

bool has_hung_up(int socket) {
  pollfd watched{.fd = socket, .events = POLLRDHUP, .revents = 0};
  return poll(&watched, 1, 0) > 0 && (watched.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

// The system call fails if the machine has more cores than cpu_set_t (1024).
std::optional<int64_t> allowed_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return std::nullopt;
  return CPU_COUNT(&cores);
}

CoreSet::CoreSet(int64_t first, int64_t count) {
  cpu_set_t all, part;
  CPU_ZERO(&all);
  CPU_ZERO(&part);
  if (count == 0 || sched_getaffinity(0, sizeof(all), &all) != 0) return;
  int64_t number = 0;
  for (size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &all)) continue;
    if (number >= first && number < first + count) CPU_SET(core, &part);
    ++number;
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(&part);
  if (CPU_COUNT(&part) > 0) set_.assign(bytes, bytes + sizeof(part));
}

void CoreSet::bind() const {
  if (!set_.empty())
    sched_setaffinity(0, set_.size(), reinterpret_cast<const cpu_set_t*>(set_.data()));
}

void end_with_parent() { prctl(PR_SET_PDEATHSIG, SIGTERM); }

MemoryUse memory_use() {
  double mapped = 0, resident = 0;  // pages
  std::istringstream(read_file_or_empty("/proc/self/statm")) >> mapped >> resident;
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  return {mapped * page, resident * page};
}

}  // namespace heed

#endif
