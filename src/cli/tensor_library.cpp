#include "cli/tensor_library.h"

#include <filesystem>

#include "base/shared_library.h"

namespace heed {

namespace {

SharedLibrary opened_library() {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return {"libheed_tensors.so",
          {folder / HEED_LIBRARY_FOLDER, folder / "../lib", folder},
          "this command needs it: install heed-tensors, or build with HEED_TENSORS=ON"};
}

}  // namespace

void open_tensor_library() { opened_library(); }

int run_with_tensors(const TensorCommand& command) {
  return opened_library().function<decltype(heed_run_with_tensors)>("heed_run_with_tensors")(
      command);
}

TextModel load_with_tensors(const ModelRequest& request) {
  TextModel model;
  opened_library().function<decltype(heed_load_with_tensors)>("heed_load_with_tensors")(request,
                                                                                        model);
  return model;
}

std::unique_ptr<AttentionMapsSource> load_attention_maps(const ModelRequest& request) {
  std::unique_ptr<AttentionMapsSource> maps;
  opened_library().function<decltype(heed_load_attention_maps)>("heed_load_attention_maps")(request,
                                                                                            maps);
  return maps;
}

}  // namespace heed
