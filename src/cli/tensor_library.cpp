#include "cli/tensor_library.h"

#include "base/system/system.h"
#include "load/fast_model.h"
#include "load/with_libtorch.h"

namespace heed {

SharedLibrary open_tensor_library(const std::string& what) {
  const auto folder = own_program().parent_path();
  return open_with_libtorch("libheed_tensors.so",
                            {folder / HEED_LIBRARY_FOLDER, folder / "../lib", folder}, what);
}

TextModel load_with_tensors(const ModelRequest& request) {
  TextModel model;
  open_tensor_library(reason_for_libtorch(request))
      .function<decltype(heed_load_with_tensors)>("heed_load_with_tensors")(request, model);
  return model;
}

std::unique_ptr<AttentionMapsSource> load_attention_maps(const ModelRequest& request) {
  std::unique_ptr<AttentionMapsSource> maps;
  open_tensor_library("a request for attention maps")
      .function<decltype(heed_load_attention_maps)>("heed_load_attention_maps")(request, maps);
  return maps;
}

}  // namespace heed
