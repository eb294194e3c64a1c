// Options of `heed export`.
#pragma once

#include <string>

namespace heed {

struct ExportOptions {
  static constexpr const char* kEntry = "heed_export";  // of the library with tensors
  enum class Format { kHf, kCTranslate2 };
  Format format = Format::kHf;
  std::string model;
  std::string folder;  // that is made
};

}  // namespace heed
