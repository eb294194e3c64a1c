// A file of tensors by name: safetensors, or what torch.save() wrote (torch_file.h).
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
  // Of a tensor that it has.
  virtual std::vector<int64_t> shape(const std::string& name) const = 0;
  // Reads it. Throws Error(kModel) where the file is damaged.
  virtual Tensor read(const std::string& name) = 0;
};

// By its first bytes. Throws Error(kModel) that names the file and the fault; IoError.
std::unique_ptr<TensorFile> open_tensor_file(const std::filesystem::path& path);

}  // namespace heed
