#include "config/earlier.h"

#include <algorithm>
#include <string_view>

#include "config/tree.h"

namespace heed {

namespace {

bool is_of_type(const Node& node, const char* type) {
  if (node.is(Node::Form::kScalar)) return node.text == type;
  const Node* named = node.is(Node::Form::kMap) ? node.find("type") : nullptr;
  return named != nullptr && named->text == type;
}

void add(Node& kind, const EarlierDefault& missing) {
  spell_out(kind, "type");
  if (kind.find(missing.key) != nullptr) return;
  Node value{.place = kind.place};
  if (std::string_view(missing.value) != "~") {
    value.form = Node::Form::kScalar;
    value.text = missing.value;
  }
  kind.entries.push_back({missing.key, kind.place, std::move(value)});
}

// The kinds of a list stand under the name of the list.
void walk(Node& node, const std::string& field, const std::vector<EarlierDefault>& defaults) {
  for (const EarlierDefault& one : defaults) {
    const auto is_field = [&](const char* name) { return field == name; };
    if (std::ranges::any_of(one.fields, is_field) && is_of_type(node, one.type)) add(node, one);
  }
  const bool is_list = node.is(Node::Form::kList);
  for (Node::Entry& entry : node.entries) walk(entry.value, is_list ? field : entry.key, defaults);
}

}  // namespace

void add_earlier_defaults(Node& root, const std::vector<EarlierDefault>& defaults) {
  walk(root, "", defaults);
}

}  // namespace heed
