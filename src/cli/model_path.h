// Models that a command is given.
#pragma once

#include <string>
#include <vector>

#include "base/run_folder_names.h"
#include "load/model_path.h"
#include "load/model_request.h"
#include "translate/text_model.h"

namespace heed {

// With its engine: without libtorch if the engines of inference/ support the model, else by the
// library with the tensors. Throws Error(kModel), and Error(kUsage) for a device that is not there
// or a precision that the model does not have.
TextModel load_text_model(const ModelRequest& request);

// The name of a model for users: of the run that the path is in, or of its file or folder.
std::string model_name(const std::string& path);

// Throws Error(kModel) for a text among the models, with the command that reads it: a word with spaces,
// or one behind a model, that names no file. command: "heed translate"; end: of its options.
void refuse_texts(const std::vector<std::string>& models, const std::string& command,
                  const std::string& end = "");

// Throws Error(kUsage) if the folder of a new model, given by -o, exists or would damage what it lies in:
// a model, or a run, which deletes files among its checkpoints that it does not know.
void refuse_output(const std::string& folder);

}  // namespace heed
