// Content hashes (XXH3, 128 bits), as 32 hexadecimal digits.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace heed {

std::string hash_bytes(std::string_view bytes);
// The hash of a file, also of one in a packed model (packed_file.h).
std::string hash_file(const std::filesystem::path& path);

// The same of bytes that come one after the other.
class ContentHash {
 public:
  ContentHash();
  ~ContentHash();
  void add(std::string_view bytes);
  std::string digest() const;  // of all so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed
