// The safetensors format: eight bytes of header length, a JSON header, raw little-endian tensors.
// Own reader and writer, because torch::load takes a flipped bit silently and torch::save ends the process on a full disk.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "nn/tensor.h"

namespace heed {

using NamedTensors = std::map<std::string, Tensor>;

// float32, float64, float16, bfloat16, int64, int32, uint8, bool. Error(kIo) if it cannot be written.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors);
// Error(kModel) on anything that is not whole: header beyond the file, overlapping or missing bytes, unknown types.
NamedTensors read_safetensors(const std::filesystem::path& path);

}  // namespace heed
