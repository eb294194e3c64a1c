// Models of toolkits whose checkpoints only Python can read.
//
// A script of src/exchange/python, which is part of the program, writes the files of a model folder;
// the Python that runs it needs PyTorch, not the toolkit. What it wrote is then checked and read as
// any model.
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

// model: what the script reads. work: an empty folder for its files. Throws Error(kModel) where the
// script refuses the model with its reasons, or what it wrote is no model; Error(kFailure) where
// Python cannot be started.
LoadedModel import_by_python(const PythonImport& how, const std::string& model,
                             const std::filesystem::path& work);

}  // namespace heed
