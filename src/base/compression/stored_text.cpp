#include "base/compression/stored_text.h"

#include "base/folder.h"

namespace heed {

StoredText find_stored(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return {path};
  for (std::filesystem::path file = path.parent_path(); !file.empty() && file != file.parent_path();
       file = file.parent_path())
    if (is_plain_file(file)) return {file, path.lexically_relative(file).string()};
  return {path};
}

bool is_stored_text(const std::filesystem::path& path) {
  return is_plain_file(find_stored(path).file);
}

}  // namespace heed
