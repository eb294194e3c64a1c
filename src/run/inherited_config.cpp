#include "run/inherited_config.h"

#include <optional>

#include "base/error.h"
#include "base/folder.h"
#include "base/model_folder.h"
#include "base/run_folder_names.h"
#include "config/parse.h"
#include "config/writer.h"
#include "model/saved_model_config.h"
#include "run/run_config.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

std::string text_section(const TextConfigs& text) {
  TextSection section;
  section.text = text;
  constexpr std::string_view kKey = "text:";
  return write_config(section).substr(kKey.size());
}

// The value under `keys` of the config, or null.
const Node* node_at(const Node& root, const std::vector<const char*>& keys) {
  const Node* node = &root;
  for (const char* key : keys) {
    node = node->is(Node::Form::kMap) ? node->find(key) : nullptr;
    if (node == nullptr) return nullptr;
  }
  return node;
}

std::optional<fs::path> path_at(const Node& root, const std::vector<const char*>& keys,
                                const fs::path& folder) {
  const Node* node = node_at(root, keys);
  if (node == nullptr || !node->is(Node::Form::kScalar)) return std::nullopt;
  return (folder / node->text).lexically_normal();
}

struct Sections {
  TextConfigs text;
  ModelConfig model;
};

Sections sections_of_run(const fs::path& run) {
  RunConfig stored;
  read_stored_config(run / kRunConfig, stored);
  return {stored.text, stored.model};
}

Sections sections_of_model(const fs::path& path) {
  Sections sections;
  read_model(path, [&](const fs::path& folder) {
    SavedModelConfig saved = read_model_config(folder);
    resolve_text_paths(saved.text, folder);
    sections = {saved.text, saved.model};
  });
  return sections;
}

}  // namespace

void inherit_sections(const std::string& config, const std::string& file,
                      const Inheritance& inheritance, std::vector<Override>& overrides) try {
  std::vector<Problem> ignored;
  const std::optional<Node> written = parse_yaml(config, file, ignored);
  if (!written || !written->is(Node::Form::kMap)) return;
  Node whole = *written;
  for (const Override& given : overrides) apply_override(whole, given, ignored);
  const auto model = path_at(whole, {"init", "model"}, inheritance.folder);
  if (!model) return;
  const auto run = path_at(whole, {"run"}, inheritance.folder);
  const bool is_stored = inheritance.resumes && run && is_plain_file(*run / kRunConfig);
  const Sections sections = is_stored ? sections_of_run(*run) : sections_of_model(*model);
  std::vector<Override> all;
  if (written->find("text") == nullptr) all.push_back({"text", text_section(sections.text)});
  const bool has_model = written->find("model") != nullptr || node_at(whole, {"model", "preset"});
  if (!has_model) all.push_back({"model", write_inline(sections.model)});
  all.insert(all.end(), overrides.begin(), overrides.end());
  overrides = std::move(all);
} catch (const Error&) {
}

}  // namespace heed
