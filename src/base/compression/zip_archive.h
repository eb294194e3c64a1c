// Zip archives that hold a folder, such as a package of another program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace heed {

// Writes the files of `folder` into a new archive, below the folder `name`, compressed by deflate.
// Throws Error(kIo), and leaves an unfinished archive then.
void write_zip(const std::filesystem::path& archive, const std::filesystem::path& folder,
               const std::string& name);

// A file of an archive.
struct ZipContent {
  std::string name;
  std::function<std::string()> bytes;
};
// Writes files into a new archive, without compression. Throws as write_zip().
void write_stored_zip(const std::filesystem::path& archive, const std::vector<ZipContent>& files);

// True for a file that begins as a zip archive does.
bool is_zip(const std::filesystem::path& path);

// Largest content of an archive that is unpacked, in bytes.
inline constexpr uint64_t kLargestUnpacked = uint64_t{64} << 30;

// Unpacks an archive into an existing folder. Throws Error(kModel) for one that is damaged, encrypted,
// larger than kLargestUnpacked, or has a path that leads out of the folder, and Error(kIo).
void unpack_zip(const std::filesystem::path& archive, const std::filesystem::path& folder);

// Calls take() with the name and the bytes of each file in it. Throws as unpack_zip().
void read_zip(const std::filesystem::path& archive,
              const std::function<void(const std::string& name, std::string bytes)>& take);

}  // namespace heed
