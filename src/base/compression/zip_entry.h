// Entries of a zip archive, as minizip reads its directory.
#pragma once

#include <minizip/unzip.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace heed {

struct ZipEntry {
  std::string name;
  unz_file_info64 facts{};

  bool is_encrypted() const {
    constexpr uLong kEncrypted = 1;
    return (facts.flag & kEncrypted) != 0;
  }
  // True for a path that leads out of the archive.
  bool leads_outside() const {
    const std::filesystem::path path = name;
    return path.is_absolute() || std::ranges::count(path, "..") > 0;
  }
};

// The entry that the archive is at; nullopt: the directory is damaged.
inline std::optional<ZipEntry> read_zip_entry(unzFile zip) {
  ZipEntry found;
  const auto read = [&](char* name) {
    return unzGetCurrentFileInfo64(zip, &found.facts, name, found.name.size(), nullptr, 0, nullptr,
                                   0) == UNZ_OK;
  };
  if (!read(nullptr)) return std::nullopt;
  found.name.resize(found.facts.size_filename);
  return read(found.name.data()) ? std::optional(found) : std::nullopt;
}

inline constexpr std::string_view kZipDirectoryEnd = "PK\x05\x06";

// True if the file ends with the directory of the archive and the comment that it announces; minizip
// reads others, too.
inline bool has_zip_end(unzFile zip, const Descriptor& file) {
  constexpr uint64_t kEndSize = 22;
  unz_global_info64 facts{};
  unzGetGlobalInfo64(zip, &facts);
  const uint64_t end = kEndSize + facts.size_comment, size = file.size();
  std::string bytes(kZipDirectoryEnd.size(), '\0');
  return size >= end && file.read_at(size - end, bytes.data(), bytes.size()) == bytes.size() &&
         bytes == kZipDirectoryEnd;
}

}  // namespace heed
