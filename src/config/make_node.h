// Nodes of a config that code makes instead of the parser.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/tree.h"

namespace heed {

inline Node make_node(Node::Form form, std::vector<Node::Entry> entries = {}) {
  Node node;
  node.form = form;
  node.entries = std::move(entries);
  return node;
}

// A text, whatever it looks like.
inline Node make_text_node(std::string text) {
  Node node = make_node(Node::Form::kScalar);
  node.text = std::move(text);
  node.quoted = true;
  return node;
}

}  // namespace heed
