#include "base/model_folder.h"

#include <optional>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/run_files.h"

namespace heed {

namespace {

bool is_model(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kModelTensors, ignored);
}

// The model folder that a path names now, kept open to distinguish it from a later one of the same
// name.
class HeldModel {
 public:
  explicit HeldModel(const fs::path& path)
      : folder_(find_model(path)), held_(Descriptor::open_folder(folder_)) {
    std::error_code unknown;
    const fs::path real = fs::canonical(fmt::format("/proc/self/fd/{}", held_.number()), unknown);
    if (unknown) return;
    const fs::path near = real.lexically_proximate(fs::current_path());
    folder_ = path.is_absolute() || near.string().starts_with("..") ? real : near;
  }
  const fs::path& folder() const { return folder_; }
  bool is_there() const { return held_.is_at(folder_); }

 private:
  fs::path folder_;
  Descriptor held_;
};

}  // namespace

fs::path find_model(const fs::path& path) {
  for (const fs::path& folder :
       {path, path / "model", path / "best" / "model", path / "latest" / "model"}) {
    if (is_model(folder)) return folder;
  }
  std::error_code ignored;
  const bool exists = fs::exists(path, ignored);
  const bool has_config = fs::exists(path / kModelConfig, ignored);
  const bool lacks_weights = has_config && fs::exists(path / kManifest, ignored);
  const fs::path checkpoints = path / kRunCheckpoints;
  const bool has_checkpoints =
      fs::exists(checkpoints, ignored) && !fs::is_empty(checkpoints, ignored);
  throw_error(ErrorKind::kModel, "{}: {}", fs::absolute(path).string(),
              !exists ? "there is no such folder; name a run, a checkpoint or a model"
              : has_checkpoints
                  ? "neither best nor latest names a checkpoint of this run; name one of its "
                    "checkpoints/, or `heed train … --resume` puts the names right"
              : lacks_weights
                  ? "model.safetensors is missing, but MANIFEST.json is there; copy or train the "
                    "model again"
              : has_config ? "this run has no checkpoint yet; continue its training"
                           : "is not a run, checkpoint or model: it has no model.safetensors");
}

void read_model(const fs::path& path, const std::function<void(const fs::path&)>& read) {
  constexpr int kMostAttempts = 100;  // a run that goes on needs one or two
  constexpr int kMostLookups = 3;     // `best` may move between its reading and the folder's
  for (int attempt = 1;; ++attempt) {
    std::optional<HeldModel> model;
    try {
      model.emplace(path);
      read(model->folder());
      if (model->is_there()) return;
    } catch (const Error&) {
      // The folder has not changed, so the model is damaged.
      const bool moved = model && !model->is_there();
      if (attempt >= (moved ? kMostAttempts : model ? 0 : kMostLookups)) throw;
    }
  }
}

}  // namespace heed
