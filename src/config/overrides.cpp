
#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "config/overlay.h"
#include "config/parse.h"

namespace heed {

namespace {

// Step of a path: a key, or an index of a list.
struct PathStep {
  std::string key{};
  std::optional<size_t> index{};
};

[[noreturn]] void refuse_path(const std::string& path) {
  throw_error(
      ErrorKind::kUsage,
      "--set {}: expected KEY=VALUE with a key such as train.max_updates or data.train[0].source",
      path);
}

// Splits a path into its steps; nullopt if it is malformed.
std::optional<std::vector<PathStep>> split(std::string_view path) {
  std::vector<PathStep> steps;
  while (true) {
    const size_t end = std::min(path.find_first_of(".[]"), path.size());
    if (end == 0) return std::nullopt;
    steps.push_back({.key = std::string(path.substr(0, end))});
    path.remove_prefix(end);
    while (path.starts_with('[')) {
      size_t index = 0;
      const char* last = path.data() + path.size();
      const auto [rest, error] = std::from_chars(path.data() + 1, last, index);
      if (error != std::errc() || rest == last || *rest != ']') return std::nullopt;
      steps.push_back({.index = index});
      path.remove_prefix(static_cast<size_t>(rest + 1 - path.data()));
    }
    if (path.empty()) return steps;
    if (!path.starts_with('.')) return std::nullopt;
    path.remove_prefix(1);
  }
}

// Walks from the root to the node of the value.
class Walk {
 public:
  Walk(Node& root, const FilePlace& place) : node_(&root), place_(place) {}
  Node& node() const { return *node_; }

  // Goes one step further and creates the node if it is missing. Returns "" or why this is
  // impossible.
  std::string take(const PathStep& step) {
    return step.index ? take_item(*step.index) : take_key(step.key);
  }
  // Follows the path as far as the tree has it and returns the rest.
  std::string_view follow(std::string_view path) {
    Node* found = find_node(*node_, path);
    if (found == nullptr) return path;
    node_ = found;
    return "";
  }

 private:
  std::string take_key(const std::string& key) {
    if (node_->is(Node::Form::kNull))
      *node_ = {.form = Node::Form::kMap, .place = place_, .entries = {}, .implied = true};
    if (node_->is(Node::Form::kScalar)) spell_out(*node_, std::string(kPlainValue));
    if (!node_->is(Node::Form::kMap))
      return fmt::format("'{}' is in {}, not in a map", shown(key), describe(*node_));
    if (Node* value = node_->find(key)) {
      node_ = value;
    } else {
      add(key);
    }
    return "";
  }

  std::string take_item(size_t index) {
    if (node_->is(Node::Form::kNull)) *node_ = {.form = Node::Form::kList, .place = place_};
    if (node_->is(Node::Form::kScalar)) {
      Node item = *node_;
      *node_ = {.form = Node::Form::kList, .place = item.place};
      node_->entries.push_back({"", item.place, item});
    }
    if (!node_->is(Node::Form::kList))
      return fmt::format("[{}] of {}, not of a list", index, describe(*node_));
    const size_t size = node_->entries.size();
    if (index > size)
      return fmt::format("there is no item [{}], the list has {}; [{}] adds one", index, size,
                         size);
    if (index == size) {
      add("");
    } else {
      node_ = &node_->entries[index].value;
    }
    return "";
  }

  void add(const std::string& key) {
    node_->entries.push_back({key, place_, Node{.place = place_}});
    node_ = &node_->entries.back().value;
  }

  Node* node_;
  FilePlace place_;
};

}  // namespace

Override parse_override(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) refuse_path(text);
  Override result{text.substr(0, equals), text.substr(equals + 1)};
  const auto steps = split(result.path);
  if (!steps || steps->size() > kDeepestConfig) refuse_path(text);
  return result;
}

void apply_override(Node& root, const Override& given, std::vector<Problem>& problems) {
  const FilePlace place{.origin = fmt::format("--set {}", given.path)};
  std::vector<Problem> found;
  std::optional<Node> value = parse_yaml(given.value, place.origin, found);
  Node changed = root;
  Walk walk(changed, place);
  // A key that contains dots is found as a whole; all other paths are followed step by step.
  const auto steps = split(walk.follow(given.path));
  for (const PathStep& step : steps.value_or(std::vector<PathStep>{})) {
    const std::string why = value ? walk.take(step) : "";
    if (!why.empty()) found.push_back({.file = place.origin, .path = given.path, .message = why});
    if (!found.empty()) break;
  }
  for (Problem& problem : found) {
    problem.line = problem.column = 0;
    if (problem.path != given.path)
      problem.path =
          problem.path.empty() ? given.path : fmt::format("{}.{}", given.path, problem.path);
    problems.push_back(problem);
  }
  if (!found.empty()) return;
  set_places(*value, place);
  walk.node() = std::move(*value);
  root = std::move(changed);
}

}  // namespace heed
