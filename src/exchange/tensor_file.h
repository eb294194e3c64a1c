// File of named tensors: safetensors, or a file of torch.save() (torch_file.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "nn/tensor.h"

namespace heed {

class TensorFile {
 public:
  virtual ~TensorFile() = default;
  virtual std::vector<std::string> names() const = 0;
  // Shape of a tensor that the file has.
  virtual std::vector<int64_t> shape(const std::string& name) const = 0;
  // Reads a tensor. Throws Error(kModel) if the file is damaged.
  virtual Tensor read(const std::string& name) = 0;
};

// Opens a file in the format that its first bytes show. Throws Error(kModel) that names the file
// and the fault; IoError.
std::unique_ptr<TensorFile> open_tensor_file(const std::filesystem::path& path);

}  // namespace heed
