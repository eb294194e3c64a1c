// Temporary folder of a test.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"

namespace heed {

// Names of all files and folders below a folder, hidden ones too, relative and sorted.
inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    names.push_back(entry.path().lexically_relative(folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "heed-test-XXXXXX").string();
    HEED_CHECK(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::vector<std::string> names() const { return names_in(path_); }

 private:
  std::filesystem::path path_;
};

inline void write_plainly(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string read_plainly(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace heed

// Expects that the statement throws an Error of this kind whose message contains `part`.
#define EXPECT_ERROR(statement, expected_kind, part)                      \
  do {                                                                    \
    try {                                                                 \
      statement;                                                          \
      ADD_FAILURE() << "nothing was thrown by " #statement;               \
    } catch (const ::heed::Error& error) {                                \
      EXPECT_EQ(error.kind(), expected_kind) << error.what();             \
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos)  \
          << "'" << error.what() << "' does not hold '" << (part) << "'"; \
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos); \
    }                                                                     \
  } while (false)
