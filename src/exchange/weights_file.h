// Parameters of a transformers model folder, in one file or several: model.safetensors or
// pytorch_model.bin, or else the files that model.safetensors.index.json or
// pytorch_model.bin.index.json lists.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "exchange/tensor_file.h"

namespace heed {

// Throws Error(kModel) that names the file and the fault; IoError.
class WeightsFile {
 public:
  explicit WeightsFile(const std::filesystem::path& folder);
  // Path of the one file, or of the list of files.
  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& name) const { return files_.contains(name); }
  // Shape of the first stored tensor among the names. Throws Error(kModel) if none of them exists.
  std::vector<int64_t> shape(const std::vector<std::string>& names) const;
  // Throws Error(kModel) if none of the names exists, or if the first one that does has another
  // shape.
  void expect(const std::vector<std::string>& names, const std::vector<int64_t>& expected) const;
  // Reads the first of the names that exists, in float32. Throws as expect() does, and if a number
  // is not finite.
  Tensor take(const std::vector<std::string>& names, const std::vector<int64_t>& shape);
  bool is_taken(const std::string& name) const { return taken_.contains(name); }
  // Reads a stored tensor in float32 without marking it as taken.
  Tensor read(const std::string& name) const;
  // Names that were not taken.
  std::vector<std::string> rest() const;

 private:
  void open(const std::filesystem::path& path);
  // First of the names that exists.
  const std::string& stored_name(const std::vector<std::string>& names) const;

  std::filesystem::path path_;
  std::map<std::string, std::shared_ptr<TensorFile>> files_;  // by name of the tensor
  std::set<std::string> taken_;
};

}  // namespace heed
