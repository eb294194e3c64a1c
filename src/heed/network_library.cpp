#include "heed/network_library.h"

#include <dlfcn.h>

#include <filesystem>

#include "load/with_libtorch.h"

namespace heed {

namespace {

// Folder of the library file that contains this code.
std::filesystem::path own_folder() {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&open_network_library), &info);
  return std::filesystem::weakly_canonical(info.dli_fname).parent_path();
}

}  // namespace

SharedLibrary open_network_library(const std::string& what) {
  return open_with_libtorch("libheed_network.so." HEED_VERSION, {own_folder()}, what);
}

}  // namespace heed
