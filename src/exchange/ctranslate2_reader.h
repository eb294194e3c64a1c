// Reads model.bin of CTranslate2: named arrays and scalars, and aliases of them, in versions 1 to 6
// of its binary format (src/models/model.cc of CTranslate2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "nn/tensor.h"

namespace heed {

class CTranslate2Reader {
 public:
  struct Variable {
    std::vector<int64_t> shape;  // of a scalar empty
    torch::ScalarType type;      // float32, int8, int16, int32, float16 or bfloat16
    uint64_t offset, bytes;      // where its numbers lie in the file
  };

  // Reads what variables there are. Each lies within the file, so no more memory is taken than the
  // file has. Throws Error(kModel) that names the file and the fault; IoError.
  explicit CTranslate2Reader(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  uint32_t version() const { return version_; }  // of the binary format
  const std::string& spec() const {
    return spec_;
  }                                                // name of the architecture; before version 2 ""
  uint32_t revision() const { return revision_; }  // of the spec: names of the variables
  const std::map<std::string, Variable>& variables() const { return variables_; }
  // The variable that each alias stands for.
  const std::map<std::string, std::string>& aliases() const { return aliases_; }
  Tensor read(const std::string& name) const;  // a variable, in its type

 private:
  std::filesystem::path path_;
  Descriptor file_;
  uint32_t version_ = 0, revision_ = 1;
  std::string spec_;
  std::map<std::string, Variable> variables_;
  std::map<std::string, std::string> aliases_;
};

}  // namespace heed
