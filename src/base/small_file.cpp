#include "base/small_file.h"

#include <cerrno>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/log.h"
#include "base/packed_file.h"

namespace heed {

namespace {

[[noreturn]] void refuse_size(const fs::path& path, uint64_t limit) {
  throw IoError(fmt::format("{}: has more than {} bytes, so it is not such a file; name another",
                            path.string(), format_count(static_cast<int64_t>(limit))),
                EISDIR);  // a file of another kind
}

}  // namespace

std::string read_file(const fs::path& path, uint64_t limit) {
  constexpr size_t kChunk = 1 << 18;
  if (auto packed = find_packed(path)) return *std::move(packed);
  const Descriptor file = Descriptor::open_regular(path);
  if (file.size() > limit) refuse_size(path, limit);
  std::string bytes;
  for (size_t size = 0;;) {
    bytes.resize(size + kChunk);
    const size_t count = file.read(bytes.data() + size, kChunk);
    size += count;
    if (size > limit) refuse_size(path, limit);  // it grows, or is of /proc, where all have size 0
    if (count == 0) {
      bytes.resize(size);
      return bytes;
    }
  }
}

std::string read_file(const fs::path& path) { return read_file(path, kLargestSmallFile); }

std::string read_file_or_empty(const fs::path& path) try {
  return read_file(path);
} catch (const IoError&) {
  return "";
}

void expect_regular_file(const fs::path& path) { Descriptor::open_regular(path); }

}  // namespace heed
