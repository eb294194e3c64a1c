#include "heed/loaded_model.h"

#include <dlfcn.h>

#include <filesystem>

#include "load/fast_model.h"
#include "load/network_entry.h"
#include "load/with_libtorch.h"

namespace heed {

namespace {

// Folder of the library file that contains this code.
std::filesystem::path own_folder() {
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(&load_model), &info);
  return std::filesystem::weakly_canonical(info.dli_fname).parent_path();
}

}  // namespace

TextModel load_model(const ModelRequest& request) {
  if (auto model = load_fast_model(request)) return std::move(*model);
  const SharedLibrary library = open_with_libtorch("libheed_network.so." HEED_VERSION,
                                                   {own_folder()}, reason_for_libtorch(request));
  TextModel model;
  library.function<decltype(heed_load_network)>("heed_load_network")(request, model);
  return model;
}

}  // namespace heed
