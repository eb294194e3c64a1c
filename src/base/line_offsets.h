// Where the lines of a plain file begin, as LineReader separates them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace heed {

// The offset of the first line that begins at this offset or behind it; the size of the file if none
// does. Reads no more than the line that the offset is in.
int64_t line_start_from(const std::filesystem::path& path, int64_t offset);
// How many lines begin before an offset at which a line begins or the file ends. Reads all of them.
int64_t count_lines_before(const std::filesystem::path& path, int64_t offset);
// The offset behind the first `lines` lines; nullopt if there are fewer. Reads all of them.
std::optional<int64_t> offset_behind_lines(const std::filesystem::path& path, int64_t lines);

}  // namespace heed
