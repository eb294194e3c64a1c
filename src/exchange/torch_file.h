// Files of torch.save() that hold the parameters of a model by name: pytorch_model.bin. Since
// PyTorch 1.6 they are zip archives, with the state dict in data.pkl and a file for each storage;
// before, the same one behind the other.
#pragma once

#include <filesystem>
#include <memory>

#include "exchange/stored_tensors.h"
#include "exchange/tensor_file.h"

namespace heed {

// nullptr: the file is of neither form. Throws Error(kModel) that names the file and the fault where
// it holds anything but tensors by name (stored_tensors.h), is damaged or ends early; IoError.
// Nothing that it holds is run.
std::unique_ptr<TensorFile> open_torch_file(const std::filesystem::path& path);

// TorchCheckpoint of a training, in a zip archive.
struct TorchCheckpoint {
  std::unique_ptr<TensorFile> tensors;
  Json values;
};
// Reads the entries that the keys name (stored_tensors.h). Throws Error(kModel) that names the file
// and the fault; IoError. Nothing that it holds is run.
TorchCheckpoint open_checkpoint(const std::filesystem::path& path, const CheckpointKeys& keys);

}  // namespace heed
