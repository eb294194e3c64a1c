// Files that are read whole: configs, vocabularies, tokenizer models, records of shards and of a
// cache. All of them are opened here (checked by tests/layering_test.py). Refused at once are a
// pipe or device, which may never begin or never end, a folder, and a file that is too large for
// its purpose.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace heed {

// Maximum size of such a file in bytes: a tokenizer model may have a million pieces.
inline constexpr uint64_t kLargestSmallFile = uint64_t{256} << 20;
// Maximum size in bytes of a list, record or manifest in JSON, which takes many times its size in
// memory.
inline constexpr uint64_t kLargestJsonFile = uint64_t{64} << 20;

// Reads a regular file of at most `limit` bytes, or a file of a packed model (packed_file.h). Throws IoError, which is_about_the_file().
std::string read_file(const std::filesystem::path& path, uint64_t limit);
// Reads the file in the same way; "" if it cannot be read.
std::string read_file_or_empty(const std::filesystem::path& path);

// Throws IoError if read_file() would refuse to open the file. For small files that are then read
// line by line.
void expect_regular_file(const std::filesystem::path& path);

}  // namespace heed
