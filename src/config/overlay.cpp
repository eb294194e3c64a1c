#include "config/overlay.h"

#include <algorithm>
#include <string>

namespace heed {

namespace {

using Form = Node::Form;

// The text of a scalar, or of the `type:` of a map, which `--set` may have made of a plain value;
// nullptr: none.
const std::string* type_of(const Node& node) {
  if (node.is(Form::kScalar)) return &node.text;
  for (const std::string_view key : {std::string_view("type"), kPlainValue}) {
    const Node* type = node.find(key);
    if (type != nullptr && type->is(Form::kScalar)) return &type->text;
  }
  return nullptr;
}

bool have_one_type(const Node& a, const Node& b) {
  const std::string *first = type_of(a), *second = type_of(b);
  return first != nullptr && second != nullptr && *first == *second;
}

bool replaces(const Node& below, const Node& above, TypedMap typed) {
  if (below.is(Form::kNull) || below.is(Form::kList)) return true;
  if (typed == TypedMap::kReplaces) return !above.is(Form::kMap) || above.find("type") != nullptr;
  if (above.is(Form::kScalar)) return !below.is(Form::kMap) || !have_one_type(below, above);
  return !above.is(Form::kMap) || (type_of(above) != nullptr && !have_one_type(below, above));
}

}  // namespace

Node overlaid(Node below, const Node& above, TypedMap typed) {
  if (replaces(below, above, typed)) return above;
  if (above.is(Form::kScalar)) return below;  // the type that `below` has
  if (below.is(Form::kScalar)) spell_out(below, std::string(kPlainValue));
  for (const Node::Entry& entry : above.entries) {
    const auto own = std::ranges::find(below.entries, entry.key, &Node::Entry::key);
    if (own == below.entries.end()) {
      below.entries.push_back(entry);
    } else {
      own->value = overlaid(std::move(own->value), entry.value, typed);
      own->place = entry.place;
    }
  }
  return below;
}

void set_places(Node& node, const FilePlace& place) {
  node.place = place;
  for (Node::Entry& entry : node.entries) {
    entry.place = place;
    set_places(entry.value, place);
  }
}

}  // namespace heed
