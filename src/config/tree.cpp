#include "config/tree.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

// The entry of a map that the path begins with: the one with the longest key. Tree: Node or const
// Node.
template <class Tree>
auto longest_key(Tree& map, std::string_view path) -> decltype(map.entries.data()) {
  decltype(map.entries.data()) best = nullptr;
  for (auto& entry : map.entries) {
    const bool fits = path.starts_with(entry.key) && !entry.key.empty() &&
                      (path.size() == entry.key.size() || path[entry.key.size()] == '.' ||
                       path[entry.key.size()] == '[');
    if (fits && (best == nullptr || entry.key.size() > best->key.size())) best = &entry;
  }
  return best;
}

// Found, of a constant tree or of one that may be changed.
template <class Tree>
struct Walked {
  Tree* node;
  const Node::Entry* entry;
  bool exact;
};
template <class Tree>
Walked<Tree> walk(Tree& root, std::string_view path) {
  Walked<Tree> found{&root, nullptr, path.empty()};
  while (!path.empty()) {
    decltype(root.entries.data()) next = nullptr;
    if (found.node->is(Node::Form::kList) && path.front() == '[') {
      size_t index = 0;
      const char* end = path.data() + path.size();
      const auto [rest, error] = std::from_chars(path.data() + 1, end, index);
      if (error != std::errc() || rest == end || *rest != ']' ||
          index >= found.node->entries.size())
        break;
      next = &found.node->entries[index];
      path.remove_prefix(static_cast<size_t>(rest + 1 - path.data()));
    } else if (found.node->is(Node::Form::kMap)) {
      next = longest_key(*found.node, path);
      if (next == nullptr) break;
      path.remove_prefix(next->key.size());
    } else {
      break;
    }
    if (path.starts_with('.')) path.remove_prefix(1);
    found = {&next->value, next, path.empty()};
  }
  return found;
}

template <class Tree>
Tree* find_value(Tree& map, std::string_view key) {
  const auto found = std::ranges::find(map.entries, key, &Node::Entry::key);
  return map.is(Node::Form::kMap) && found != map.entries.end() ? &found->value : nullptr;
}

}  // namespace

const Node* Node::find(std::string_view key) const { return find_value(*this, key); }

Node* Node::find(std::string_view key) { return find_value(*this, key); }

void spell_out(Node& node, const std::string& key) {
  if (node.is(Node::Form::kScalar)) {
    const FilePlace place = node.place;
    Node scalar = std::move(node);
    node = Node{.form = Node::Form::kMap, .place = place};
    node.entries.push_back({key, place, std::move(scalar)});
    return;
  }
  const bool is_given = node.find(key) != nullptr;
  for (auto entry = node.entries.begin(); entry != node.entries.end(); ++entry) {
    if (node.form != Node::Form::kMap || entry->key != kPlainValue) continue;
    if (is_given) {
      node.entries.erase(entry);
    } else {
      entry->key = key;
    }
    return;
  }
}

std::string describe(const Node& node) {
  switch (node.form) {
    case Node::Form::kNull:
      return "no value";
    case Node::Form::kMap:
      return "a map";
    case Node::Form::kList:
      return "a list";
    case Node::Form::kScalar:
      break;
  }
  return node.quoted ? fmt::format("\"{}\" in quotes", shown(node.text))
                     : fmt::format("'{}'", shown(node.text));
}

std::string shown(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string result;
  size_t count = 0;
  for (std::string_view c : code_points(text)) {
    if (count++ == kLongest) return result + "…";
    const auto byte = static_cast<unsigned char>(c[0]);
    result += byte == 0x7f || byte < ' ' ? " " : std::string(c);
  }
  return result;
}

Found find_path(const Node& root, std::string_view path) {
  const auto [node, entry, exact] = walk(root, path);
  return {node, entry, exact};
}

Node* find_node(Node& root, std::string_view path) {
  const auto found = walk(root, path);
  return found.exact ? found.node : nullptr;
}

bool equal(const Node& a, const Node& b) {
  return a.form == b.form && a.text == b.text &&
         std::ranges::equal(a.entries, b.entries, [](const Node::Entry& x, const Node::Entry& y) {
           return x.key == y.key && equal(x.value, y.value);
         });
}

}  // namespace heed
