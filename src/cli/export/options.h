// Options of `heed export`.
#pragma once

#include <optional>
#include <string>

#include "kernels/kernels.h"

namespace heed {

struct ExportOptions {
  static constexpr const char* kEntry = "heed_export";  // of the library with tensors
  enum class Format { kHf, kCTranslate2 };
  Format format = Format::kHf;
  std::string model;
  std::string folder;                  // that is made
  std::optional<Precision> precision;  // of CTranslate2: float32 or int8; none: that of the model
};

}  // namespace heed
