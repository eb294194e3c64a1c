#if !defined(__linux__) || defined(HEED_PLAIN_SYSTEM)

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "base/descriptor.h"
#include "base/system/system.h"

namespace heed {

namespace fs = std::filesystem;

namespace {

int close_on_exec(int descriptor) {
  if (descriptor >= 0) ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

void make_nonblocking(int socket) {
  if (socket >= 0) ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
}

constexpr const char* kDescriptorPaths = "/dev/fd/";

}  // namespace

// Name by which the loader found the program, as a shell that found it by PATH gave it.
fs::path own_program() {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&own_program), &info);
  const fs::path name = info.dli_fname == nullptr ? "" : info.dli_fname;
  if (name.has_parent_path()) return fs::absolute(name);
  const char* variable = std::getenv("PATH");
  const std::string folders = variable == nullptr ? "" : variable;
  for (size_t start = 0; start <= folders.size();) {
    const size_t end = std::min(folders.find(':', start), folders.size());
    const fs::path candidate = fs::path(folders.substr(start, end - start)) / name;
    if (::access(candidate.c_str(), X_OK) == 0) return fs::absolute(candidate);
    start = end + 1;
  }
  return fs::absolute(name);
}

std::string own_program_to_start() { return own_program().string(); }

std::string descriptor_path(int descriptor) {
  return kDescriptorPaths + std::to_string(descriptor);
}

bool is_descriptor_path(const fs::path& path) {
  return path.native().starts_with(kDescriptorPaths);
}

std::optional<fs::path> current_path([[maybe_unused]] int descriptor) {
#if defined(F_GETPATH)
  constexpr size_t kLongest = 1024;  // MAXPATHLEN
  std::array<char, kLongest> path{};
  if (::fcntl(descriptor, F_GETPATH, path.data()) == 0) return fs::path(path.data());
#endif
  return std::nullopt;
}

size_t open_descriptors() {
  constexpr int kMost = 65'536;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  size_t count = 0;
  for (int i = 0; i < kMost && static_cast<rlim_t>(i) < files.rlim_cur; ++i)
    count += ::fcntl(i, F_GETFD) >= 0 ? 1 : 0;
  return count;
}

int open_without_name(const fs::path&) {
  errno = EOPNOTSUPP;
  return -1;
}

int open_to_keep(const fs::path& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int open_in_memory() {
  std::error_code unknown;
  std::string name = (fs::temp_directory_path(unknown) / "heed.XXXXXX").string();
  const int number = close_on_exec(::mkstemp(name.data()));
  if (number >= 0) ::unlink(name.c_str());
  return number;
}

// Both names have a file all the time. Folders have no second name (EPERM).
int exchange_names(const fs::path& one, const fs::path& other) {
  const fs::path aside = temporary_sibling(other);
  if (::link(other.c_str(), aside.c_str()) < 0) return -1;
  if (::rename(one.c_str(), other.c_str()) == 0) return ::rename(aside.c_str(), one.c_str());
  const int error = errno;
  ::unlink(aside.c_str());
  errno = error;
  return -1;
}

int rename_to_free_name(const fs::path& from, const fs::path& to) {
  return ::link(from.c_str(), to.c_str()) == 0 ? ::unlink(from.c_str()) : -1;
}

int64_t modification_nanoseconds(const struct stat& status) {
  constexpr int64_t kSecond = 1'000'000'000;
#if defined(__APPLE__)
  const timespec& time = status.st_mtimespec;
#else
  const timespec& time = status.st_mtim;
#endif
  return time.tv_sec * kSecond + time.tv_nsec;
}

int open_socket(int family, Waiting waiting) {
  const int opened = close_on_exec(::socket(family, SOCK_STREAM, 0));
  if (waiting == Waiting::kReturns) make_nonblocking(opened);
  return opened;
}

int accept_connection(int socket, sockaddr* address, socklen_t* size) {
  const int accepted = close_on_exec(::accept(socket, address, size));
  make_nonblocking(accepted);
  return accepted;
}

bool has_hung_up(int socket) {
  char next = 0;
  const ssize_t count = ::recv(socket, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

std::optional<int64_t> allowed_cores() { return std::nullopt; }

CoreSet::CoreSet(int64_t, int64_t) {}

void CoreSet::bind() const {}

void end_with_parent() {}

// The most that was resident; what is mapped is unknown.
MemoryUse memory_use() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
#if defined(__APPLE__)
  constexpr double kUnit = 1;
#else
  constexpr double kUnit = 1024;
#endif
  return {0, static_cast<double>(use.ru_maxrss) * kUnit};
}

}  // namespace heed

#endif
