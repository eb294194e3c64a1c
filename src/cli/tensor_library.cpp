#include "cli/tensor_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <vector>

#include "base/error.h"

namespace heed {

namespace {

namespace fs = std::filesystem;
constexpr const char* kName = "libheed_tensors.so";

fs::path find_library() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {"../lib", "../" HEED_LIBRARY_FOLDER, "."}) {
    std::error_code ignored;
    const fs::path path = (folder / place / kName).lexically_normal();
    if (fs::exists(path, ignored)) return path;
  }
  throw_error(ErrorKind::kFailure,
              "{}: not found in {}; this command needs it: build with HEED_TENSORS=ON, or install "
              "heed completely",
              kName, (folder / "../lib").lexically_normal().string());
}

// Never closed: libtorch cannot be unloaded.
void* opened_library() {
  const fs::path path = find_library();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw_error(ErrorKind::kFailure, "{}: cannot be opened: {}", path.string(), dlerror());
  return library;
}

template <class Function>
Function* function_of_library(const char* name) {
  const auto function = reinterpret_cast<Function*>(dlsym(opened_library(), name));
  HEED_CHECK(function != nullptr, "{} is of another version", kName);
  return function;
}

}  // namespace

void open_tensor_library() { opened_library(); }

int run_with_tensors(const TensorCommand& command) {
  return function_of_library<decltype(heed_run_with_tensors)>("heed_run_with_tensors")(command);
}

TextModel load_with_tensors(const ModelRequest& request) {
  TextModel model;
  function_of_library<decltype(heed_load_with_tensors)>("heed_load_with_tensors")(request, model);
  return model;
}

std::unique_ptr<AttentionMapsSource> load_attention_maps(const ModelRequest& request) {
  std::unique_ptr<AttentionMapsSource> maps;
  function_of_library<decltype(heed_load_attention_maps)>("heed_load_attention_maps")(request,
                                                                                      maps);
  return maps;
}

}  // namespace heed
