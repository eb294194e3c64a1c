// Files that are read whole: configs, vocabularies, tokenizer models, records of shards and of a
// cache. They are opened here and nowhere else (tests/layering_test.py holds that). A pipe or device,
// which might never begin or never end, is refused at once, as is a folder or a file that is too
// large for what it should be.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace heed {

// Bytes of the largest of them: a tokenizer model may have a million pieces.
inline constexpr uint64_t kLargestSmallFile = uint64_t{256} << 20;
// Bytes of the largest list, record or manifest in JSON, which takes many times its size in memory.
inline constexpr uint64_t kLargestJsonFile = uint64_t{64} << 20;

// A regular file of at most so many bytes. Throws IoError, which is_about_the_file().
std::string read_file(const std::filesystem::path& path, uint64_t limit);
// The same; "" where it cannot be read.
std::string read_file_or_empty(const std::filesystem::path& path);

// Throws IoError for what read_file() would not open: before a small file is read line by line.
void expect_regular_file(const std::filesystem::path& path);

}  // namespace heed
