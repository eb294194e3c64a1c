#include "config/parse.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <unordered_map>

#include "base/error.h"
#include "config/text_places.h"

namespace heed {

namespace {

// Error that ends the parsing at once.
struct Refusal {
  FilePlace place;
  std::string message;
};

// Maximum number of errors for repeated keys.
constexpr size_t kMostSecondKeys = 100;
constexpr const char* kPlainKey = "a key must be plain text, and every bracket closed";

// Builds the tree from the events of the parser. They carry information that the parser's own nodes
// lack: quotes, positions and repeated keys.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const TextPlaces& places, const std::string& file, std::vector<Problem>& problems)
      : places_(places), file_(file), problems_(problems) {}

  Node take_root() { return std::move(root_); }
  // Position of the innermost open map or list.
  FilePlace innermost() const {
    return levels_.empty() ? FilePlace{1, 1} : levels_.back().node.place;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ == 0) return;
    const std::string_view rest =
        places_.text().substr(std::min(offset(mark), places_.text().size()));
    throw Refusal{at(mark), rest.starts_with("---") || offset(mark) > 0
                                ? "a second YAML document starts here; a file holds one config"
                                : "expected `key: value`, found " +
                                      describe({.form = Node::Form::kScalar,
                                                .text = std::string(rest.substr(0, 1))})};
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    throw Refusal{
        at(mark),
        fmt::format("anchors (&{}) are not supported; write the value out where it is needed",
                    shown(name))};
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refusal{at(mark), "aliases (*name) are not supported; write the value out"};
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    add({.place = at(mark)}, at(mark));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& text) override {
    refuse_tag(mark, tag);
    const bool quoted = tag == "!";
    if (quoted && !quote_is_closed(places_.text(), offset(mark))) {
      throw Refusal{at(mark), "this quote is not closed"};
    }
    add({.form = Node::Form::kScalar, .text = text, .quoted = quoted, .place = at(mark)}, at(mark));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    begin(mark, tag, Node::Form::kList);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    begin(mark, tag, Node::Form::kMap);
  }
  void OnMapEnd() override { end(); }

 private:
  // Map or list that is being filled.
  struct Level {
    Node node;
    bool has_key = false;  // kMap: the key was read, its value was not
    std::string key{};
    FilePlace key_place{};
    std::string path{};
    std::unordered_map<std::string, int> lines{};  // of the keys
  };

  static size_t offset(const YAML::Mark& mark) {
    return static_cast<size_t>(std::max(0, mark.pos));
  }
  FilePlace at(const YAML::Mark& mark) const { return places_.at(mark.line, mark.column); }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    throw Refusal{at(mark), fmt::format("tags ({}) are not supported; leave it out", shown(tag))};
  }

  void begin(const YAML::Mark& mark, const std::string& tag, Node::Form form) {
    refuse_tag(mark, tag);
    if (levels_.size() == kDeepestConfig) {
      throw Refusal{at(mark), fmt::format("more than {} nested levels", kDeepestConfig)};
    }
    if (!levels_.empty() && is_key_next()) throw Refusal{at(mark), kPlainKey};
    levels_.push_back({.node = {.form = form, .place = at(mark)}, .path = path_of_next()});
  }

  void end() {
    Node node = std::move(levels_.back().node);
    levels_.pop_back();
    const FilePlace place = node.place;
    add(std::move(node), place);
  }

  bool is_key_next() const {
    return levels_.back().node.is(Node::Form::kMap) && !levels_.back().has_key;
  }

  std::string path_of_next() const {
    if (levels_.empty()) return "";
    const Level& level = levels_.back();
    if (level.node.is(Node::Form::kList))
      return fmt::format("{}[{}]", level.path, level.node.entries.size());
    return level.path.empty() ? level.key : fmt::format("{}.{}", level.path, level.key);
  }

  void add(Node node, const FilePlace& place) {
    if (levels_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level& level = levels_.back();
    if (is_key_next()) {
      if (!node.is(Node::Form::kScalar) || node.text.empty()) throw Refusal{place, kPlainKey};
      level.has_key = true;
      level.key = std::move(node.text);
      level.key_place = place;
      return;
    }
    level.has_key = false;
    // A missing value would have the position of the next token.
    if (node.is(Node::Form::kNull) && level.node.is(Node::Form::kMap)) node.place = level.key_place;
    const bool is_list = level.node.is(Node::Form::kList);
    if (!is_list && is_second(level)) return;
    level.node.entries.push_back(
        {is_list ? "" : level.key, is_list ? place : level.key_place, std::move(node)});
  }

  bool is_second(Level& level) {
    const auto [first, is_new] = level.lines.emplace(level.key, level.key_place.line);
    if (is_new) return false;
    if (problems_.size() >= kMostSecondKeys) return true;
    problems_.push_back(
        {file_, level.key_place.line, level.key_place.column, path_of_next(),
         fmt::format("given twice, first in line {}; leave one of them out", first->second)});
    return true;
  }

  const TextPlaces& places_;
  const std::string& file_;
  std::vector<Problem>& problems_;
  std::vector<Level> levels_;
  Node root_;
  int documents_ = 0;
};

// Replaces yaml-cpp's messages for common mistakes.
std::string explain(const std::string& message) {
  static const std::vector<std::pair<std::string, std::string>> hints{
      {YAML::ErrorMsg::FLOW_END, "this bracket was never opened"},
      {YAML::ErrorMsg::MAP_VALUE,
       "no ':' can stand here; check the indentation, and quote texts that hold ': '"},
      {YAML::ErrorMsg::BLOCK_ENTRY, "no '-' can stand here; check the indentation"},
      {YAML::ErrorMsg::TAB_IN_INDENTATION, "tabs are not allowed in the indentation; use spaces"},
      {YAML::ErrorMsg::END_OF_MAP, "expected `key: value`; check the indentation and quotes"},
      {YAML::ErrorMsg::END_OF_SEQ, "expected `- item`; check the indentation"},
      {YAML::ErrorMsg::EOF_IN_SCALAR, "a quote is not closed"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN, "plain text cannot start like this; put it in quotes"}};
  for (const auto& [known, hint] : hints) {
    if (message == known) return hint;
  }
  return message;
}

// The first tab of an indentation in this line or the one before, which yaml-cpp has other words for;
// behind the - of a list too.
std::optional<FilePlace> find_tab(const TextPlaces& places, int line) {
  for (const int near : {line, line - 1}) {
    const std::string_view text = places.line(near);
    const size_t tab = text.find('\t');
    if (tab != std::string_view::npos && text.find_first_not_of(" -") == tab)
      return places.at(near, static_cast<int>(tab));
  }
  return std::nullopt;
}

Node parse(const TextPlaces& places, TreeBuilder& builder) {
  std::istringstream stream{std::string(places.text())};
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const bool is_open = error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW ||
                         error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW;
    if (is_open)
      throw Refusal{builder.innermost(),
                    "this bracket is not closed, or a comma is missing inside"};
    if (const auto tab = find_tab(places, error.mark.line))
      throw Refusal{*tab, "not YAML: a tab in the indentation; tabs are not allowed, use spaces"};
    throw Refusal{places.at(error.mark.line, error.mark.column),
                  fmt::format("not YAML: {}", explain(error.msg))};
  }
  return builder.take_root();
}

void refuse_bytes(const TextPlaces& places) {
  const std::string_view text = places.text();
  if (text.size() > kLargestConfig) {
    throw Refusal{{1, 1},
                  fmt::format("{} bytes are too large for a config, at most {} are allowed",
                              text.size(), kLargestConfig)};
  }
  const size_t unreadable = find_unreadable(text);
  if (unreadable != std::string_view::npos) {
    const auto byte = static_cast<unsigned char>(text[unreadable]);
    constexpr unsigned char kFirstPrintable = 0x20;  // 0x00: of UTF-16
    throw Refusal{
        places.at(unreadable),
        byte > 0 && byte < kFirstPrintable
            ? fmt::format("the control character 0x{:02x}; write it as \"\\x{:02x}\"", byte, byte)
            : fmt::format("the byte 0x{:02x} is not UTF-8; save the file as UTF-8", byte)};
  }
}

}  // namespace

std::optional<Node> parse_yaml(std::string_view text, const std::string& file,
                               std::vector<Problem>& problems) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const TextPlaces places(text);
  TreeBuilder builder(places, file, problems);
  try {
    refuse_bytes(places);
    return parse(places, builder);
  } catch (const Refusal& refusal) {
    problems.push_back({file, refusal.place.line, refusal.place.column, "", refusal.message});
    return std::nullopt;
  }
}

}  // namespace heed
