#include "cli/completion/command_tree.h"

namespace heed {

namespace {

// "NAME:{text,json}" or "NAME"
void read_type(const std::string& type, CommandOption& option) {
  const size_t colon = type.find(':');
  option.value = type.substr(0, colon);
  const size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return;
  option.choices = CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

CommandOption option_of(const CLI::Option& option) {
  CommandOption result;
  result.is_positional = !option.nonpositional();
  if (result.is_positional) result.names.push_back(option.get_name());
  for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  if (option.get_type_size() != 0) read_type(option.get_type_name(), result);
  result.description = option.get_description();
  result.group = option.get_group();
  result.is_required = option.get_required();
  constexpr int kMany = 1000;
  result.is_repeated = option.get_expected_max() > kMany;
  return result;
}

CommandNode node_of(const CLI::App& app, const std::string& above) {
  CommandNode node;
  node.name = above + app.get_name();
  node.description = app.get_description();
  node.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) node.options.push_back(option_of(*option));
  }
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    if (!sub->get_group().empty()) node.commands.push_back(node_of(*sub, node.name + " "));
  }
  return node;
}

void add_all(const CommandNode& node, std::vector<const CommandNode*>& all) {
  all.push_back(&node);
  for (const CommandNode& below : node.commands) add_all(below, all);
}

}  // namespace

bool CommandOption::names_file() const {
  if (is_positional) return value != "NUMBER" && choices.empty();
  return value == "FILE" || value == "FOLDER";
}

CommandNode command_tree(const CLI::App& app) { return node_of(app, ""); }

std::vector<const CommandNode*> all_commands(const CommandNode& root) {
  std::vector<const CommandNode*> all;
  add_all(root, all);
  return all;
}

}  // namespace heed
