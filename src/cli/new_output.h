// Outputs that replace nothing: models, and what is made of one.
#pragma once

#include <string>

#include "base/error.h"
#include "base/file.h"

namespace heed {

// Throws Error(kUsage) if the output is there. option: "-o "; kind: "folder" or "file".
inline void refuse_existing(const char* option, const std::string& output, const char* kind) {
  if (is_there(output))
    throw_error(ErrorKind::kUsage, "{}{}: exists already; name another {}, or remove it first",
                option, output, kind);
}

}  // namespace heed
