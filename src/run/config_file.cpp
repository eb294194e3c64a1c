#include "run/config_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/run_folder_names.h"
#include "base/shell.h"
#include "config/mistakes.h"
#include "config/other_config.h"
#include "config/parse.h"
#include "config/paths.h"
#include "config/print.h"
#include "run/inherited_config.h"
#include "run/run_phases_config.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

// True for the config of a trained model, as printed by `heed inspect --config`: it has `sources`
// and lacks `data`.
bool is_model_config(const std::vector<Problem>& problems) {
  const auto names = [&problems](const char* path) {
    return std::ranges::find(problems, path, &Problem::path) != problems.end();
  };
  return names("sources") && names("data");
}

// toolkit: whose config this is; nullptr: it is none of another.
void throw_mistakes(const std::vector<Problem>& problems, const std::string& file,
                    const char* toolkit) {
  std::vector<std::string> first, last;
  if (toolkit != nullptr)
    first.push_back(
        fmt::format("{} is a config of {}, which has other keys; docs/migration.md has those of "
                    "heed beside them, and `heed config new` writes a config",
                    file, toolkit));
  if (is_model_config(problems))
    last.push_back(
        fmt::format("{} is the config of a trained model, without data and training; "
                    "expected that of a run, RUN/config.yaml",
                    file));
  throw_if_any(problems, file, first, last);
}

// A corpus in the place of a config.
void refuse_text_as_config(const std::string& text, const std::string& file) {
  const std::string first = text.substr(0, text.find('\n'));
  const bool has_objects = first.starts_with("{\"") && first.ends_with('}');
  const bool is_table = has_objects || first.find('\t') != std::string::npos;
  if (text.size() <= kLargestConfig && !has_objects && !has_no_keys(text)) return;
  throw_error(
      ErrorKind::kUsage,
      "{}: this is not a config, expected YAML with lines such as `run: runs/first`; a config "
      "for a corpus is written by `heed config new {} -o {}`",
      file, is_table ? shell_word(file) : "--source FILE --target FILE",
      shell_word(new_name(file, ".yaml")));
}

void refuse_folder_as_config(const std::string& file) {
  std::error_code ignored;
  if (!fs::is_directory(file, ignored)) return;
  throw_error(ErrorKind::kUsage, "{} is a folder, expected a config, YAML{}", file,
              fs::exists(fs::path(file) / kRunConfig, ignored)
                  ? "; to go on with a run, name its config and --resume"
                  : "");
}

// Makes paths that would start from the folder of the config start from `folder`. Returns true if
// there are any. key: of the node.
bool move_to_folder(Node& node, const std::string& key, const fs::path& folder,
                    const PathKeys& keys) {
  const bool is_text = node.is(Node::Form::kScalar) && !node.text.empty();
  if (is_text && keys.start_from(PathRoot::kConfigFolder, key)) {
    node.text = (folder / node.text).string();
    return true;
  }
  bool any = false;
  if (node.is(Node::Form::kMap)) {
    for (Node::Entry& entry : node.entries)
      any |= move_to_folder(entry.value, fmt::format("{}.{}", key, entry.key), folder, keys);
  }
  return any;
}

Override from_current_folder(Override given, const PathKeys& keys) {
  std::vector<Problem> ignored;  // reported again when the value is read
  std::optional<Node> value = parse_yaml(given.value, "", ignored);
  if (value && move_to_folder(*value, given.path, fs::current_path(), keys))
    given.value = print_inline(*value);
  return given;
}

struct Reading {
  ConfigFile config;
  std::vector<Problem> problems{};
  const char* toolkit = nullptr;  // whose config it is; nullptr: it is none of another
};

Reading read_whole(const std::string& file, const std::vector<std::string>& overrides,
                   bool resumes) {
  Reading reading;
  RunConfig& run = reading.config.run;
  run.folder = fs::absolute(file).parent_path();
  std::vector<Override> overriding;
  refuse_folder_as_config(file);
  const std::string text = read_config_start(file);
  if (!overrides.empty()) {
    const PathKeys keys{ConfigFile()};
    for (const std::string& given : overrides)
      overriding.push_back(from_current_folder(parse_override(given), keys));
  }
  inherit_sections(text, file, {run.folder, resumes}, overriding);
  auto tree = read_tree(text, file, overriding, reading.problems);
  if (!tree) refuse_text_as_config(text, file);
  if (!tree) return reading;
  reading.toolkit = toolkit_of(*tree);
  for (Problem& problem : find_problems(*tree, file, reading.config))
    reading.problems.push_back(std::move(problem));
  std::erase_if(tree->entries, [](const Node::Entry& entry) {
    return entry.key == "sweep" || entry.key == "distill";
  });
  read_phases(*tree, file, run, reading.problems);
  if (!reading.problems.empty()) return reading;
  resolve_paths(reading.config, PathRoot::kConfigFolder, run.folder);
  for (RunPhase& phase : run.phases) resolve_paths(phase.data, PathRoot::kConfigFolder, run.folder);
  run.run = (fs::path(run.run) / "").parent_path().string();  // no / at the end
  return reading;
}

}  // namespace

void ConfigFile::fields(Fields& f) {
  run.fields(f);
  f.section("sweep", sweep,
            "settings and seeds with which `heed sweep` trains this recipe; `heed train` reads "
            "nothing of it");
  f.peers("sweep", {.also = "grid_search, hyperparameter_search, tune"});
  f.section("distill", distill,
            "how `heed distill` trains this recipe on translations of a larger model; `heed train` "
            "reads nothing of it");
  f.peers("distill", {.also = "distillation, knowledge_distillation, teacher"});
}

void ConfigFile::validate_parts(Problems& problems) const {
  run.validate_parts(problems);
  if (distill && distill->alignment) check_alignment_of(run.model, "distill.alignment", problems);
}

ConfigFile read_whole_config(const std::string& file, const std::vector<std::string>& overrides,
                             bool resumes) {
  Reading reading = read_whole(file, overrides, resumes);
  throw_mistakes(reading.problems, file, reading.toolkit);
  return std::move(reading.config);
}

std::vector<Problem> find_config_problems(const std::string& file,
                                          const std::vector<std::string>& overrides, bool resumes,
                                          ConfigFile& config) {
  Reading reading = read_whole(file, overrides, resumes);
  config = std::move(reading.config);
  return std::move(reading.problems);
}

std::string override_text(const std::string& key, Node value, const fs::path& folder,
                          const PathKeys& keys) {
  move_to_folder(value, key, folder, keys);
  return fmt::format("{}={}", key, print_inline(value));
}

RunConfig read_run_config(const std::string& file, const std::vector<std::string>& overrides,
                          bool resumes) {
  return read_whole_config(file, overrides, resumes).run;
}

}  // namespace heed
