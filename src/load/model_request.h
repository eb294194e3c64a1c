// Models that are loaded for translation.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace heed {

// The names of number formats on the command line and in the library.
inline const std::map<std::string, Precision>& precision_words() {
  static const std::map<std::string, Precision> words = {
      {"fp32", Precision::kFloat}, {"bf16", Precision::kBFloat16}, {"int8", Precision::kInt8}};
  return words;
}

struct ModelRequest {
  std::vector<std::string> paths;  // runs, checkpoints or model folders; several: an ensemble
  std::string device = "auto";
  std::optional<Precision> precision{};  // none: that of a packed model, else float32
};

}  // namespace heed
