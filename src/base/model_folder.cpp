#include "base/model_folder.h"

#include <memory>
#include <optional>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/packed_file.h"
#include "base/run_folder_names.h"
#include "base/shell.h"
#include "base/system/system.h"

namespace heed {

namespace {

bool has(const fs::path& folder, const char* name) {
  std::error_code ignored;
  return fs::exists(folder / name, ignored);
}

bool is_model(const fs::path& folder) { return has(folder, kModelTensors); }

// Refuses models of other toolkits.
void refuse_foreign(const fs::path& path) {
  if (has(path, kManifest)) return;
  if (has(path, "model.bin"))
    throw_error(ErrorKind::kModel,
                "{}: is a model of CTranslate2; `heed import ctranslate2 {} -o MODEL` converts it",
                path.string(), shell_word(path.string()));
  if (has(path, "config.json") && (is_model(path) || has(path, "pytorch_model.bin")))
    throw_error(ErrorKind::kModel,
                "{}: is a model of transformers; `heed import hf {} -o MODEL` converts it",
                path.string(), shell_word(path.string()));
}

// Refuses a model without its parameters. of_run: it is below a checkpoint or run that was named.
void refuse_damaged(const fs::path& folder, bool of_run) {
  if (!has(folder, kModelConfig) || !has(folder, kManifest) || is_model(folder)) return;
  std::error_code ignored;
  throw_error(ErrorKind::kModel, "{} is missing: the {}",
              fs::weakly_canonical(folder / kModelTensors, ignored).string(),
              of_run ? "checkpoint is damaged; name another one of the run, or `heed train … "
                       "--resume` goes on from the newest intact one"
                     : "model is damaged; copy or train it again");
}

// Refuses a run whose best checkpoint is lost: nobody would notice that another one is used.
void refuse_lost_best(const fs::path& run) {
  std::error_code no_link;
  const fs::path named = fs::read_symlink(run / "best", no_link);
  if (no_link) return;
  throw_error(ErrorKind::kModel,
              "{}: names {}, which {}; name another checkpoint, such as {}, or let `heed train … "
              "--resume` put the name right",
              fs::absolute(run / "best").string(), named.string(),
              has(run, "best") ? "holds no model" : "is missing", (run / "latest").string());
}

const char* why_no_model(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    return "there is no such folder; name a run, a checkpoint or a model";
  if (is_plain_file(path))
    return "is a file and no packed model; name a run, a checkpoint or a model";
  if (awaits_first_checkpoint(path))
    return "this run is being trained and has no checkpoint yet; wait for the first one";
  if (has(path, kRunCheckpoints) && !fs::is_empty(path / kRunCheckpoints, ignored))
    return "neither best nor latest names a checkpoint of this run; name one of its checkpoints/, "
           "or `heed train … --resume` puts the names right";
  if (has(path, kModelConfig)) return "this run has no checkpoint yet; continue its training";
  return "is not a run, checkpoint or model: it has no model.safetensors";
}

// Model folder that a path names now. It is kept open to distinguish it from a later one of the
// same name.
class HeldModel {
 public:
  explicit HeldModel(const fs::path& path)
      : folder_(find_model(path)), held_(Descriptor::open_entry(folder_)) {
    if (is_packed_file(folder_)) packed_ = PackedFile::open(folder_);
    const std::optional<fs::path> real = current_path(held_.number());
    if (!real) return;
    const fs::path near = real->lexically_proximate(fs::current_path());
    folder_ = path.is_absolute() || near.string().starts_with("..") ? *real : near;
  }
  const fs::path& folder() const { return folder_; }
  bool is_there() const { return held_.is_at(folder_); }

 private:
  fs::path folder_;
  Descriptor held_;
  std::shared_ptr<const PackedFile> packed_;  // is checked once while its files are read
};

}  // namespace

fs::path find_model(const fs::path& path) {
  if (is_packed_file(path)) return path;
  refuse_foreign(path);
  for (const fs::path& folder :
       {path, path / "model", path / "best" / "model", path / "latest" / "model"}) {
    if (is_model(folder)) return folder;
    refuse_damaged(folder, folder != path);
    if (folder == path / "best" / "model") refuse_lost_best(path);
  }
  throw_error(ErrorKind::kModel, "{}: {}", fs::absolute(path).string(), why_no_model(path));
}

void read_model(const fs::path& path, const std::function<void(const fs::path&)>& read) {
  constexpr int kMostAttempts = 100;  // one or two suffice while a run continues
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
