// Options of `heed trim`.
#pragma once

#include <string>
#include <vector>

#include "text/trimmed_codecs.h"

namespace heed {

// Texts, each FILE or NAME=FILE as for data/column_reader.h.
struct TrimTexts {
  const char *source_option, *target_option;
  std::vector<std::string> sources{}, targets{}, all{};
  bool empty() const { return sources.empty() && targets.empty() && all.empty(); }
};

struct TrimOptions {
  static constexpr const char* kEntry = "heed_trim";  // of the library with tensors
  std::string model, output;
  TrimTexts corpus{"--source", "--target"};
  TrimTexts check{"--check-source", "--check-target"};  // other text, which is compared alone
  TrimSettings settings;
};

}  // namespace heed
