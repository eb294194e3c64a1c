// A config between text and settings: maps, lists, scalars, each with its place. The reader's
// parser, `--set` and the writer all speak it; no YAML library beyond parse.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// 1-based, columns in code points. Values given by `--set PATH=…` have no line: `origin` is then
// "--set PATH".
struct FilePlace {
  int line = 0, column = 0;
  std::string origin{};
};

struct Node {
  enum class Form { kNull, kScalar, kMap, kList };
  struct Entry;

  Form form = Form::kNull;
  std::string text{};   // kScalar
  bool quoted = false;  // kScalar: in quotes, or a block of text: it is no number and no true
  FilePlace place{};
  std::vector<Entry> entries;  // kMap: in their order, no key twice; kList: the keys are empty
  bool implied = false;        // kMap: only a key of `--set` below it says that it is there

  bool is(Form other) const { return form == other; }
  Node* find(std::string_view key);
  const Node* find(std::string_view key) const;
};

struct Node::Entry {
  std::string key;
  FilePlace place;  // of the key; in a list of the item
  Node value;
};

// True if both have the same keys, in this order, and values; places and quotes do not count.
bool equal(const Node& a, const Node& b);

// A scalar to which `--set` adds keys becomes a map that holds the scalar under this key; only the
// reader knows which key it is short for.
inline constexpr std::string_view kPlainValue = "";
// Turns a scalar, or such a map, into a map that holds it under `key`.
void spell_out(Node& node, const std::string& key);

// "a map", "a list", "'text'", "\"text\" in quotes", "no value".
std::string describe(const Node& node);
// A text as part of a message: cut if it is long, on one line.
std::string shown(std::string_view text);

// A walk along "model.decoder.terms[0].width". Where keys hold dots or brackets themselves, the
// longest key that fits is taken.
struct Found {
  const Node* node;          // the deepest one there is
  const Node::Entry* entry;  // that holds it; nullptr: the root
  bool exact;                // whether that is the whole path
};
Found find_path(const Node& root, std::string_view path);
// The node at this path; nullptr if there is none.
Node* find_node(Node& root, std::string_view path);

}  // namespace heed
