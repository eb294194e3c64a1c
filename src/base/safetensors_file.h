// Reads a safetensors file: eight bytes of header length, a JSON header, raw little-endian tensors.
// heed has its own reader because existing ones check less: a damaged file must never load as
// another model.
#pragma once

#include <filesystem>
#include <string>

#include "base/descriptor.h"
#include "base/safetensors_header.h"

namespace heed {

// All functions throw Error(kModel) if the file is damaged: header beyond the file, overlapping or
// missing bytes, unknown types. The constructor checks the whole header.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);
  const TensorEntries& entries() const { return entries_; }
  // Copies all elements of a tensor to memory of its size.
  void read(const std::string& name, void* to) const;

 private:
  std::filesystem::path path_;
  Descriptor file_;
  TensorEntries entries_;
  uint64_t data_ = 0;  // offset of the first byte after the header
};

// Number of bytes of the header length, which precedes the header.
inline constexpr uint64_t kHeaderLengthBytes = 8;

}  // namespace heed
