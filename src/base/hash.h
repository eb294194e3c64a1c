// Content hashes (XXH3, 128 bits), as 32 hexadecimal digits.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heed {

std::string hash_bytes(std::string_view bytes);
std::string hash_file(const std::filesystem::path& path);

}  // namespace heed
