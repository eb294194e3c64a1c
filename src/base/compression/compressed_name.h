// Formats of compressed files, by the endings of their names and by their first bytes.
#pragma once

#include <filesystem>
#include <string_view>

namespace heed {

enum class Compression { kGzip, kXz, kZstd, kZip };

struct CompressionFormat {
  Compression compression;
  const char *name, *ending;  // "gzip", ".gz"
  const char* command;        // "gzip -dc": writes the text of a file to standard output
};

// Returns nullptr if the name has no such ending or the bytes are of no such format.
const CompressionFormat* format_of_name(const std::filesystem::path& file);
const CompressionFormat* format_of_bytes(std::string_view beginning);
// True if `beginning` is too short to tell: more bytes may make it a format.
bool may_begin_format(std::string_view beginning);

// "train.en.gz" -> "train.en"; another name as it is.
std::filesystem::path without_compression(std::filesystem::path file);

}  // namespace heed
