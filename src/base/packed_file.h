// A model in one file, as `heed pack` writes it. The file is in the safetensors format: its tensors
// are the parameters, packed for the kernels, and the files of the model folder. It is mapped into
// memory, so that processes share it.
//
// Such a file takes the place of a model folder: NAME.heed/config.yaml is its file config.yaml for
// read_file(), is_there(), hash_file() and the reader of configs.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/safetensors_header.h"

namespace heed {

class PackedFile {
 public:
  // Checks the hash over the whole file. Throws Error(kModel) for a file that is damaged, cut off or
  // of a later version, and IoError. A file that is open already is not read again.
  static std::shared_ptr<const PackedFile> open(const std::filesystem::path& path);

  // Tensors without the files. The bytes of each matrix begin at a multiple of 64.
  const TensorEntries& tensors() const { return tensors_; }
  std::string_view bytes(const std::string& tensor) const;
  // nullopt: it has no such file.
  std::optional<std::string_view> file(const std::string& name) const;

 private:
  explicit PackedFile(const std::filesystem::path& path);

  MappedFile mapped_;
  std::string_view data_;
  TensorEntries tensors_;
  std::map<std::string, std::string_view> files_;
};

// True for a regular file that begins as a packed model.
bool is_packed_file(const std::filesystem::path& path);
// Reads the file with a path such as NAME.heed/config.yaml; nullopt: NAME.heed is not a packed model, or
// lacks the file. Throws as PackedFile::open().
std::optional<std::string> find_packed(const std::filesystem::path& path);

struct PackedTensor {
  std::string name;
  ElementType type = ElementType::kFloat32;
  std::vector<int64_t> shape;
  std::string_view bytes;  // a multiple of 64 of them if another tensor follows
};
// Writes the tensors in this order, one behind the other. The file appears whole, or not at all.
// Throws IoError.
void write_packed_file(const std::filesystem::path& path, std::span<const PackedTensor> tensors,
                       const std::map<std::string, std::string>& files);

}  // namespace heed
