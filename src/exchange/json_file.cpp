#include "exchange/json_file.h"

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/small_file.h"
#include "config/numbers.h"
#include "config/parse.h"

namespace heed {

namespace {

constexpr int kDeepest = 16;

Json json_of_scalar(const Node& node) {
  const auto is_one_of = [&node](std::initializer_list<const char*> words) {
    return std::ranges::count(words, node.text) > 0;
  };
  if (node.quoted) return node.text;
  if (is_one_of({"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})) return true;
  if (is_one_of({"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})) return false;
  if (is_one_of({"", "~", "null", "Null", "NULL"})) return nullptr;
  if (const auto whole = to_integer(node.text)) return *whole;
  if (const auto real = to_number(node.text)) return *real;
  return node.text;
}

Json json_of(const Node& node) {
  if (node.is(Node::Form::kNull)) return nullptr;
  if (node.is(Node::Form::kScalar)) return json_of_scalar(node);
  Json json = node.is(Node::Form::kMap) ? Json::object() : Json::array();
  for (const Node::Entry& entry : node.entries) {
    if (node.is(Node::Form::kMap))
      json[entry.key] = json_of(entry.value);
    else
      json.push_back(json_of(entry.value));
  }
  return json;
}

Node parse_tree(const std::string& text, const std::string& name) {
  std::vector<Problem> problems;
  const auto tree = parse_yaml(text, name, problems);
  if (!tree || !problems.empty()) throw_error(ErrorKind::kModel, "{}", problems.at(0).text());
  return *tree;
}

}  // namespace

std::string YamlFile::place(const std::string& key) const {
  const auto line = lines.find(key);
  return fmt::format("{}:{} {}", path.string(),
                     line == lines.end() ? "" : fmt::format("{}:", line->second), key);
}

YamlFile read_yaml_map(const fs::path& path) {
  const Node tree = parse_tree(read_file(path, kLargestConfig), path.string());
  YamlFile file{.path = path, .values = json_of(tree), .lines = {}};
  if (file.values.is_null()) file.values = Json::object();
  if (!file.values.is_object())
    throw_error(ErrorKind::kModel, "{}: found {}, expected keys, as in  beam-size: 6",
                path.string(), describe(tree));
  for (const Node::Entry& entry : tree.entries) {
    file.lines[entry.key] = entry.place.line;
    if (!entry.value.is(Node::Form::kMap)) continue;
    for (const Node::Entry& inner : entry.value.entries)
      file.lines[entry.key + "." + inner.key] = inner.place.line;
  }
  return file;
}

Json parse_yaml_json(const std::string& text, const std::string& name) {
  return json_of(parse_tree(text, name));
}

Json read_json(const fs::path& path) {
  const Json::parser_callback_t bounded = [&path](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest)
      throw_error(ErrorKind::kModel, "{}: is nested deeper than {} levels", path.string(),
                  kDeepest);
    return true;
  };
  try {
    return Json::parse(read_file(path, kLargestJsonFile), bounded);
  } catch (const Json::parse_error& error) {
    throw_error(ErrorKind::kModel, "{}: is no JSON at byte {}; copy it again", path.string(),
                error.byte);
  }
}

std::map<int64_t, std::string> read_token_ids(const fs::path& path) {
  const Json tokens = read_json(path);
  if (!tokens.is_object())
    throw_error(ErrorKind::kModel, "{}: expected an object of tokens and their ids", path.string());
  std::map<int64_t, std::string> by_id;
  for (const auto& [token, id] : tokens.items()) {
    const bool is_id = id.is_number_integer() && id.get<int64_t>() >= 0;
    if (!is_id || !by_id.emplace(id.get<int64_t>(), token).second)
      throw_error(ErrorKind::kModel,
                  "{}: the id of '{}' is {}, expected a number that no other has", path.string(),
                  token, id.dump());
  }
  return by_id;
}

void write_json(const fs::path& path, const OrderedJson& json) {
  write_file(path, json.dump(2) + "\n");
}

}  // namespace heed
