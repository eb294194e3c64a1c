// The parameters of a model, as a model folder or a packed model stores them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "base/safetensors_file.h"
#include "packed/packed_weights.h"

namespace heed {

class StoredTensors {
 public:
  // path: of model.safetensors in the folder, or in the packed model that takes its place. Throws
  // Error(kModel) for a damaged file.
  explicit StoredTensors(const std::filesystem::path& path);
  // Names, types and shapes; the offsets are those of a model folder alone.
  const TensorEntries& entries() const;
  // Copies all elements of a tensor to memory of its size; those of a packed matrix are rounded.
  void read(const std::string& name, void* to) const;
  // nullptr for a model folder.
  const PackedWeights* packed() const { return std::get_if<PackedWeights>(&tensors_); }

 private:
  std::variant<SafetensorsFile, PackedWeights> tensors_;
};

// The precision of a packed model; nullopt for a model folder. model: find_model()
std::optional<Precision> packed_precision(const std::filesystem::path& model);
// Warns of a packed model whose weights are rounded, where a model is made from them.
void warn_of_rounded_weights(const std::filesystem::path& model);

}  // namespace heed
