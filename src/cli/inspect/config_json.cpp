#include "cli/inspect/config_json.h"

#include <nlohmann/json.hpp>

#include "config/settings_tree.h"

namespace heed {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Node& node) {
  switch (node.form) {
    case Node::Form::kNull:
      return nullptr;
    case Node::Form::kScalar: {
      const auto value = Json::parse(node.text, nullptr, false);
      return node.quoted || value.is_discarded() ? Json(node.text) : value;
    }
    case Node::Form::kMap: {
      Json map = Json::object();
      for (const Node::Entry& entry : node.entries) map[entry.key] = to_json(entry.value);
      return map;
    }
    case Node::Form::kList: {
      Json list = Json::array();
      for (const Node::Entry& entry : node.entries) list.push_back(to_json(entry.value));
      return list;
    }
  }
  return nullptr;
}

}  // namespace

nlohmann::ordered_json config_json(const Visited& settings) {
  return to_json(settings_tree(settings));
}

}  // namespace heed
