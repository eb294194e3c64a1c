#include "config/writer.h"

#include "base/error.h"
#include "config/print.h"
#include "config/settings_tree.h"

namespace heed {

namespace {

void flatten(const Node& node, const std::string& path,
             std::map<std::string, std::string>& values) {
  if (node.entries.empty()) {
    values[path] = print_inline(node);
    return;
  }
  for (size_t i = 0; i < node.entries.size(); ++i) {
    const Node::Entry& entry = node.entries[i];
    const bool is_list = node.is(Node::Form::kList);
    const std::string inner = is_list        ? fmt::format("{}[{}]", path, i)
                              : path.empty() ? entry.key
                                             : fmt::format("{}.{}", path, entry.key);
    flatten(entry.value, inner, values);
  }
}

}  // namespace

std::string write_config(const Visited& settings) { return print_tree(settings_tree(settings)); }

std::string write_inline(const Visited& settings) { return print_inline(settings_tree(settings)); }

std::map<std::string, std::string> flatten_config(const Visited& settings) {
  std::map<std::string, std::string> values;
  const Node tree = settings_tree(settings);
  for (const Node::Entry& entry : tree.entries) flatten(entry.value, entry.key, values);
  return values;
}

}  // namespace heed
