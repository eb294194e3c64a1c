// Kinds in a config, named as the headings of docs/config.md: "score: dot", and "decoder: rnn past"
// for an optional section of a kind.
#pragma once

#include <set>
#include <string>

#include "config/settings_tree.h"

namespace heed {

// Registry of the value of a key: `self_attention` takes an attention, `word_encoder` and each of
// several encoders take an encoder, like the `modeling` of a joiner.
inline std::string kind_taken_by(const std::string& key, const std::string& above) {
  if (key == "self_attention") return "attention";
  if (key == "word_encoder" || key == "sentence_encoder" || key == "modeling" ||
      above == "encoders")
    return "encoder";
  return key;
}

// `key`: the key of the node; `above`: the key of the settings around it.
inline void add_kinds(const Node& node, const std::string& key, const std::string& above,
                      std::set<std::string>& found) {
  const Node* type = node.find("type");
  const std::string kind = type == nullptr ? "" : kind_taken_by(key, above) + ": " + type->text;
  if (type != nullptr) found.insert(kind);
  for (const Node::Entry& entry : node.entries) {
    if (type != nullptr && entry.value.is(Node::Form::kMap) && entry.value.find("type") == nullptr)
      found.insert(kind + " " + entry.key);
    add_kinds(entry.value, node.is(Node::Form::kList) ? key : entry.key, key, found);
  }
}

inline std::set<std::string> kinds_of(const Node& tree, const std::string& key = "") {
  std::set<std::string> found;
  add_kinds(tree, key, "", found);
  return found;
}
inline std::set<std::string> kinds_of(const Visited& settings) {
  return kinds_of(settings_tree(settings));
}
// Kinds of one setting, including its own kind; `key`: the key that takes it, such as "attention".
inline std::set<std::string> kinds_of(const KindSettings& kind, const std::string& key) {
  Node type, tree = settings_tree(kind);
  type.form = Node::Form::kScalar;
  type.text = kind.type;
  tree.entries.push_back({"type", {}, type});
  return kinds_of(tree, key);
}

}  // namespace heed
