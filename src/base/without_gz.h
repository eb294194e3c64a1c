// Names of files that may be packed by gzip.
#pragma once

#include <filesystem>

namespace heed {

// "train.en.gz" -> "train.en"; another name as it is.
inline std::filesystem::path without_gz(std::filesystem::path file) {
  if (file.extension() == ".gz") file.replace_extension();
  return file;
}

}  // namespace heed
