#include "cli/model_path.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"
#include "base/run_files.h"
#include "cli/tensor_library.h"
#include "load/fast_model.h"

namespace heed {

void refuse_outputs_in_runs(const std::vector<NamedFile>& outputs) {
  for (const NamedFile& output : outputs) {
    if (output.path == "-") continue;
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(fs::absolute(output.path), ignored).parent_path();
    const std::array files{folder / kRunConfig, folder / kRunMetrics, folder / kRunLog,
                           folder / kRunLock};
    const bool is_of_run =
        is_run(folder) && std::ranges::count(files, folder / output.path.filename()) > 0;
    fs::path inside = folder;
    while (!is_there(inside / kManifest) && inside != inside.parent_path())
      inside = inside.parent_path();
    if (is_of_run || is_there(inside / kManifest)) {
      throw_error(ErrorKind::kUsage,
                  "{} {}: belongs to the {} {}, which it would damage; name another", output.option,
                  output.path.string(), is_of_run ? "run" : "model or checkpoint",
                  (is_of_run ? folder : inside).string());
    }
  }
}

TextModel load_text_model(const ModelRequest& request) {
  if (auto model = load_fast_model(request)) return std::move(*model);
  return load_with_tensors(request);
}

}  // namespace heed
