#include "cli/model_path.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/run_folder_names.h"
#include "base/shell.h"
#include "cli/new_output.h"
#include "cli/tensor_library.h"
#include "config/tree.h"
#include "load/fast_model.h"

namespace heed {

void refuse_texts(const std::vector<std::string>& models, const std::string& command,
                  const std::string& end) {
  constexpr size_t kLongest = 60;  // that is repeated
  std::error_code ignored;
  const bool is_first_there = fs::exists(models.front(), ignored);
  for (size_t i = 0; i < models.size(); ++i) {
    const std::string& text = models[i];
    const bool has_space = text.find(' ') != std::string::npos;
    if (fs::exists(text, ignored) || !(has_space || (i > 0 && is_first_there))) continue;
    if (text.size() <= kLongest) refuse_other_than_model(text);  // one of a similar name
    throw_error(ErrorKind::kModel,
                "{}: there is no such model; text is read from standard input or a file: echo {} | "
                "{} {}{}",
                shown(text), text.size() <= kLongest ? shell_word(text) : "TEXT", command,
                i == 0 ? "MODEL" : shell_word(models.front()), end);
  }
}

std::string model_name(const std::string& path) {
  fs::path folder = fs::absolute(path).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  const auto is_inside = [](const std::string& name) {
    return name == "model" || name == "best" || name == "latest" || name == "checkpoints" ||
           name.starts_with("step-");
  };
  while (is_inside(folder.filename().string()) && folder.has_relative_path())
    folder = folder.parent_path();
  return folder.filename().string();
}

TextModel load_text_model(const ModelRequest& request) {
  if (auto model = load_fast_model(request)) return std::move(*model);
  return load_with_tensors(request);
}

void refuse_output(const std::string& folder) {
  refuse_existing("-o ", folder, "folder");
  refuse_outputs_in_runs({{"-o", folder}});
  std::error_code ignored;
  fs::path outer = fs::weakly_canonical(fs::absolute(folder), ignored).parent_path();
  for (; outer != outer.parent_path(); outer = outer.parent_path()) {
    if (is_there(outer / kRunCheckpoints) && is_there(outer / kRunConfig))
      throw_error(ErrorKind::kUsage, "-o {}: lies in the run {}; name a folder outside of it",
                  folder, outer.string());
  }
}

}  // namespace heed
