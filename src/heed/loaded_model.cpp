#include "heed/loaded_model.h"

#include "heed/network_library.h"
#include "load/fast_model.h"
#include "load/network_entry.h"

namespace heed {

TextModel load_model(const ModelRequest& request) {
  if (auto model = load_fast_model(request)) return std::move(*model);
  const SharedLibrary library = open_network_library(reason_for_libtorch(request));
  TextModel model;
  library.function<decltype(heed_load_network)>("heed_load_network")(request, model);
  return model;
}

}  // namespace heed
