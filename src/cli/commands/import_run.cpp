#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/commands/run.h"
#include "cli/model_path.h"
#include "exchange/hf_import.h"
#include "train/next_command.h"

namespace heed {

int run_import(const ImportOptions& options) {
  if (is_there(options.output))
    throw_error(ErrorKind::kUsage, "-o {}: exists already; name another folder", options.output);
  refuse_outputs_in_runs({{"-o", options.output}});
  LoadedModel model = import_hf(options.folder, {options.source_language, options.target_language});
  AtomicDirectory output(options.output);
  save_model(output.temporary(), model.config, model.codecs, *model.network);
  output.commit();
  spdlog::info("imported {}; next: {}", options.folder, next_command(options.output, model.config));
  return 0;
}

}  // namespace heed
