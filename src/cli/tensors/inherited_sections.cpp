#include "cli/tensors/inherited_sections.h"

#include <optional>

#include "base/error.h"
#include "base/model_folder.h"
#include "config/overrides.h"
#include "config/parse.h"
#include "config/writer.h"
#include "model/saved_model.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

struct TextSection final : Settings {
  TextConfigs text;
  void fields(Fields& f) const override { f.map("text", text, ""); }
};

std::string text_section(const TextConfigs& text) {
  TextSection section;
  section.text = text;
  constexpr std::string_view kKey = "text:";
  return write_config(section).substr(kKey.size());
}

// What the whole config says, with the overrides.
std::optional<Node> tree_of(const std::string& config, const std::string& file,
                            const std::vector<Override>& overrides) {
  std::vector<Problem> ignored;
  std::optional<Node> root = parse_yaml(config, file, ignored);
  if (!root || !root->is(Node::Form::kMap)) return std::nullopt;
  for (const Override& given : overrides) apply_override(*root, given, ignored);
  return root;
}

std::optional<fs::path> initial_model(const Node& root, const fs::path& folder) {
  const Node* init = root.find("init");
  const Node* model = init != nullptr && init->is(Node::Form::kMap) ? init->find("model") : nullptr;
  if (model == nullptr || !model->is(Node::Form::kScalar)) return std::nullopt;
  return (folder / model->text).lexically_normal();
}

}  // namespace

void inherit_sections(const std::string& config, const std::string& file, const fs::path& folder,
                      std::vector<Override>& overrides) try {
  const std::optional<Node> written = tree_of(config, file, {}),
                            whole = tree_of(config, file, overrides);
  const auto path = whole ? initial_model(*whole, folder) : std::nullopt;
  if (!written || !path) return;
  SavedModelConfig saved;
  read_model(*path, [&](const fs::path& model) { saved = read_model_config(model); });
  std::vector<Override> all;
  if (written->find("text") == nullptr) all.push_back({"text", text_section(saved.text)});
  if (written->find("model") == nullptr) all.push_back({"model", write_inline(saved.model)});
  all.insert(all.end(), overrides.begin(), overrides.end());
  overrides = std::move(all);
} catch (const Error& error) {
  if (error.kind() != ErrorKind::kModel && error.kind() != ErrorKind::kIo) throw;
}

}  // namespace heed
