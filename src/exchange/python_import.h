// Imports models of toolkits whose checkpoints only Python can read.
//
// A script of src/exchange/python, which is part of the program, writes the files of a model
// folder. The Python that runs it needs PyTorch, not the toolkit. The files are then checked and
// read like any model.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "model/saved_model.h"

namespace heed {

extern const std::string_view kJoeynmtScript, kOpennmtScript;

struct PythonImport {
  std::string_view script;
  std::string python = "python3";
};

// model: input of the script. work: an empty folder for its files. Throws Error(kModel) if the
// script refuses the model, with its reasons, or if its files are not a model; Error(kFailure) if
// Python cannot be started.
LoadedModel import_by_python(const PythonImport& how, const std::string& model,
                             const std::filesystem::path& work);

}  // namespace heed
