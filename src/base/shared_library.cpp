#include "base/shared_library.h"

#include <dlfcn.h>

#include "base/address_space.h"
#include "base/error.h"

namespace heed {

namespace {

std::filesystem::path find_library(const std::string& name,
                                   const std::vector<std::filesystem::path>& folders,
                                   const std::string& remedy) {
  for (const auto& folder : folders) {
    std::error_code ignored;
    auto path = (folder / name).lexically_normal();
    if (std::filesystem::exists(path, ignored)) return path;
  }
  throw_error(ErrorKind::kFailure, "{}: not found in {}; {}", name,
              folders.at(0).lexically_normal().string(), remedy);
}

}  // namespace

SharedLibrary::SharedLibrary(const std::string& name,
                             const std::vector<std::filesystem::path>& folders,
                             const std::string& remedy)
    : path_(find_library(name, folders, remedy)),
      handle_(dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr)
    throw_error(ErrorKind::kFailure, "{}: cannot be opened: {}{}", path_.string(), dlerror(),
                address_space_advice());
}

void* SharedLibrary::symbol(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr)
    throw_error(ErrorKind::kFailure, "{}: is of another version: it has no {}", path_.string(),
                name);
  return found;
}

}  // namespace heed
