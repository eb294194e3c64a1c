#include "load/model_path.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/packed_file.h"
#include "base/run_folder_names.h"
#include "base/suggest.h"
#include "config/parse.h"

namespace heed {

namespace {

bool is_model_folder(const fs::path& path) { return is_there(path / "model.safetensors"); }

// True if find_model() finds a model here.
bool holds_model(const fs::path& path) {
  return is_packed_file(path) ||
         std::ranges::any_of(std::vector<fs::path>{"", "model", "best/model", "latest/model"},
                             [&](const fs::path& part) { return is_model_folder(path / part); });
}

std::optional<Node> tree_of(const fs::path& config) {
  constexpr size_t kMuch = 1 << 20;
  std::error_code ignored;
  if (fs::file_size(config, ignored) > kMuch || ignored) return std::nullopt;
  std::vector<Problem> problems;
  return parse_yaml(read_file(config), config.string(), problems);
}

// The `run` of a config, where it lies: as written, or beside the config.
std::optional<fs::path> run_of(const fs::path& config) {
  const auto root = tree_of(config);
  const Node* run = root && root->is(Node::Form::kMap) ? root->find("run") : nullptr;
  if (run == nullptr || !run->is(Node::Form::kScalar)) return std::nullopt;
  const fs::path beside = (config.parent_path() / run->text).lexically_normal();
  return is_there(run->text) && !is_there(beside) ? fs::path(run->text) : beside;
}

[[noreturn]] void refuse(const std::string& path, const std::string& meant) {
  throw_error(ErrorKind::kModel, "{} {}", path, meant);
}

std::optional<int64_t> number_at(const Node& config, std::string_view key) {
  const Found found = find_path(config, key);
  int64_t number = 0;
  if (!found.exact || !found.node->is(Node::Form::kScalar)) return std::nullopt;
  const std::string& text = found.node->text;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

// When the first checkpoint of a run comes, by its config: "after update 200, or …".
std::string first_checkpoint(const fs::path& run) {
  constexpr const char* kEnd = "when the training ends";
  const auto config = tree_of(run / kRunConfig);
  if (!config) return kEnd;
  auto first = number_at(*config, "train.save_every");
  const bool validates = !find_path(*config, "data.valid").node->is(Node::Form::kNull);
  if (const auto every = number_at(*config, "train.validate.every"); every && validates)
    first = std::min(*every, first.value_or(*every));
  return first ? fmt::format("after update {}, or {}", *first, kEnd) : kEnd;
}

// The message for a run without a checkpoint: when it will have the first one.
std::string say_first_checkpoint(const fs::path& run) {
  return "is being trained and has no checkpoint yet; the first one comes " + first_checkpoint(run);
}

void refuse_config(const std::string& path) {
  if (is_run(fs::path(path).parent_path()))
    refuse(path, fmt::format("is the config of a run; name the run, {}",
                             fs::path(path).parent_path().string()));
  const auto run = run_of(path);
  if (!run) refuse(path, "is a config; name the folder of its run");
  const std::string lacks = holds_model(*run) ? ""
                            : awaits_first_checkpoint(*run)
                                ? ", which " + say_first_checkpoint(*run)
                                : ", which has no checkpoint yet: heed train " + path;
  refuse(path, fmt::format("is a config; its run is {}{}", run->string(), lacks));
}

void refuse_file(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  if (is_model_folder(folder)) {
    refuse(path, "is a file of a model; name its folder, " + folder.string());
  }
  if (path.ends_with(".yaml") || path.ends_with(".yml") || run_of(path)) refuse_config(path);
  refuse(path,
         "is a file, not a model; a text is given by an option such as -i, and MODEL is a run, a "
         "checkpoint, a model folder or a packed model");
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
         fmt::format("holds models and is not a model itself; name one of {}{}",
                     fmt::join(first, ", "), first.size() < models.size() ? ", …" : ""));
}

void suggest_neighbour(const fs::path& path) {
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::path run = fs::path("runs") / path;  // folder used by the recipes
  const std::string hint =
      path.is_relative() && holds_model(run)
          ? fmt::format("; did you mean '{}'?", run.lexically_normal().string())
          : did_you_mean(path.lexically_normal().string(), models_in(parent));
  if (!hint.empty()) refuse(path.string(), "does not exist" + hint);
}

}  // namespace

void refuse_other_than_model(const std::string& path) {
  std::error_code ignored;
  if (path.empty()) throw_error(ErrorKind::kUsage, "MODEL is empty; name a run or a model folder");
  if (holds_model(path)) return;
  if (fs::is_regular_file(path, ignored)) refuse_file(path);
  if (fs::is_directory(path, ignored) && !is_run(path)) refuse_folder(path);
  if (awaits_first_checkpoint(path)) refuse(path, say_first_checkpoint(path));
  if (!is_there(path)) suggest_neighbour(path);
}

}  // namespace heed
