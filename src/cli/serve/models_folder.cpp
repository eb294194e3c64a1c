#include "cli/serve/models_folder.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/model_folder.h"
#include "base/packed_file.h"
#include "base/run_folder_names.h"
#include "load/text_models.h"
#include "model/saved_model_config.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPackedName = ".heed";

// The file with the parameters of a model folder or of a packed model.
fs::path parameters_of(const fs::path& model) {
  return fs::is_directory(model) ? model / kModelTensors : model;
}

// The name of the file, its size and its time of change; "" if it is not there.
std::string version_of(const fs::path& path) {
  std::error_code missing;
  const bool is_run_folder = is_run(path);
  const fs::path model = is_run_folder ? find_model(path) : path;
  const fs::path file = fs::canonical(parameters_of(model), missing);
  const auto size = fs::file_size(file, missing);
  const auto time = fs::last_write_time(file, missing);
  if (missing) return "";
  return fmt::format("{} {} {}", file.string(), size, time.time_since_epoch().count());
}

// A file that is being copied has no version until it is whole: it is not a packed model before.
bool is_model(const fs::path& path, bool is_folder) {
  if (!is_folder) return path.extension() == kPackedName && is_packed_file(path);
  return (is_there(path / kModelConfig) && is_there(path / kModelTensors)) || is_run(path);
}

// True for what cannot be read, too, so that it is named among the models that are left out.
bool may_be_model(const fs::path& path, bool is_folder) {
  try {
    return is_model(path, is_folder);
  } catch (const Error&) {
    return true;
  }
}

// Files of each name, which are several for NAME and NAME.heed.
using FoundModels = std::map<std::string, std::set<fs::path>>;

void find_models(const fs::path& folder, const std::string& prefix, int depth, FoundModels& found) {
  constexpr int kDeepest = 8;  // links may lead back
  if (depth > kDeepest) return;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    const fs::path& path = entry.path();
    const std::string name = prefix + path.filename().string();
    if (path.filename().string().starts_with('.')) continue;  // such as one that is being written
    const bool is_folder = entry.is_directory(unreadable);
    if (may_be_model(path, is_folder))
      found[is_folder ? name : name.substr(0, name.size() - std::string_view(kPackedName).size())]
          .insert(path);
    else if (is_folder)
      find_models(path, name + "/", depth + 1, found);
  }
}

struct FoundModel {
  std::vector<std::string> paths;  // sorted
  std::string version;             // of the first, with the names of the others
};

// The models whose files can be found, by name.
std::map<std::string, FoundModel> versions_in(const fs::path& folder) {
  FoundModels found;
  find_models(folder, "", 0, found);
  std::map<std::string, FoundModel> versions;
  for (const auto& [name, paths] : found) {
    FoundModel& own = versions[name];
    for (const fs::path& path : paths) own.paths.push_back(path.string());
    try {
      own.version = version_of(own.paths.front());
    } catch (const Error&) {
      own.version = "without a model";  // such as a run before its first checkpoint
    }
    for (size_t i = 1; i < own.paths.size(); ++i) own.version += " " + own.paths[i];
  }
  return versions;
}

}  // namespace

ModelsFolder::ModelsFolder(fs::path folder, std::vector<std::string> others,
                           const ServeOptions& options, ServeMemory& memory)
    : folder_(std::move(folder)), others_(std::move(others)), options_(options), memory_(memory) {
  if (!fs::is_directory(folder_))
    throw_error(ErrorKind::kUsage, "--models {}: expected a folder with models", folder_.string());
}

ModelsFolder::Known ModelsFolder::read(const NamedModel& named, const std::string& version) const {
  Known known{.version = version};
  try {
    if (std::ranges::find(others_, named.name) != others_.end())
      throw_error(ErrorKind::kUsage, "{}: another model is called '{}' too", named.path,
                  named.name);
    read_model(named.path, [&](const fs::path& folder) {
      const ModelText text = read_model_text(folder);
      OfferedModel offered{.name = named.name,
                           .text = std::make_shared<const TextModel>(text_model({&text})),
                           .search = text.config.search,
                           .summary_search = {},
                           .joins = {}};
      if (offered.text->sources.empty())
        throw_error(ErrorKind::kUsage, "{}: is a language model, which translates nothing",
                    named.path);
      known.model = {.name = named.name,
                     .pairs = pairs_of(named.name, *offered.text),
                     .facts = model_json(offered),
                     .bytes = static_cast<int64_t>(fs::file_size(parameters_of(folder))),
                     .version = version,
                     .load = [named, this] { return served_model(named, options_, memory_); }};
    });
  } catch (const Error& error) {
    known.is_left_out = true;
    spdlog::warn("{}: is left out: {}", named.name, error.what());
  }
  return known;
}

std::vector<UnloadedModel> ModelsFolder::scan() {
  std::map<std::string, Known> now;
  std::vector<UnloadedModel> models;
  for (const auto& [name, found] : versions_in(folder_)) {
    const auto before = known_.find(name);
    const bool is_known = before != known_.end() && before->second.version == found.version;
    if (!is_known && found.paths.size() > 1)
      spdlog::warn("{}: is the name of {}; the first is offered, rename the others", name,
                   fmt::join(found.paths, " and "));
    Known& known = now[name] =
        is_known ? before->second : read({name, found.paths.front()}, found.version);
    if (!known.is_left_out) models.push_back(known.model);
  }
  known_ = std::move(now);
  return models;
}

bool ModelsFolder::has_changed() const {
  const auto now = versions_in(folder_);
  return !std::ranges::equal(now, known_, [](const auto& found, const auto& known) {
    return found.first == known.first && found.second.version == known.second.version;
  });
}

}  // namespace heed
