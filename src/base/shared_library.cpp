#include "base/shared_library.h"

#include <dlfcn.h>

#include <utility>

#include "base/error.h"

namespace heed {

SharedLibrary::SharedLibrary(std::filesystem::path path,
                             const std::function<void(const std::string& reason)>& refuse)
    : path_(std::move(path)), handle_(dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) refuse(dlerror());
  HEED_CHECK(handle_ != nullptr, "{}", path_.string());
}

void* SharedLibrary::symbol(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr)
    throw_error(ErrorKind::kFailure, "{}: is of another version: it has no {}", path_.string(),
                name);
  return found;
}

}  // namespace heed
