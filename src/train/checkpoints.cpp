#include "train/checkpoints.h"

#include <algorithm>

#include "base/file.h"
#include "base/folder.h"

namespace heed {

void RunCheckpoints::save(const Progress& progress) {
  if (!is_saved(progress)) {
    folder_.add_checkpoint(progress.update,
                           [&](const fs::path& folder) { fill(folder, progress); });
    whole_.insert(progress.update);
  }
  folder_.point_latest(progress.update);
  move_best(progress);
  drop_old(progress);
}

// A validation that was interrupted is made by the resumed run, after the checkpoint of its update.
bool RunCheckpoints::is_saved(const Progress& progress) const {
  return whole_.contains(progress.update) &&
         read_progress(folder_.checkpoint(progress.update)).validated() == progress.validated();
}

void RunCheckpoints::fill(const fs::path& folder, const Progress& progress) {
  make_folder(folder / "model");
  {
    const WithAverage exchanged(contents_.average);
    save_model(folder / "model", contents_.model, contents_.codecs, contents_.network);
  }
  if (contents_.average != nullptr)
    write_safetensors(parameters_file(folder), contents_.average->state());
  if (contents_.lora != nullptr) {
    write_safetensors(adapter_file(folder), contents_.lora->adapter());
    write_safetensors(adapted_file(folder), contents_.lora->frozen());
  }
  write_safetensors(optimizer_file(folder), contents_.optimizer.state());
  write_file(progress_file(folder), to_json(progress));
  write_file(data_file(folder), to_json(contents_.data));
}

void RunCheckpoints::move_best(const Progress& progress) const {
  const Validation* best = best_of(progress.validations, config_.validation.metric);
  if (best != nullptr && whole_.contains(best->update)) folder_.point_best(best->update);
}

std::vector<int64_t> RunCheckpoints::best_whole(const Validations& validations) const {
  std::vector<int64_t> best = best_updates(validations, config_.validation.metric,
                                           static_cast<int64_t>(validations.size()));
  std::erase_if(best, [&](int64_t update) { return !whole_.contains(update); });
  best.resize(std::min(best.size(), static_cast<size_t>(config_.keep.best)));
  return best;
}

void RunCheckpoints::drop_old(const Progress& progress) {
  std::vector<int64_t> kept = best_whole(progress.validations);
  // The best ones of a resumed run that forgets the validation at this end.
  for (const int64_t update : best_whole(without_ends(progress.validations)))
    kept.push_back(update);
  const auto last = std::min<int64_t>(config_.keep.last, static_cast<int64_t>(whole_.size()));
  kept.insert(kept.end(), std::prev(whole_.end(), last), whole_.end());
  folder_.prune(kept);
  const std::vector<int64_t> left = folder_.saved_updates();
  whole_ = std::set<int64_t>(left.begin(), left.end());
}

Checkpoint load_checkpoint(const fs::path& folder, torch::Device device) {
  check_manifest(folder);
  Checkpoint checkpoint;
  checkpoint.model = load_model(folder / "model", device);
  checkpoint.optimizer = read_safetensors(optimizer_file(folder));
  if (is_plain_file(parameters_file(folder)))
    checkpoint.parameters = read_safetensors(parameters_file(folder));
  checkpoint.progress = read_progress(folder);
  return checkpoint;
}

}  // namespace heed
