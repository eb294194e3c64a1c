// Libraries of heed that need libtorch, and what to install where one of them is missing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/shared_library.h"

namespace heed {

// A library is not installed: libtorch, or one of heed that needs it.
class MissingLibrary : public Error {
 public:
  explicit MissingLibrary(const std::string& message) : Error(ErrorKind::kIo, message) {}
};

// Opens the library of this name in the first of the folders that has it. what: needs it, the
// subject of the messages: "this command". Throws MissingLibrary with what installs it, and as
// refuse_library().
SharedLibrary open_with_libtorch(const std::string& name,
                                 const std::vector<std::filesystem::path>& folders,
                                 const std::string& what);

// Throws for a library that dlopen() cannot open, as `reason` says: MissingLibrary for libtorch,
// Error(kIo) for another file that is missing, Error(kFailure) for all the rest.
[[noreturn]] void refuse_library(const std::filesystem::path& library, const std::string& reason,
                                 const std::string& what);

}  // namespace heed
