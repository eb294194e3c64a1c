// Loads a model that the engines of inference/ compute.
#pragma once

#include <optional>
#include <string>

#include "load/model_request.h"
#include "translate/text_model.h"

namespace heed {

// With its engine; nullopt if it needs libtorch: a GPU, a model without such an engine,
// HEED_PLAIN=1. Throws Error(kModel) for a path that names no model, Error(kUsage) for a device that
// is none.
std::optional<TextModel> load_fast_model(const ModelRequest& request);
// The reason for nullopt, as the subject of a message: "device cuda".
std::string reason_for_libtorch(const ModelRequest& request);

}  // namespace heed
