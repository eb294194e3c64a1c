// The parameters of a model folder of transformers: model.safetensors. pytorch_model.bin is a pickle,
// which can run code, and whose dictionaries libtorch's own reader (torch::pickle_load) leaves out:
// it is refused with the way to convert it.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "model/safetensors.h"

namespace heed {

// Throws Error(kModel) that names the file and the fault; IoError.
class WeightsFile {
 public:
  explicit WeightsFile(const std::filesystem::path& folder);
  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& name) const { return tensors_.contains(name); }
  // The first of the names that the file has, in float32. Error(kModel) if it has none of them, or
  // the shape is another.
  Tensor take(const std::vector<std::string>& names, const std::vector<int64_t>& shape);
  // Names that were not taken.
  std::vector<std::string> rest() const;

 private:
  std::filesystem::path path_;
  NamedTensors tensors_;
  std::set<std::string> taken_;
};

}  // namespace heed
