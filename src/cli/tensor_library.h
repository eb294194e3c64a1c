// Access to everything that needs libtorch: a shared library that is opened by the first command or
// model that needs it, so that all other commands start at once.
#pragma once

#include <memory>

#include "cli/options.h"
#include "serve/attention_maps_source.h"
#include "translate/text_model.h"

namespace heed {

// Opens the library; the functions below also do so. Throws the same errors.
void open_tensor_library();
// Runs the command and returns its exit code. What goes wrong is thrown as anywhere else;
// MissingLibrary (load/with_libtorch.h) if this installation has no such library or no libtorch.
int run_with_tensors(const TensorCommand& command);
// Loads a model that libtorch computes, with its engine; throws the same errors.
TextModel load_with_tensors(const ModelRequest& request);
// Attention maps of a model, by layer and head; the same errors.
std::unique_ptr<AttentionMapsSource> load_attention_maps(const ModelRequest& request);

}  // namespace heed

// Functions exported by the library; only the functions above call them.
extern "C" int heed_run_with_tensors(const heed::TensorCommand& command);
extern "C" void heed_load_with_tensors(const heed::ModelRequest& request, heed::TextModel& model);
extern "C" void heed_load_attention_maps(const heed::ModelRequest& request,
                                         std::unique_ptr<heed::AttentionMapsSource>& maps);
