// Calls of Linux beyond POSIX. linux.cpp makes them; plain.cpp has a plain way for each function, for
// other systems (macOS, BSD) and, with HEED_PLAIN_SYSTEM, for tests on Linux. No other file of src/
// uses such calls, apart from the instruction sets in kernels/. A function that returns int returns
// -1 and sets errno where it cannot do its work, as system calls do.
#pragma once

#include <sys/socket.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heed {

// Path of the program that runs; and a path that starts it again, also when another version has
// replaced the file, if the system can.
std::filesystem::path own_program();
std::string own_program_to_start();
// Path that opens the file of this descriptor once more.
std::string descriptor_path(int descriptor);
bool is_descriptor_path(const std::filesystem::path& path);
// Path at which the file of this descriptor is now, after renames; nullopt: unknown.
std::optional<std::filesystem::path> current_path(int descriptor);
size_t open_descriptors();

// A new file without a name in this folder; EOPNOTSUPP: the system or the file system has none.
int open_without_name(const std::filesystem::path& folder);
// A folder, only to keep it; the user need not be allowed to read it.
int open_to_keep(const std::filesystem::path& folder);
int open_in_memory();
// Two names change places, for others at once if the system can; ENOENT: there is no `other`; others:
// the system or the file system cannot do it.
int exchange_names(const std::filesystem::path& one, const std::filesystem::path& other);
// Renames a file unless `to` exists.
int rename_to_free_name(const std::filesystem::path& from, const std::filesystem::path& to);
int64_t modification_nanoseconds(const struct stat& status);  // since 1970

// Sockets of streams, which a child process does not inherit.
enum class Waiting { kBlocks, kReturns };
int open_socket(int family, Waiting waiting);
// The accepted connection does not block.
int accept_connection(int socket, sockaddr* address, socklen_t* size);
// The other end has closed the connection, or will not send any more.
bool has_hung_up(int socket);

// Cores that this process may use; nullopt: unknown.
std::optional<int64_t> allowed_cores();
// A part of these: `count` from `first` on; 0: all.
class CoreSet {
 public:
  CoreSet(int64_t first, int64_t count);
  // Binds this process to them, if the system can. Allowed between fork and exec.
  void bind() const;

 private:
  std::vector<unsigned char> set_;  // as the system has it; empty: all
};
// SIGTERM for this process when its parent ends, if the system can. Allowed between fork and exec.
void end_with_parent();

struct MemoryUse {
  double mapped = 0, resident = 0;  // bytes
};
MemoryUse memory_use();

}  // namespace heed
