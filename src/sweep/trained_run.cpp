#include "sweep/trained_run.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/model_folder.h"
#include "base/run_folder_names.h"
#include "config/marked_keys.h"
#include "config/numbers.h"
#include "results/run_metrics.h"
#include "run/checkpoint_files.h"
#include "run/run_directory.h"

namespace heed {

namespace {

// Settings that figures of a finished run do not depend on.
class HarmlessKeys {
 public:
  explicit HarmlessKeys(const RunConfig& config)
      : resumable_(config, ChangeAt::kResume),
        effects_{{{config, Effect::kScores},
                  {config, Effect::kTranslationScores},
                  {config, Effect::kTestScores},
                  {config, Effect::kValidations}}} {}
  bool has(const std::string& key) const {
    return resumable_.has(key) && key != "init" && !key.starts_with("init.") &&
           std::ranges::none_of(effects_, [&](const MarkedKeys& one) { return one.has(key); });
  }

 private:
  MarkedKeys resumable_;
  std::array<MarkedKeys, 4> effects_;
};

bool is_limit(const std::string& key) {
  return key == "train.max_updates" || key == "train.max_epochs" || key == "train.max_time";
}

// Value of the limit, of train.max_time in seconds; nullopt: no limit.
std::optional<double> limit_of(const TrainConfig& train, const std::string& key) {
  if (key == "train.max_time") return train.max_time;
  const auto& limit = key == "train.max_updates" ? train.max_updates : train.max_epochs;
  return limit ? std::optional(static_cast<double>(*limit)) : std::nullopt;
}

// True if the training may go on.
bool is_raised(const RunConfig& stored, const RunConfig& planned, const std::string& key) {
  const auto before = limit_of(stored.train, key), now = limit_of(planned.train, key);
  return before && (!now || *now > *before);
}

// True if the config leaves the key to the machine.
bool is_left_open(const RunConfig& planned, const std::string& key) {
  if (key == "train.workers") return !planned.train.workers;
  return key == "train.precision" && planned.train.precision == TrainPrecision::kAuto;
}

// Compares the present data with that of the checkpoint.
void compare_data(const PlannedRun& planned, const std::filesystem::path& checkpoint,
                  TrainedRun& run) {
  const auto before = read_data_record(checkpoint);
  if (!before) return;
  const auto changes = changed_data(*before, *planned.data, planned.text).all();
  if (!changes.empty())
    run.changed.push_back({"data", "other files", fmt::format("{}", fmt::join(changes, ", "))});
}

}  // namespace

void compare_settings(const RunConfig& stored, const RunConfig& planned, TrainedRun& run) {
  run.limit = stored.train.max_updates;
  const HarmlessKeys harmless(planned);
  for (ChangedSetting& change : changed_settings(flatten_config(stored), flatten_config(planned))) {
    if (is_left_open(planned, change.key)) continue;
    if (is_limit(change.key) ? is_raised(stored, planned, change.key)
                             : change.key == "data.test" || change.key.starts_with("data.test.")) {
      run.goes_on = true;
    } else if (is_limit(change.key) || !harmless.has(change.key)) {
      run.changed.push_back(std::move(change));
    }
  }
}

bool TrainedRun::is_done(std::optional<int64_t> updates) const {
  if (!updates) return finished && !goes_on;
  return saved >= *updates || (finished && (!limit || *limit >= *updates));
}

std::string hash_of_model(const PlannedRun& run) {
  return hash_bytes(read_file(find_model(run.folder) / kManifest));
}

TrainedRun look_at_run(const PlannedRun& planned) {
  TrainedRun run;
  const RunDirectory folder(planned.folder);
  if (is_plain_file(folder.config())) {
    RunConfig stored;
    try {
      folder.read_config(stored);
    } catch (const Error&) {
      return run;  // its training says what is wrong
    }
    compare_settings(stored, planned.config, run);
  }
  const std::vector<int64_t> saved = folder.saved_updates();
  if (!saved.empty()) run.saved = saved.back();
  if (!is_plain_file(folder.metrics())) return run;
  const std::vector<MetricLine> lines = read_metrics(planned.folder);
  if (lines.empty() || lines.back().kind != "end") return run;
  run.diverged = lines.back().state == kDiverged;
  run.finished = lines.back().state == kFinished && !saved.empty();
  if (run.finished && planned.data) compare_data(planned, folder.checkpoint(run.saved), run);
  return run;
}

}  // namespace heed
