#include "packed/stored_tensors.h"

#include "base/log.h"

namespace heed {

namespace {

std::variant<SafetensorsFile, PackedWeights> open(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  if (is_packed_file(folder)) return PackedWeights(folder, PackedFile::open(folder));
  return SafetensorsFile(path);
}

}  // namespace

StoredTensors::StoredTensors(const std::filesystem::path& path) : tensors_(open(path)) {}

const TensorEntries& StoredTensors::entries() const {
  const PackedWeights* own = packed();
  return own != nullptr ? own->parameters() : std::get<SafetensorsFile>(tensors_).entries();
}

std::optional<Precision> packed_precision(const std::filesystem::path& model) {
  if (!is_packed_file(model)) return std::nullopt;
  return PackedWeights(model, PackedFile::open(model)).precision();
}

void warn_of_rounded_weights(const std::filesystem::path& model) {
  const auto precision = packed_precision(model);
  if (precision && *precision != Precision::kFloat)
    spdlog::warn(
        "{}: has weights that are rounded to {}; those of the model that it was packed "
        "from are exact",
        model.string(), precision_word(*precision));
}

void StoredTensors::read(const std::string& name, void* to) const {
  std::visit([&](const auto& tensors) { tensors.read(name, to); }, tensors_);
}

}  // namespace heed
