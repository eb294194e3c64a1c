// What a user names as a model: it is loaded, or the message says what was probably meant.
#pragma once

#include <string>
#include <vector>

#include "base/same_file.h"
#include "cli/options.h"
#include "translate/text_model.h"

namespace heed {

// With its engine: without libtorch if the engines of inference/ support the model, else by the
// library with the tensors. Throws Error(kModel), and Error(kUsage) for a device that is not there
// or a precision that the model does not have.
TextModel load_text_model(const ModelRequest& request);

// Throws Error(kModel) with the way out where `path` is something else that heed knows: a config, a
// file of a model, a text, the checkpoints of a run, a folder of runs. Returns for all the rest.
void refuse_other_than_model(const std::string& path);

// Throws Error(kUsage) for an output that would replace a file of a run, or lie inside a model or
// checkpoint, which is damaged by it.
void refuse_outputs_in_runs(const std::vector<NamedFile>& outputs);

}  // namespace heed
