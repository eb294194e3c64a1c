// Access to everything that needs libtorch: a shared library that is opened by the first command or
// model that needs it, so that all other commands start at once.
#pragma once

#include <memory>
#include <string>

#include "base/shared_library.h"
#include "load/model_request.h"
#include "serve/attention_maps_source.h"
#include "translate/text_model.h"

namespace heed {

// Opens the library; the functions below also do so. what: needs it. Throws the errors of
// open_with_libtorch(): MissingLibrary if this installation has no such library or no libtorch.
SharedLibrary open_tensor_library(const std::string& what);

// Runs a command and returns its exit code. The library exports the function Options::kEntry
// (tensors/entry.h). Throws what the command throws.
template <class Options>
int run_with_tensors(const Options& options) {
  return open_tensor_library("this command")
      .template function<int(const Options&)>(Options::kEntry)(options);
}

// Loads a model that libtorch computes, with its engine; throws the same errors.
TextModel load_with_tensors(const ModelRequest& request);
// Attention maps of a model, by layer and head; the same errors.
std::unique_ptr<AttentionMapsSource> load_attention_maps(const ModelRequest& request);

}  // namespace heed

// Functions exported by the library; only the functions above call them.
extern "C" void heed_load_with_tensors(const heed::ModelRequest& request, heed::TextModel& model);
extern "C" void heed_load_attention_maps(const heed::ModelRequest& request,
                                         std::unique_ptr<heed::AttentionMapsSource>& maps);
