#include "packed/stored_tensors.h"

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

void StoredTensors::read(const std::string& name, void* to) const {
  std::visit([&](const auto& tensors) { tensors.read(name, to); }, tensors_);
}

}  // namespace heed
