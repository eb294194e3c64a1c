// Tensors in the safetensors format (base/safetensors_file.h). Own code because torch::load takes a
// flipped bit silently and torch::save ends the process on a full disk. Files are byte for byte those
// of the format's own library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "nn/tensor.h"
#include "packed/stored_tensors.h"

namespace heed {

using NamedTensors = std::map<std::string, Tensor>;

// float32, float64, float16, bfloat16, int64, int32, uint8, bool, on any device. The file appears
// whole and synced, or not at all. Error(kIo) if it cannot be written.
// metadata: as in make_header().
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata = {});

// Error(kModel) if the file is damaged: header beyond the file, overlapping or missing bytes,
// unknown types.
NamedTensors read_safetensors(const std::filesystem::path& path);

torch::ScalarType scalar_type(ElementType type);
// In messages: "[3,4]".
std::string shape_text(c10::IntArrayRef shape);

// Reads tensors one by one, each directly into its destination; also those of a packed model, for
// which the path is NAME.heed/model.safetensors. Everything throws Error(kModel); the constructor has
// checked the whole header.
class SafetensorsReader {
 public:
  explicit SafetensorsReader(const std::filesystem::path& path) : file_(path) {}
  const TensorEntries& entries() const { return file_.entries(); }
  Tensor read(const std::string& name);
  // Into a tensor of the same type and shape, on any device, contiguous or not.
  void read_into(const std::string& name, Tensor tensor);

 private:
  StoredTensors file_;
};

}  // namespace heed
