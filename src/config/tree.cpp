#include "config/tree.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

// The entry of a map that the path begins with, and how many bytes of the path it takes.
const Node::Entry* longest_key(const Node& map, std::string_view path) {
  const Node::Entry* best = nullptr;
  for (const Node::Entry& entry : map.entries) {
    const bool fits = path.starts_with(entry.key) && !entry.key.empty() &&
                      (path.size() == entry.key.size() || path[entry.key.size()] == '.' ||
                       path[entry.key.size()] == '[');
    if (fits && (best == nullptr || entry.key.size() > best->key.size())) best = &entry;
  }
  return best;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [key](const Entry& e) { return e.key == key; });
  return form == Form::kMap && found != entries.end() ? &found->value : nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

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
    result += c.size() == 1 && (c[0] == '\x7f' || (c[0] >= 0 && c[0] < ' ')) ? " " : std::string(c);
  }
  return result;
}

Found find_path(const Node& root, std::string_view path) {
  Found found{&root, nullptr, path.empty()};
  while (!path.empty()) {
    const Node::Entry* next = nullptr;
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

bool equal(const Node& a, const Node& b) {
  return a.form == b.form && a.text == b.text &&
         std::ranges::equal(a.entries, b.entries, [](const Node::Entry& x, const Node::Entry& y) {
           return x.key == y.key && equal(x.value, y.value);
         });
}

}  // namespace heed
