#include "cli/model_path.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/fast_paths.h"
#include "base/file.h"
#include "base/model_folder.h"
#include "base/run_files.h"
#include "base/suggest.h"
#include "cli/tensor_library.h"
#include "config/parse.h"
#include "inference/saved_engine.h"

namespace heed {

namespace {

constexpr const char* kManifest = "MANIFEST.json";

bool is_model_folder(const fs::path& path) { return is_there(path / "model.safetensors"); }

// Whether find_model() finds something here.
bool holds_model(const fs::path& path) {
  return std::ranges::any_of(std::vector<fs::path>{"", "model", "best/model", "latest/model"},
                             [&](const fs::path& part) { return is_model_folder(path / part); });
}

bool is_run(const fs::path& path) {
  return is_there(path / kRunCheckpoints) ||
         (is_there(path / "latest") && is_there(path / kRunConfig));
}

// The `run` of a config, where it lies: as written, or beside the config.
std::optional<fs::path> run_of(const fs::path& config) {
  constexpr size_t kMuch = 1 << 20;
  std::error_code ignored;
  if (fs::file_size(config, ignored) > kMuch || ignored) return std::nullopt;
  std::vector<Problem> problems;
  const auto root = parse_yaml(read_file(config), config.string(), problems);
  const Node* run = root && root->is(Node::Form::kMap) ? root->find("run") : nullptr;
  if (run == nullptr || !run->is(Node::Form::kScalar)) return std::nullopt;
  const fs::path beside = (config.parent_path() / run->text).lexically_normal();
  return is_there(run->text) && !is_there(beside) ? fs::path(run->text) : beside;
}

[[noreturn]] void refuse(const std::string& path, const std::string& meant) {
  throw_error(ErrorKind::kModel, "{} {}", path, meant);
}

void refuse_config(const std::string& path) {
  if (is_run(fs::path(path).parent_path()))
    refuse(path, fmt::format("is the config of a run; name the run, {}",
                             fs::path(path).parent_path().string()));
  const auto run = run_of(path);
  if (!run) refuse(path, "is a config; name the folder of its run");
  refuse(path,
         fmt::format("is a config; its run is {}{}", run->string(),
                     holds_model(*run) ? "" : ", which has no checkpoint yet: heed train " + path));
}

void refuse_file(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  if (is_model_folder(folder)) {
    refuse(path, "is a file of a model; name its folder, " + folder.string());
  }
  if (path.ends_with(".yaml") || path.ends_with(".yml")) refuse_config(path);
  refuse(path,
         "is a file, not a model; a text is given by an option such as -i, and MODEL is a run, a "
         "checkpoint or a model folder");
}

std::vector<std::string> models_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (holds_model(entry.path())) names.push_back(entry.path().lexically_normal().string());
  }
  std::ranges::sort(names);
  return names;
}

void refuse_folder(const fs::path& path) {
  const std::vector<std::string> models = models_in(path);
  if (models.empty()) return;
  constexpr size_t kMost = 5;
  const std::vector<std::string> first(
      models.begin(), models.begin() + static_cast<int64_t>(std::min(kMost, models.size())));
  refuse(path.string(),
         fmt::format("holds models and is none itself; name one of {}{}", fmt::join(first, ", "),
                     first.size() < models.size() ? ", …" : ""));
}

void suggest_neighbour(const fs::path& path) {
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::path run = fs::path("runs") / path;  // where the recipes put them
  const std::string hint =
      path.is_relative() && holds_model(run)
          ? fmt::format("; did you mean '{}'?", run.lexically_normal().string())
          : did_you_mean(path.lexically_normal().string(), models_in(parent));
  if (!hint.empty()) refuse(path.string(), "does not exist" + hint);
}

}  // namespace

void refuse_outputs_in_runs(const std::vector<NamedFile>& outputs) {
  for (const NamedFile& output : outputs) {
    if (output.path == "-") continue;
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(fs::absolute(output.path), ignored).parent_path();
    const std::array files{folder / kRunConfig, folder / kRunMetrics, folder / kRunLog,
                           folder / kRunLock};
    const bool is_of_run =
        is_run(folder) && std::ranges::count(files, folder / output.path.filename()) > 0;
    fs::path inside = folder;
    while (!is_there(inside / kManifest) && inside != inside.parent_path())
      inside = inside.parent_path();
    if (is_of_run || is_there(inside / kManifest)) {
      throw_error(ErrorKind::kUsage,
                  "{} {}: belongs to the {} {}, which it would damage; name another", output.option,
                  output.path.string(), is_of_run ? "run" : "model or checkpoint",
                  (is_of_run ? folder : inside).string());
    }
  }
}

void refuse_other_than_model(const std::string& path) {
  std::error_code ignored;
  if (path.empty()) throw_error(ErrorKind::kUsage, "MODEL is empty; name a run or a model folder");
  if (holds_model(path)) return;
  if (fs::is_regular_file(path, ignored)) refuse_file(path);
  if (fs::is_directory(path, ignored) && !is_run(path)) refuse_folder(path);
  if (!is_there(path)) suggest_neighbour(path);
}

namespace {

// A GPU that libtorch might use.
bool may_have_gpu() {
  return std::ranges::any_of(std::vector<fs::path>{"/dev/nvidiactl", "/dev/dxg", "/dev/kfd"},
                             is_there);
}

TextModel text_model_of(SavedEngine saved) {
  EngineConfig& config = saved.config;
  return {.sources = {config.source},
          .inputs = {config.source},
          .tags = {},
          .codecs = std::move(saved.codecs),
          .search = config.search,
          .max_length = config.max_length,
          .target_words = target_words_in(config.target_words),
          .aligned = 0,
          .copies = false,
          .has_source_weights = true,
          .on_gpu = false,
          .engine = std::move(saved.engine)};
}

// Without libtorch; none if the model needs it.
std::optional<TextModel> load_alone(const ModelRequest& request) {
  const bool on_cpu = request.device == "cpu" || (request.device == "auto" && !may_have_gpu());
  if (request.paths.size() != 1 || !on_cpu || !fast_paths() || kernels().lanes == 1)
    return std::nullopt;
  std::optional<SavedEngine> saved;
  refuse_other_than_model(request.paths[0]);
  read_model(request.paths[0],
             [&](const fs::path& folder) { saved = load_engine(folder, request.precision); });
  if (!saved) return std::nullopt;
  return text_model_of(std::move(*saved));
}

}  // namespace

TextModel load_text_model(const ModelRequest& request) {
  if (auto alone = load_alone(request)) return std::move(*alone);
  return load_with_tensors(request);
}

}  // namespace heed
