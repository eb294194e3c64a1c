// model.bin of CTranslate2: named arrays and scalars, and aliases of them, in version 6 of its
// binary format (python/ctranslate2/specs/model_spec.py of CTranslate2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "nn/tensor.h"

namespace heed {

struct CTranslate2Variables {
  std::map<std::string, Tensor> arrays;        // float32, int16 or int8; scalars have no dimensions
  std::map<std::string, std::string> aliases;  // names of arrays that are the same
};

// spec: name of the architecture, with its revision. Throws Error(kIo).
void write_ctranslate2(const std::filesystem::path& path, const std::string& spec,
                       uint32_t revision, const CTranslate2Variables& variables);

}  // namespace heed
