#include "exchange/python_import.h"

#include "nn/torch.h"

#include "base/error.h"
#include "base/file.h"
#include "base/other_program.h"
#include "base/replace_all.h"

namespace heed {

namespace {

// Loads the model folder that the script has written.
LoadedModel load_written(const std::string& model, const std::filesystem::path& work) {
  try {
    return load_model(work, torch::kCPU);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kModel) throw;
    // The files of the script are deleted before the message is shown.
    throw_error(ErrorKind::kModel, "{}: cannot be imported: {}", model,
                replace_all(first_line(error.what()), work.string() + "/", ""));
  }
}

}  // namespace

LoadedModel import_by_python(const PythonImport& how, const std::string& model,
                             const std::filesystem::path& work) {
  constexpr int kRefused = 3;
  const MemoryFile script, out;
  script.write(std::string(how.script));
  const int code = run_other_program({how.python, "-", model, work.string()}, script, out);
  if (code == kNotStarted)
    throw_error(ErrorKind::kFailure,
                "{}: not found; name a Python that has PyTorch, such as --python venv/bin/python",
                how.python);
  if (code == kRefused)
    throw_error(ErrorKind::kModel, "{}: cannot be imported: {}", model, first_line(out.read()));
  if (code != 0)
    throw_error(ErrorKind::kModel, "{}: {} could not read it (exit code {}), see above", model,
                how.python, code);
  write_manifest(work);
  return load_written(model, work);
}

}  // namespace heed
