// The file that holds a text. A text may be a member of a zip archive: the path of the archive goes on
// with the name of the member, `opus.zip/Tatoeba.de-en.de`.
#pragma once

#include <filesystem>
#include <string>

namespace heed {

struct StoredText {
  std::filesystem::path file;
  std::string member{};  // "": the file itself, or the only text of an archive
};

// A path that leads through a file is that of a member.
StoredText find_stored(const std::filesystem::path& path);

// True if the text is in a regular file, so that it can be read several times.
bool is_stored_text(const std::filesystem::path& path);

}  // namespace heed
