// Packs a model into one file (packed/packed_weights.h).
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "kernels/kernels.h"

namespace heed {

struct PackedSize {
  uint64_t model = 0, packed = 0;  // bytes
  bool needs_libtorch = false;     // to translate
};

// Files of a packed model beside those of its model folder.
inline constexpr const char* kModelCard = "card.yaml";
inline constexpr const char* kShortlist = "shortlist";

struct PackOptions {
  Precision precision = Precision::kInt8;
  std::map<std::string, std::string> files{};  // further files by name
};

// Packs a run, a checkpoint or a model folder. The packed model translates as `model` does with
// this precision. Throws Error(kModel), and Error(kUsage) for a model that is packed already.
PackedSize pack_model(const std::string& model, const std::filesystem::path& output,
                      const PackOptions& options);

}  // namespace heed
