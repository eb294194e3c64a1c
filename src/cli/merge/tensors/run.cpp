#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "cli/merge/options.h"
#include "cli/model_path.h"
#include "cli/tensors/entry.h"
#include "cli/translate/interruption.h"
#include "model/saved_model.h"
#include "packed/stored_tensors.h"
#include "run/checkpoint_files.h"
#include "train/lora.h"
#include "train/next_command.h"

namespace heed {

namespace {

// The file that is named, or that of the best checkpoint of a run or of a checkpoint.
fs::path adapter_of(const std::string& path) {
  if (is_plain_file(path)) return path;
  const fs::path file = adapter_file(find_model(path).parent_path());
  if (!is_plain_file(file))
    throw_error(ErrorKind::kModel, "{}: there is no {}; runs with train.lora have it", path,
                file.string());
  return file;
}

int run_merge(const MergeOptions& options) try {
  refuse_output(options.output);
  const fs::path adapter = adapter_of(options.adapter), folder = find_model(options.model);
  catch_signals();
  LoadedModel model = load_model(folder, torch::kCPU);
  const int64_t matrices = merge_adapter(adapter, *model.network);
  stop_if_interrupted();
  AtomicDirectory output(options.output);
  save_model(output.temporary(), model.config, model.codecs, *model.network);
  stop_if_interrupted();
  output.commit();
  spdlog::info("merged {} into {} matrices of {}", adapter.string(), matrices, folder.string());
  spdlog::info("done; next: {}", next_command(options.output, model.config));
  return 0;
} catch (const Stopped& stopped) {
  return report_unwritten(stopped);
}

}  // namespace

}  // namespace heed

extern "C" int heed_merge(const heed::MergeOptions& options) {
  return heed::run_tensor_command([&] { return heed::run_merge(options); }, "merging an adapter");
}
