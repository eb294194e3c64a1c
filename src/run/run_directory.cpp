#include "run/run_directory.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/run_folder_names.h"
#include "report/event_file.h"
#include "run/run_config.h"
#include "run/run_state.h"

namespace heed {

namespace {

// Manifest entry of the program that wrote it.
constexpr const char* kWriter = "{\"heed\": \"" HEED_VERSION "\"}";

}  // namespace

fs::path RunDirectory::checkpoint(int64_t update) const {
  return checkpoints() / checkpoint_name(update);
}

void RunDirectory::read_config(Settings& settings) const { read_stored_config(config(), settings); }

void RunDirectory::make() const { make_folders(folder_); }

void RunDirectory::open(RunMode mode) const {
  check_mode(*this, mode);
  make();
  remove_temporaries(folder_);
  remove_temporaries(checkpoints());
  if (mode != RunMode::kResume) {
    for (const char* link : {"latest", "best"}) remove_tree(folder_ / link);
  }
  if (mode == RunMode::kOverwrite) {
    prune({});
    remove_event_files(events());
    remove_test_texts(folder_);
    for (const fs::path& part : {metrics(), log(), config()}) remove_tree(part);
  }
  make_folders(checkpoints());
}

std::vector<int64_t> RunDirectory::saved_updates() const {
  if (is_plain_file(folder_))
    throw_error(ErrorKind::kUsage,
                "{}: is a file; a run is a folder (`run` in the config, or --run)",
                folder_.string());
  std::vector<int64_t> updates;
  for (const fs::path& entry : list_folder(checkpoints())) {
    std::error_code ignored;
    const auto update = update_of_checkpoint(entry.filename().string());
    if (update && fs::is_directory(entry, ignored)) updates.push_back(*update);
  }
  std::sort(updates.begin(), updates.end());
  return updates;
}

std::optional<fs::path> RunDirectory::linked(const char* name) const {
  std::error_code error;
  const fs::path target = fs::read_symlink(folder_ / name, error);
  if (error || !fs::exists(folder_ / target, error)) return std::nullopt;
  return folder_ / target;
}

std::optional<fs::path> RunDirectory::latest() const { return linked("latest"); }

std::optional<fs::path> RunDirectory::best() const { return linked("best"); }

void RunDirectory::add_checkpoint(int64_t update,
                                  const std::function<void(const fs::path&)>& fill) const {
  AtomicDirectory folder(checkpoint(update));
  fill(folder.temporary());
  write_manifest(folder.temporary(), kWriter);
  folder.replace();
}

void RunDirectory::point_latest(int64_t update) const {
  replace_link(folder_ / "latest", fs::path(kRunCheckpoints) / checkpoint_name(update));
}

void RunDirectory::point_best(int64_t update) const {
  replace_link(folder_ / "best", fs::path(kRunCheckpoints) / checkpoint_name(update));
}

void RunDirectory::prune(const std::vector<int64_t>& kept) const {
  const auto is_linked = [&](const fs::path& path) {
    for (const auto& link : {latest(), best()}) {
      if (link && link->filename() == path.filename()) return true;
    }
    return false;
  };
  for (const int64_t update : saved_updates()) {
    const fs::path path = checkpoint(update);
    const bool keep = std::find(kept.begin(), kept.end(), update) != kept.end();
    if (!keep && !is_linked(path)) remove_tree(path);
  }
}

}  // namespace heed
