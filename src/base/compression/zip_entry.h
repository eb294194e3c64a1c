// Entries of a zip archive, as minizip reads its directory.
#pragma once

#include <minizip/unzip.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

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

}  // namespace heed
