#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "cli/average/options.h"
#include "cli/model_path.h"
#include "cli/new_output.h"
#include "cli/tensors/entry.h"
#include "cli/translate/interruption.h"
#include "packed/stored_tensors.h"
#include "run/run_config.h"
#include "run/run_directory.h"
#include "train/checkpoints.h"
#include "train/model_average.h"
#include "train/next_command.h"

namespace heed {

namespace {

std::vector<fs::path> models_of(const RunDirectory& run, const std::vector<int64_t>& updates) {
  std::vector<fs::path> folders;
  for (const int64_t update : updates) folders.push_back(run.checkpoint(update) / "model");
  return folders;
}

// The updates with the best scores by the run's metric, among the saved checkpoints.
std::vector<int64_t> best_saved(const RunDirectory& run, const std::vector<int64_t>& saved) {
  RunConfig config;
  run.read_config(config);
  const Validations validations = read_progress(run.checkpoint(saved.back())).validations;
  std::vector<int64_t> best =
      best_updates(validations, config.train.validation.metric, std::ssize(validations));
  if (!best.empty() && std::ranges::count(saved, best.front()) == 0)
    spdlog::warn("--best: the best checkpoint of {}, of update {}, is missing; others are averaged",
                 run.folder().string(), format_count(best.front()));
  std::erase_if(best, [&](int64_t update) { return std::ranges::count(saved, update) == 0; });
  return best;
}

std::vector<fs::path> checkpoints_of(const AverageOptions& options) {
  const char* option = options.last ? "--last" : "--best";
  if (options.models.size() != 1)
    throw_error(ErrorKind::kUsage, "{} is for one run, {} models were named", option,
                options.models.size());
  const RunDirectory run(options.models[0]);
  const std::vector<int64_t> saved = run.saved_updates();
  if (saved.empty())
    throw_error(ErrorKind::kModel, "{}: is not a run with checkpoints, which {} needs",
                options.models[0], option);
  std::vector<int64_t> updates =
      options.last ? std::vector(saved.rbegin(), saved.rend()) : best_saved(run, saved);
  const auto wanted = static_cast<size_t>(options.last ? *options.last : *options.best);
  if (updates.size() < wanted)
    throw_error(ErrorKind::kUsage,
                "{} {}: {} has {} {}checkpoints; train.keep.{} sets how many a run keeps", option,
                wanted, options.models[0], updates.size(), options.last ? "" : "validated ",
                options.last ? "last" : "best");
  updates.resize(wanted);
  return models_of(run, updates);
}

std::vector<fs::path> folders_of(const AverageOptions& options) {
  if (options.last || options.best) return checkpoints_of(options);
  std::vector<fs::path> folders;
  for (const std::string& path : options.models) {
    refuse_other_than_model(path);
    folders.push_back(find_model(path));
    warn_of_rounded_weights(folders.back());
  }
  return folders;
}

// The run that a checkpoint's model belongs to; "" for other models.
fs::path run_of(const fs::path& model) {
  const fs::path checkpoints = fs::canonical(model).parent_path().parent_path();
  return checkpoints.filename() == kRunCheckpoints ? checkpoints.parent_path() : fs::path();
}

// Models that were trained apart have no useful mean, and a model that is named twice counts twice.
void check_folders(const std::vector<fs::path>& folders) {
  const auto other_run = std::ranges::find_if(
      folders, [&](const fs::path& folder) { return run_of(folder) != run_of(folders[0]); });
  if (other_run != folders.end())
    spdlog::warn(
        "{} and {} are not of one run; the mean of models that were trained apart is useless, "
        "unless they began as one (init.model)",
        folders[0].string(), other_run->string());
  std::set<fs::path> known;
  for (const fs::path& folder : folders) {
    if (!known.insert(fs::canonical(folder)).second)
      spdlog::warn("{}: is named twice and counts twice", folder.string());
  }
}

// Refuses an output inside a run: a run deletes files among its checkpoints that it does not know.
void refuse_output_in_run(const std::string& output) {
  std::error_code ignored;
  fs::path folder = fs::weakly_canonical(fs::absolute(output), ignored).parent_path();
  for (; folder != folder.parent_path(); folder = folder.parent_path()) {
    if (is_there(folder / kRunCheckpoints) && is_there(folder / kRunConfig))
      throw_error(ErrorKind::kUsage, "-o {}: lies in the run {}; name a folder outside of it",
                  output, folder.string());
  }
}

int run_average(const AverageOptions& options) try {
  refuse_existing("-o ", options.output, "folder");
  refuse_output_in_run(options.output);
  const std::vector<fs::path> folders = folders_of(options);
  check_folders(folders);
  catch_signals();
  LoadedModel mean = average_models(folders);
  stop_if_interrupted();
  AtomicDirectory output(options.output);
  save_model(output.temporary(), mean.config, mean.codecs, *mean.network);
  stop_if_interrupted();
  output.commit();
  for (const fs::path& folder : folders) spdlog::info("averaged {}", folder.string());
  if (folders.size() == 1 && !options.last && !options.best)
    spdlog::warn(
        "only one model was averaged; name several, or choose checkpoints of a run by --last N or "
        "--best N");
  spdlog::info("done; next: {}", next_command(options.output, mean.config));
  return 0;
} catch (const Stopped& stopped) {
  return report_unwritten(stopped);
}

}  // namespace

}  // namespace heed

extern "C" int heed_average(const heed::AverageOptions& options) {
  return heed::run_tensor_command([&] { return heed::run_average(options); }, "averaging models");
}
