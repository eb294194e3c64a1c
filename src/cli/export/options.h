// Options of `heed export`.
#pragma once

#include <optional>
#include <string>

#include "kernels/kernels.h"

namespace heed {

struct ExportOptions {
  static constexpr const char* kEntry = "heed_export";  // of the library with tensors
  enum class Format { kHf, kCTranslate2, kArgos, kMarian };
  Format format = Format::kHf;
  std::string model;
  std::string output;                  // folder that is made, or file of a package
  std::optional<Precision> precision;  // of CTranslate2: float32 or int8; none: that of the model
  std::string source_language, target_language;  // of Argos Translate; "": those of the model
  // "file" for a package, "folder" for others.
  const char* kind() const { return format == Format::kArgos ? "file" : "folder"; }
  std::string marian_format = "npz";  // npz, bin or int8
  std::string shortlist;              // lexicon, for Marian
  std::string calibration;            // file of source lines, for int8
};

}  // namespace heed
