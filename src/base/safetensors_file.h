// A safetensors file: eight bytes of header length, a JSON header, raw little-endian tensors.
// Own reader because existing ones check less: a damaged file must never load as another model.
#pragma once

#include <filesystem>
#include <string>

#include "base/descriptor.h"
#include "base/safetensors_header.h"

namespace heed {

// Everything throws Error(kModel) if the file is damaged: header beyond the file, overlapping or
// missing bytes, unknown types. The constructor has checked the whole header.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);
  const TensorEntries& entries() const { return entries_; }
  // All elements of a tensor, to memory of its size.
  void read(const std::string& name, void* to) const;

 private:
  std::filesystem::path path_;
  Descriptor file_;
  TensorEntries entries_;
  uint64_t data_ = 0;  // byte behind the header
};

// The length of the header, as it stands before it.
inline constexpr uint64_t kHeaderLengthBytes = 8;

}  // namespace heed
