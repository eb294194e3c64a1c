// The parameters of a model folder of transformers, in one file or several: model.safetensors or
// pytorch_model.bin, else those that model.safetensors.index.json or pytorch_model.bin.index.json
// lists.
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
  // Of the one file, or the list of them.
  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& name) const { return files_.contains(name); }
  // The shape of the first stored tensor among the names. Throws Error(kModel) if there is none.
  std::vector<int64_t> shape(const std::vector<std::string>& names) const;
  // Throws Error(kModel) if there is none of the names, or the first that there is has another shape.
  void expect(const std::vector<std::string>& names, const std::vector<int64_t>& expected) const;
  // The first of the names that there is, in float32. Throws as expect(), and if a number is not
  // finite.
  Tensor take(const std::vector<std::string>& names, const std::vector<int64_t>& shape);
  bool is_taken(const std::string& name) const { return taken_.contains(name); }
  // A tensor that there is, in float32, without taking it.
  Tensor read(const std::string& name) const;
  // Names that were not taken.
  std::vector<std::string> rest() const;

 private:
  void open(const std::filesystem::path& path);
  // The first of the names that there is.
  const std::string& stored_name(const std::vector<std::string>& names) const;

  std::filesystem::path path_;
  std::map<std::string, std::shared_ptr<TensorFile>> files_;  // by name of the tensor
  std::set<std::string> taken_;
};

}  // namespace heed
