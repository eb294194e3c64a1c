// Byte offsets of the lines of a plain file, separated as by LineReader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace heed {

// Offset of the first line that begins at or after `offset`; the size of the file if there is none.
// Reads only the line that holds the offset.
int64_t line_start_from(const std::filesystem::path& path, int64_t offset);
// Number of lines before an offset at which a line begins or the file ends. Reads all of them.
int64_t count_lines_before(const std::filesystem::path& path, int64_t offset);
// Offset after the first `lines` lines; nullopt if the file has fewer. Reads all of them.
std::optional<int64_t> offset_behind_lines(const std::filesystem::path& path, int64_t lines);

}  // namespace heed
