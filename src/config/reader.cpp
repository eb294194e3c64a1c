#include "config/reader.h"

#include <algorithm>
#include <tuple>

#include "base/descriptor.h"
#include "base/packed_file.h"
#include "config/mistakes.h"
#include "config/parse.h"
#include "config/problem_list.h"
#include "config/struct_reader.h"

namespace heed {

namespace {

// The root has to be a map with something in it.
bool is_config(const Node& root, const std::string& file, std::vector<Problem>& problems) {
  if (root.is(Node::Form::kMap)) return true;
  const std::string what =
      root.is(Node::Form::kNull) ? "the file is empty" : fmt::format("found {}", describe(root));
  const int first = 1;
  problems.push_back({file, std::max(first, root.place.line), std::max(first, root.place.column),
                      "", fmt::format("{}, expected settings as `key: value`", what)});
  return false;
}

// True if the path is that of `--set PATH`, or one inside of it.
bool is_inside(const std::string& path, const std::string& file) {
  const std::string whole = fmt::format("--set {}", path);
  if (!whole.starts_with(file)) return false;
  const std::string rest = whole.substr(file.size());
  return rest.empty() || rest.front() == '.' || rest.front() == '[';
}

}  // namespace

std::string Problem::text() const {
  const std::string place = line > 0 ? fmt::format("{}:{}:{}", file, line, column) : file;
  if (line == 0 && is_inside(path, file)) return fmt::format("--set {}: {}", path, message);
  return path.empty() ? fmt::format("{}: {}", place, message)
                      : fmt::format("{}: {}: {}", place, path, message);
}

void sort_problems(std::vector<Problem>& problems) {
  std::ranges::stable_sort(problems, [](const Problem& a, const Problem& b) {
    return std::tuple(a.line == 0, a.line, a.column) < std::tuple(b.line == 0, b.line, b.column);
  });
}

std::optional<Node> read_tree(const std::string& text, const std::string& file,
                              const std::vector<Override>& overrides,
                              std::vector<Problem>& problems) {
  std::optional<Node> root = parse_yaml(text, file, problems);
  if (!root) return std::nullopt;
  if (root->is(Node::Form::kNull) && !overrides.empty()) root->form = Node::Form::kMap;
  if (!is_config(*root, file, problems)) return std::nullopt;
  for (const Override& given : overrides) apply_override(*root, given, problems);
  return root;
}

std::vector<Problem> find_problems(Node tree, const std::string& file, Settings& settings,
                                   bool saved) {
  ProblemList list(tree, file);
  read_settings(tree, settings, list, saved);
  return list.sorted();
}

std::vector<Problem> find_problems(const std::string& text, const std::string& file,
                                   Settings& settings, const ReadOptions& options) {
  std::vector<Problem> problems;
  std::optional<Node> root = read_tree(text, file, options.overrides, problems);
  if (!root) return problems;
  for (Problem& problem : find_problems(std::move(*root), file, settings, options.saved))
    problems.push_back(std::move(problem));
  sort_problems(problems);
  return problems;
}

void read_config_text(const std::string& text, const std::string& file, Settings& settings,
                      const ReadOptions& options) {
  throw_if_any(find_problems(text, file, settings, options), file);
}

std::string read_config_start(const std::string& file) try {
  if (const auto packed = find_packed(file)) return packed->substr(0, kLargestConfig + 1);
  const Descriptor descriptor =
      file == "-" ? Descriptor::open_to_read(file) : Descriptor::open_regular(file);
  std::string text(kLargestConfig + 1, '\0');
  size_t size = 0;
  while (const size_t count = descriptor.read(text.data() + size, text.size() - size))
    size += count;
  text.resize(size);
  return text;
} catch (const IoError& error) {
  if (!error.is_about_the_file()) throw;
  throw Error(ErrorKind::kUsage, error.what());
}

void read_config_file(const std::string& file, Settings& settings, const ReadOptions& options) {
  read_config_text(read_config_start(file), file, settings, options);
}

}  // namespace heed
