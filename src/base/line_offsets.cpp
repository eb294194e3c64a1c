#include "base/line_offsets.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/descriptor.h"

namespace heed {

namespace {

constexpr size_t kStep = size_t{1} << 20;

// Calls take(bytes, their offset) for the bytes of a file from `offset` on, in their order, until it
// returns false. Returns the offset at which the file ends, if that was reached.
template <class Take>
std::optional<int64_t> read_from(const std::filesystem::path& path, int64_t offset, Take take) {
  const Descriptor file = Descriptor::open_regular(path);
  std::vector<char> buffer(kStep);
  while (const size_t count =
             file.read_at(static_cast<uint64_t>(offset), buffer.data(), buffer.size())) {
    if (!take(std::string_view(buffer.data(), count), offset)) return std::nullopt;
    offset += static_cast<int64_t>(count);
  }
  return offset;
}

}  // namespace

int64_t line_start_from(const std::filesystem::path& path, int64_t offset) {
  if (offset == 0) return 0;
  int64_t start = 0;
  const auto end = read_from(path, offset - 1, [&](std::string_view bytes, int64_t at) {
    const size_t feed = bytes.find('\n');
    start = at + static_cast<int64_t>(feed) + 1;
    return feed == std::string_view::npos;
  });
  return end.value_or(start);
}

int64_t count_lines_before(const std::filesystem::path& path, int64_t offset) {
  int64_t lines = 0;
  char last = '\n';
  read_from(path, 0, [&](std::string_view bytes, int64_t at) {
    bytes = bytes.substr(0, static_cast<size_t>(offset - at));
    lines += std::ranges::count(bytes, '\n');
    if (!bytes.empty()) last = bytes.back();
    return at + static_cast<int64_t>(bytes.size()) < offset;
  });
  return lines + (last != '\n');
}

std::optional<int64_t> offset_behind_lines(const std::filesystem::path& path, int64_t lines) {
  if (lines == 0) return 0;
  int64_t left = lines, found = 0;
  char last = '\n';
  const auto end = read_from(path, 0, [&](std::string_view bytes, int64_t at) {
    last = bytes.back();
    const int64_t feeds = std::ranges::count(bytes, '\n');
    if (feeds < left) {
      left -= feeds;
      return true;
    }
    size_t feed = bytes.find('\n');
    while (--left > 0) feed = bytes.find('\n', feed + 1);
    found = at + static_cast<int64_t>(feed) + 1;
    return false;
  });
  if (!end) return found;
  const bool ends_open = last != '\n';  // the last line has no line feed
  return left == 1 && ends_open ? end : std::nullopt;
}

}  // namespace heed
