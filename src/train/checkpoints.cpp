#include "train/checkpoints.h"

#include <algorithm>

#include "base/file.h"

namespace heed {

namespace {

fs::path progress_file(const fs::path& checkpoint) { return checkpoint / "progress.json"; }

bool contains(const std::vector<int64_t>& updates, int64_t update) {
  return std::find(updates.begin(), updates.end(), update) != updates.end();
}

}  // namespace

fs::path optimizer_file(const fs::path& checkpoint) { return checkpoint / "optimizer.safetensors"; }

void RunCheckpoints::save(const Progress& progress) {
  if (!contains(folder_.saved_updates(), progress.update)) {
    folder_.add_checkpoint(progress.update,
                           [&](const fs::path& folder) { fill(folder, progress); });
  }
  folder_.point_latest(progress.update);
  move_best(progress);
  drop_old(progress);
}

void RunCheckpoints::fill(const fs::path& folder, const Progress& progress) {
  make_folder(folder / "model");
  save_model(folder / "model", contents_.model, contents_.codecs, contents_.network);
  write_safetensors(optimizer_file(folder), contents_.optimizer.state());
  write_file(progress_file(folder), to_json(progress));
}

void RunCheckpoints::move_best(const Progress& progress) const {
  const Validation* best = best_of(progress.validations, config_.validation.metric);
  if (best != nullptr && contains(folder_.saved_updates(), best->update)) {
    folder_.point_best(best->update);
  }
}

void RunCheckpoints::drop_old(const Progress& progress) const {
  std::vector<int64_t> saved = folder_.saved_updates();
  std::vector<int64_t> kept;
  const auto ranked = best_updates(progress.validations, config_.validation.metric,
                                   static_cast<int64_t>(progress.validations.size()));
  for (const int64_t update : ranked) {
    if (contains(saved, update) && static_cast<int64_t>(kept.size()) < config_.keep.best) {
      kept.push_back(update);
    }
  }
  const auto last = std::min<int64_t>(config_.keep.last, static_cast<int64_t>(saved.size()));
  kept.insert(kept.end(), saved.end() - last, saved.end());
  folder_.prune(kept);
}

Checkpoint load_checkpoint(const fs::path& folder, torch::Device device) {
  check_manifest(folder);
  Checkpoint checkpoint;
  checkpoint.model = load_model(folder / "model", device);
  checkpoint.optimizer = read_safetensors(optimizer_file(folder));
  checkpoint.progress =
      progress_from_json(read_file(progress_file(folder)), progress_file(folder).string());
  return checkpoint;
}

}  // namespace heed
